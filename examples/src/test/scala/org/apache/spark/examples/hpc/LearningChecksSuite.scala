package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.SparkContext
import org.apache.spark.mllib.classification.NaiveBayesModel
import org.apache.spark.mllib.linalg.Vectors
import org.apache.spark.mllib.recommendation.Rating

class LearningChecksSuite extends AnyFunSuite with WrongAnswers with LocalSession {
  private def sc: SparkContext = spark.sparkContext

  test("KMeans: a planted centre that wasn't found, or was found twice, is missed") {
    val options = KMeansOptions(points = 400, dimensions = 2, clusters = 4)
    val centres = (0 until 4).map(options.planted.centre)
    KMeans.check(options, centres.map(Vectors.dense))
    val shifted = centres.updated(2, centres(2).map(_ + 3))
    assertWrong("planted centre 2", "at most")(KMeans.check(options, shifted.map(Vectors.dense)))
    assertWrong("clusters: expected 4, found 3")(
      KMeans.check(options, centres.updated(2, centres(1)).map(Vectors.dense))
    )
    val nowhere = centres.updated(2, centres(2).map(_ => Double.NaN))
    assertWrong("at most")(KMeans.check(options, nowhere.map(Vectors.dense)))
  }

  test("KMeans: planted centres are far apart, and points are near theirs") {
    val planted = new PlantedClusters(clusters = 9, dimensions = 2, seed = 4)
    val centres = (0 until 9).map(number => Vectors.dense(planted.centre(number)))
    for (one <- 0 until 9; other <- 0 until one)
      assert(Vectors.sqdist(centres(one), centres(other)) > 1e5)
    for (number <- 0L until 90L)
      assert(Vectors.sqdist(Vectors.dense(planted.point(number)), centres(number.toInt % 9)) < 50)
  }

  private val documents = NaiveBayesOptions(
    documents = 90,
    classes = 3,
    vocabulary = 120,
    wordsPerDocument = 60,
    partitions = 2
  )

  /** The model by its formula, from documents taken in hand. */
  private def model(spoil: Array[Array[Double]] => Unit): NaiveBayesModel = {
    val counts = Array.fill(3, 120)(1.0)
    for (number <- 0L until 90L; (word, count) <- documents.planted.document(number))
      counts((number % 3).toInt)(word) += count
    spoil(counts)
    val theta = counts.map(words => words.map(count => math.log(count / words.sum)))
    val pi = Array.fill(3)(math.log(1.0 / 3))
    new NaiveBayesModel(Array(0.0, 1.0, 2.0), pi, theta, "multinomial")
  }

  test("NaiveBayes: the counted model passes; one word more and mixed-up classes are found") {
    NaiveBayes.check(sc, documents, model(_ => ()))
    assertWrong("class 1's logarithms")(
      NaiveBayes.check(sc, documents, model(counts => counts(1)(5) += 1))
    )
    assertWrong("class 0's logarithms")(NaiveBayes.check(
      sc,
      documents,
      model { counts =>
        val first = counts(0)
        counts(0) = counts(1)
        counts(1) = first
      }
    ))
  }

  private val options =
    ALSOptions(users = 40, items = 20, ratingsPerUser = 16, rank = 2, blocks = 2)

  test("ALS: foretold ratings that are off, lost or of another item are found") {
    val held = ALS.ratings(sc, options, options.ratings, options.ratings + options.users)
    val right = held.collect().toSeq
    def check(foretold: Seq[Rating]): Unit = ALS.check(options, held, sc.parallelize(foretold, 2))
    check(right)
    assertWrong("error", "at most")(check(right.map(rating => rating.copy(rating = 0))))
    assertWrong("error", "NaN")(check(right.map(rating => rating.copy(rating = Double.NaN))))
    assertWrong("39 records")(check(right.tail))
    assertWrong("checksum")(check(right.head.copy(product = 19 - right.head.product) +: right.tail))
  }

  test("ALS: a user rates no item twice, and held-out ratings are none of the training's") {
    val all = (0L until options.ratings + options.users).map(options.planted.rating)
    assert(all.map(rating => (rating.user, rating.product)).distinct.size == all.size)
  }

  private val cx = CXOptions(rows = 300, columns = 24, rank = 3, partitions = 2)

  test("CX: other columns than the planted ones, and a matrix they don't explain, are found") {
    val right = cx.planted.planted
    val blocks = CX.matrix(sc.range(0, cx.rows, numSlices = 3), cx)
    CX.check(blocks, cx, right)
    assertWrong("columns chosen")(CX.check(blocks, cx, right.init :+ (right.last + 1)))
    assertWrong("error of a row", "at most")(CX.check(
      blocks.map { block =>
        val spoiled = block.copy
        spoiled(0, 1) += 10
        spoiled
      },
      cx,
      right
    ))
  }

  test("CX: leverage scores are those of the singular vectors") {
    val blocks = CX.matrix(sc.range(0, cx.rows, numSlices = 3), cx)
    val scores = new LeverageScores(blocks, cx.columns, cx.rank)
    val random = new scala.util.Random(1)
    val start = breeze.linalg.DenseMatrix.fill(24, 8)(random.nextGaussian())
    val found = scores.scores((1 to 4).foldLeft(start)((basis, _) => scores.step(basis)))
    val whole = blocks.collect().reduce(breeze.linalg.DenseMatrix.vertcat(_, _))
    val vectors = breeze.linalg.svd.reduced(whole).rightVectors
    for (column <- 0 until 24) {
      val expected = (0 until 3).map(k => vectors(k, column) * vectors(k, column)).sum
      assert(math.abs(found(column) - expected) < 1e-6)
    }
    assert(math.abs(found.sum - 3) < 1e-9)
  }
}
