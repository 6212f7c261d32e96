package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.SparkContext
import org.apache.spark.mllib.recommendation.{ALS => MLlibALS, MatrixFactorizationModel, Rating}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.storage.StorageLevel

/** MLlib's alternating least squares on ratings of a planted low rank: it must foretell others. */
object ALS extends WithoutFiles[ALSOptions] {
  import builder._

  override protected def label: String = "als"
  override protected def defaults: ALSOptions = ALSOptions()

  override private[hpc] def work(spark: SparkSession, o: ALSOptions, phases: Phases): Outcome = {
    val sc = spark.sparkContext
    val level = StorageLevel.fromString(o.storageLevel)
    val model = phases("train") {
      new MLlibALS()
        .setRank(o.rank)
        .setIterations(o.iterations)
        .setLambda(Regularisation)
        .setBlocks(o.blocks)
        .setSeed(o.seed)
        .setIntermediateRDDStorageLevel(level)
        .setFinalRDDStorageLevel(level)
        .run(ratings(sc, o, 0, o.ratings))
    }
    val held = ratings(sc, o, o.ratings, o.ratings + o.users)
    check(o, held, foretell(sc, model, held))
    Outcome.checked(
      "users" -> o.users,
      "items" -> o.items,
      "ratings" -> o.ratings,
      "rank" -> o.rank,
      "blocks" -> o.blocks
    )
  }

  private[hpc] def ratings(
      sc: SparkContext,
      o: ALSOptions,
      from: Long,
      until: Long
  ): RDD[Rating] = {
    val planted = o.planted
    sc.range(from, until, numSlices = o.blocks).map(planted.rating)
  }

  /** Without a join, whose tasks would carry the lineage of all iterations a second time. */
  private def foretell(
      sc: SparkContext,
      model: MatrixFactorizationModel,
      held: RDD[Rating]
  ): RDD[Rating] = {
    val users = sc.broadcast(model.userFeatures.collectAsMap())
    val items = sc.broadcast(model.productFeatures.collectAsMap())
    held.flatMap { case Rating(user, item, _) =>
      for (u <- users.value.get(user); i <- items.value.get(item))
        yield Rating(user, item, u.zip(i).map { case (x, y) => x * y }.sum)
    }
  }

  /** One rating of each user that wasn't in the training. */
  private[hpc] def check(o: ALSOptions, held: RDD[Rating], foretold: RDD[Rating]): Unit = {
    val pairs = Checksum.of(held.map(pair))
    Answer.equal("ratings foretold", pairs, Checksum.of(foretold.map(pair)))
    val planted = o.planted
    val error = foretold.map { rating =>
      math.pow(rating.rating - planted.value(rating.user, rating.product), 2)
    }.mean()
    val deviation = math.sqrt(o.rank / 9.0)
    Answer.atMost(
      "error relative to the ratings' deviation",
      Tolerance,
      math.sqrt(error) / deviation
    )
  }

  private def pair(rating: Rating): Long =
    Checksum.hash(rating.user.toLong, rating.product.toLong)

  private val Regularisation = 0.001

  /** Guessing 0 for every rating is an error of 1. */
  private val Tolerance = 0.2

  override protected val syntax: OParser[_, ALSOptions] = OParser.sequence(
    programName("ALS"),
    head("MLlib's alternating least squares on ratings of a planted low rank"),
    count("users", 1).action((x, o) => o.copy(users = x)).text("default 2000"),
    count("items", 1).action((x, o) => o.copy(items = x)).text("default 1000"),
    count("ratings-per-user", 1).action((x, o) => o.copy(ratingsPerUser = x)).text("default 50"),
    count("rank", 1, 1000).action((x, o) => o.copy(rank = x)).text("default 5"),
    count("iterations", 1).action((x, o) => o.copy(iterations = x))
      .text("default 8; each makes Spark's tasks deeper, so that many need a larger -Xss"),
    count("blocks", 1).action((x, o) => o.copy(blocks = x))
      .text("of users and of items; default 16"),
    storageLevel.action((x, o) => o.copy(storageLevel = x))
      .text("of ratings and factors; default MEMORY_AND_DISK, as MLlib's"),
    seed.action((x, o) => o.copy(seed = x)),
    help("help").text("print this"),
    checkConfig { o =>
      if (o.ratingsPerUser < 8 * o.rank) {
        failure(s"--ratings-per-user ${o.ratingsPerUser}: must be at least 8 for each rank")
      } else if (o.items <= o.ratingsPerUser) {
        failure(s"--items ${o.items}: must be more than --ratings-per-user ${o.ratingsPerUser}")
      } else if (o.users < o.items) {
        failure(s"--users ${o.users}: must be at least as many as --items ${o.items}")
      } else success
    }
  )
}

/** How many ratings of which rank. */
final case class ALSOptions(
    users: Int = 2000,
    items: Int = 1000,
    ratingsPerUser: Int = 50,
    rank: Int = 5,
    iterations: Int = 8,
    blocks: Int = 16,
    storageLevel: String = "MEMORY_AND_DISK",
    seed: Long = 1
) {

  def ratings: Long = users.toLong * ratingsPerUser
  def planted: PlantedRatings = new PlantedRatings(users, items, rank, seed)
}
