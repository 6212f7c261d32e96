package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.mllib.clustering.{KMeans => MLlibKMeans}
import org.apache.spark.mllib.linalg.{Vector, Vectors}
import org.apache.spark.sql.SparkSession
import org.apache.spark.storage.StorageLevel

/** MLlib's k-means on points around planted centres, which it must find again. */
object KMeans extends WithoutFiles[KMeansOptions] {
  import builder._

  override protected def label: String = "kmeans"
  override protected def defaults: KMeansOptions = KMeansOptions()

  override private[hpc] def work(spark: SparkSession, o: KMeansOptions, phases: Phases): Outcome = {
    val planted = o.planted
    val points = spark.sparkContext.range(0, o.points, numSlices = o.partitions)
      .map(number => Vectors.dense(planted.point(number)))
      .persist(StorageLevel.fromString(o.storageLevel))
    phases("load")(points.count())
    val model = phases("train") {
      new MLlibKMeans()
        .setK(o.clusters)
        .setMaxIterations(o.iterations)
        .setSeed(o.seed)
        .run(points)
    }
    check(o, model.clusterCenters.toSeq)
    Outcome.checked(
      "points" -> o.points,
      "dimensions" -> o.dimensions,
      "clusters" -> o.clusters,
      "partitions" -> o.partitions
    )
  }

  /** A mean of n points is off its centre by sqrt(dimensions / n) as a rule; five times is allowed. */
  private[hpc] def check(o: KMeansOptions, found: Seq[Vector]): Unit = {
    Answer.equal("clusters", o.clusters, found.distinct.size)
    val tolerance = 5 * math.sqrt(o.dimensions / (o.points / o.clusters).toDouble)
    for (number <- 0 until o.clusters) {
      val centre = Vectors.dense(o.planted.centre(number))
      val nearest = found.map(other => math.sqrt(Vectors.sqdist(centre, other))).min
      Answer.atMost(s"distance of planted centre $number to one found", tolerance, nearest)
    }
  }

  override protected val syntax: OParser[_, KMeansOptions] = OParser.sequence(
    programName("KMeans"),
    head("MLlib's k-means on points around planted centres"),
    amount("points", 1).action((x, o) => o.copy(points = x)).text("default 100000"),
    count("dimensions", 1, 1 << 16).action((x, o) => o.copy(dimensions = x)).text("default 20"),
    count("clusters", 2, 1 << 16).action((x, o) => o.copy(clusters = x)).text("default 10"),
    count("iterations", 1).action((x, o) => o.copy(iterations = x)).text("at most; default 20"),
    count("partitions", 1).action((x, o) => o.copy(partitions = x)).text("default 16"),
    storageLevel.action((x, o) => o.copy(storageLevel = x))
      .text("of the points; default MEMORY_ONLY"),
    seed.action((x, o) => o.copy(seed = x)),
    help("help").text("print this"),
    checkConfig { o =>
      if (o.points >= 10L * o.clusters) success
      else failure(s"--points ${o.points}: must be at least 10 for each cluster")
    }
  )
}

/** How many points around how many centres. */
final case class KMeansOptions(
    points: Long = 100000,
    dimensions: Int = 20,
    clusters: Int = 10,
    iterations: Int = 20,
    partitions: Int = 16,
    storageLevel: String = "MEMORY_ONLY",
    seed: Long = 1
) {

  def planted: PlantedClusters = new PlantedClusters(clusters, dimensions, seed)
}
