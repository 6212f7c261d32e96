package org.sparkhpc.e2e

import org.scalacheck.Gen

/** Applications and jobs at random, as the program GeneratedJobs takes them.
  *
  * A plan is a list of applications, an application its settings and its jobs.
  */
object GeneratedPlan {

  final case class Job(number: Int, words: Seq[(String, String)]) {
    def fault: String = words.toMap.apply("fault")

    def withoutFault: Job = copy(words = words.filter(_._1 != "fault") :+ ("fault" -> "none"))

    /** Which rows a repartition puts where depends on the order in which they came. */
    def mayBeRefused: Boolean =
      fault != "none" && words.toMap.apply("steps").contains("repartition")

    def line: String = s"job $number ${pairs(words)}"
  }

  final case class Application(settings: Seq[(String, String)], jobs: Seq[Job]) {

    def lines: Seq[String] = s"application ${pairs(settings)}" +: jobs.map(_.line)
  }

  private def pairs(all: Seq[(String, String)]): String =
    all.map { case (name, value) => s"$name=$value" }.mkString(" ")

  /** @param files where all go but those in memory: see [[global]] */
  def applications(count: Int, jobs: Int, files: String): Gen[Seq[Application]] =
    Gen.sequence[Seq[Application], Application]((0 until count).map { i =>
      val placement = if (i % 2 == 1) "fastest" else "global"
      val numbers = i * jobs until (i + 1) * jobs
      for {
        settings <- settings(placement, files)
        jobs <- Gen.sequence[Seq[Job], Job](numbers.map(number =>
          words.map(Job(number, _))
        ))
      } yield Application(settings, jobs)
    })

  /** Where map outputs go that are placed globally. */
  def global(files: String): String = s"$files/global"

  private def settings(placement: String, files: String): Gen[Seq[(String, String)]] =
    for {
      serializer <- Gen.oneOf("JavaSerializer", "KryoSerializer")
      compress <- Gen.frequency(4 -> true, 1 -> false)
      codec <- Gen.oneOf("lz4", "snappy", "zstd", "lzf")
      encryption <- Gen.frequency(3 -> false, 1 -> true)
      spill <- Gen.oneOf(Seq("200", "1000", Int.MaxValue.toString))
      route <- Gen.oneOf("direct", "network", "auto")
      scratch <- Gen.option(Gen.zip(Gen.oneOf("100k", "2m", "64m"), Gen.oneOf("local", "global")))
      kind <- Gen.oneOf("auto", "shared")
      speculation <- Gen.oneOf(true, false)
      toMemory <- Gen.frequency(3 -> "200m", 1 -> "10k")
      inFlight <- Gen.oneOf("48m", "16k")
    } yield Seq(
      "spark.hpc.shuffle.placement" -> placement,
      "spark.hpc.shuffle.directory" -> global(files),
      "spark.local.dir" -> s"$files/local",
      // Without a list, spills share files there if it is shared.
      "spark.hpc.scratch.kind" -> kind,
      "spark.hpc.shuffle.route" -> route,
      "spark.hpc.shuffle.network.timeout" -> "2s",
      "spark.serializer" -> s"org.apache.spark.serializer.$serializer",
      "spark.shuffle.compress" -> compress.toString,
      "spark.io.compression.codec" -> codec,
      "spark.io.encryption.enabled" -> encryption.toString,
      "spark.shuffle.spill.numElementsForceSpillThreshold" -> spill,
      "spark.speculation" -> speculation.toString,
      "spark.network.maxRemoteBlockSizeFetchToMem" -> toMemory,
      "spark.reducer.maxSizeInFlight" -> inFlight
    ) ++ scratch.map { case (capacity, last) =>
      "spark.hpc.scratch.tiers" -> tiers(files, capacity, last)
    }

  /** A tier of memory that holds some jobs' files, or all, and one that takes the others; in a global one
    * spills share files.
    */
  private def tiers(files: String, capacity: String, last: String): String =
    s"memory:/dev/shm?capacity=$capacity,$last:$files/scratch"

  private def words: Gen[Seq[(String, String)]] =
    for {
      seed <- Gen.choose(0, Int.MaxValue)
      isLarge <- Gen.frequency(24 -> false, 1 -> true)
      size <- if (isLarge) many else few
      first <- if (isLarge) strided else step
      keys <- Gen.oneOf(1, 10, 200, 5000)
      api <- Gen.oneOf("rdd", "sql")
      adaptive <- Gen.oneOf(true, false)
      more <- Gen.frequency(4 -> 0, 2 -> 1, 1 -> 2)
      others <- Gen.listOfN(more, step)
      fault <- fault
    } yield size ++ Seq(
      "seed" -> seed,
      "keys" -> keys,
      "api" -> api,
      "adaptive" -> adaptive,
      "steps" -> (first +: others).map { case (name, parts) => s"$name:$parts" }.mkString(","),
      "fault" -> fault
    ).map { case (name, value) => name -> value.toString }

  private val Few = 5

  private def few: Gen[Seq[(String, String)]] =
    for {
      rows <- Gen.frequency(1 -> Gen.const(0), 3 -> Gen.choose(1, 100), 8 -> Gen.choose(100, 5000))
      bytes <- Gen.frequency(6 -> Gen.choose(0, 100), 1 -> Gen.const(2000))
      maps <- Gen.choose(1, Few)
    } yield size(rows, bytes, maps)

  /** So many outputs that what a reducer wants isn't in one piece of a container: what is nearer than
    * 64 KiB is read at once.
    */
  private def many: Gen[Seq[(String, String)]] =
    Gen.choose(80, 110).map(maps => size(rows = 50 * maps, bytes = 4000, maps))

  private def size(rows: Int, bytes: Int, maps: Int): Seq[(String, String)] =
    Seq("rows" -> rows, "bytes" -> bytes, "maps" -> maps).map { case (name, value) =>
      name -> value.toString
    }

  val Damages: Seq[String] = Seq("deleted", "cut", "flipped")

  val Losses: Seq[String] = Seq("cancelled", "executor")

  private val steps = Seq(
    "reduce",
    "group",
    "aggregate",
    "distinct",
    "sort",
    "repartition",
    "join",
    "outer",
    "cogroup"
  )

  /** Those whose reducers have the same, however few the keys are. */
  private val even = Seq("distinct", "sort", "repartition")

  private def step: Gen[(String, Int)] =
    // Some parts are more than what Spark's shuffle without a sort is for.
    Gen.zip(Gen.oneOf(steps), Gen.frequency(60 -> Gen.choose(1, 6), 1 -> Gen.const(250)))

  private def strided: Gen[(String, Int)] = Gen.zip(Gen.oneOf(even), Gen.choose(5, 8))

  /** A killed executor costs seconds, a damaged file a second attempt. */
  private def fault: Gen[String] = {
    def loss(what: String) = Gen.oneOf("map", "reduce").map(when => s"$when-$what")
    Gen.frequency(
      74 -> Gen.const("none"),
      20 -> Gen.oneOf(Damages).map("between-" + _),
      4 -> loss("cancelled"),
      2 -> loss("executor")
    )
  }
}
