package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.SparkContext
import org.apache.spark.mllib.classification.{NaiveBayes => MLlibNaiveBayes, NaiveBayesModel}
import org.apache.spark.mllib.linalg.Vectors
import org.apache.spark.mllib.regression.LabeledPoint
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

/** MLlib's multinomial naive Bayes on documents of planted classes.
  *
  * Its model is known in closed form: smoothed shares of the words in each class's documents.
  */
object NaiveBayes extends WithoutFiles[NaiveBayesOptions] {
  import builder._

  override protected def label: String = "naivebayes"
  override protected def defaults: NaiveBayesOptions = NaiveBayesOptions()

  override private[hpc] def work(
      spark: SparkSession,
      o: NaiveBayesOptions,
      phases: Phases
  ): Outcome = {
    val sc = spark.sparkContext
    val model = phases("train")(MLlibNaiveBayes.train(points(sc, o, 0, o.documents), Smoothing))
    check(sc, o, model)
    Outcome.checked(
      "documents" -> o.documents,
      "classes" -> o.classes,
      "vocabulary" -> o.vocabulary,
      "partitions" -> o.partitions
    )
  }

  private def points(
      sc: SparkContext,
      o: NaiveBayesOptions,
      from: Long,
      until: Long
  ): RDD[LabeledPoint] = {
    val (planted, vocabulary) = (o.planted, o.vocabulary)
    sc.range(from, until, numSlices = o.partitions).map { number =>
      val words = Vectors.sparse(vocabulary, planted.document(number))
      LabeledPoint(planted.classOf(number).toDouble, words)
    }
  }

  /** The model is the one that counting gives, and knows documents that it wasn't trained on. */
  private[hpc] def check(sc: SparkContext, o: NaiveBayesOptions, model: NaiveBayesModel): Unit = {
    val expected = counts(sc, o).map { words =>
      val all = math.log(words.sum + Smoothing * o.vocabulary)
      words.map(count => math.log(count + Smoothing) - all)
    }
    Answer.equal("classes", o.classes, model.labels.length)
    for ((label, row) <- model.labels.zip(model.theta)) {
      val furthest = row.zip(expected(label.toInt)).map { case (a, b) => math.abs(a - b) }.max
      Answer.atMost(s"deviation of class ${label.toInt}'s logarithms", 1e-9, furthest)
    }
    val held = points(sc, o, o.documents, o.documents + math.max(o.documents / 10, 1L))
    val wrong = held.map(point => if (model.predict(point.features) == point.label) 0.0 else 1.0)
    Answer.atMost("share of documents in a wrong class", WrongShare, wrong.mean())
  }

  /** How often each class has each word: no shuffle, an array for each task. */
  private def counts(sc: SparkContext, o: NaiveBayesOptions): Array[Array[Double]] = {
    val (planted, classes, vocabulary) = (o.planted, o.classes, o.vocabulary)
    sc.range(0, o.documents, numSlices = o.partitions)
      .mapPartitions { documents =>
        val counts = Array.fill(classes, vocabulary)(0.0)
        for (number <- documents; (word, count) <- planted.document(number))
          counts(planted.classOf(number))(word) += count
        Iterator.single(counts)
      }
      .reduce { (one, other) =>
        one.zip(other).map { case (a, b) => a.zip(b).map { case (x, y) => x + y } }
      }
  }

  private val Smoothing = 1.0

  /** With the default sizes none is wrong; documents of few words say less. */
  private val WrongShare = 0.05

  override protected val syntax: OParser[_, NaiveBayesOptions] = OParser.sequence(
    programName("NaiveBayes"),
    head("MLlib's naive Bayes on documents of planted classes"),
    amount("documents", 1).action((x, o) => o.copy(documents = x)).text("default 20000"),
    count("classes", 2, 1 << 10).action((x, o) => o.copy(classes = x)).text("default 10"),
    count("vocabulary", 100, 1 << 20).action((x, o) => o.copy(vocabulary = x))
      .text("words that there are; default 10000"),
    count("words-per-document", 30, 1 << 20).action((x, o) => o.copy(wordsPerDocument = x))
      .text("default 100"),
    count("partitions", 1).action((x, o) => o.copy(partitions = x)).text("default 16"),
    seed.action((x, o) => o.copy(seed = x)),
    help("help").text("print this"),
    checkConfig { o =>
      if (o.vocabulary < 10 * o.classes) {
        failure(s"--vocabulary ${o.vocabulary}: must be at least 10 for each class")
      } else if (o.documents < 10L * o.classes) {
        failure(s"--documents ${o.documents}: must be at least 10 for each class")
      } else success
    }
  )
}

/** How many documents of how many classes. */
final case class NaiveBayesOptions(
    documents: Long = 20000,
    classes: Int = 10,
    vocabulary: Int = 10000,
    wordsPerDocument: Int = 100,
    partitions: Int = 16,
    seed: Long = 1
) {

  def planted: PlantedTopics = new PlantedTopics(classes, vocabulary, wordsPerDocument, seed)
}
