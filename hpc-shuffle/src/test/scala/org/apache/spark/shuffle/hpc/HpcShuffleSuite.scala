package org.apache.spark.shuffle.hpc

import java.io.{File, RandomAccessFile}
import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import org.apache.commons.io.FileUtils
import org.apache.spark.{MapOutputTrackerMaster, SparkConf, SparkContext, SparkEnv}
import org.apache.spark.hpc.Build
import org.scalatest.{BeforeAndAfterAll, BeforeAndAfterEach}
import org.scalatest.funsuite.AnyFunSuite

/** Real jobs whose map outputs are in the directory that stands for the shared file system. */
class HpcShuffleSuite extends AnyFunSuite with BeforeAndAfterAll with BeforeAndAfterEach {

  private var shared: Path = _
  private var expected: Seq[Any] = _

  override def beforeAll(): Unit =
    expected = withContext("spark.shuffle.manager" -> "sort")(results)

  override def beforeEach(): Unit = {
    Files.createDirectories(new File(System.getProperty("java.io.tmpdir")).toPath)
    shared = Files.createTempDirectory("shared")
  }

  override def afterEach(): Unit = FileUtils.deleteDirectory(shared.toFile)

  private def withContext[A](settings: (String, String)*)(test: SparkContext => A): A = {
    val conf = new SparkConf()
      .setMaster("local[2]")
      .setAppName(Build.current.version)
      .set("spark.ui.enabled", "false")
      .set("spark.shuffle.manager", classOf[HpcShuffleManager].getName)
      .setAll(settings)
    val sc = new SparkContext(conf)
    try test(sc)
    finally sc.stop()
  }

  private def global: Seq[(String, String)] = Seq(
    "spark.hpc.shuffle.placement" -> "global",
    "spark.hpc.shuffle.directory" -> shared.resolve("spark").toString
  )

  /** The files below the shared directory whose names end so. */
  private def outputs(ending: String): Seq[Path] = {
    val all = Files.walk(shared)
    try all.iterator().asScala.filter(_.toString.endsWith(ending)).toList
    finally all.close()
  }

  private def locations: Seq[String] = {
    val tracker = SparkEnv.get.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
    tracker.shuffleStatuses.values.toSeq
      .flatMap(_.withMapStatuses(_.toSeq.filter(_ != null).map(_.location.executorId)))
  }

  private def results(sc: SparkContext): Seq[Any] = {
    val pairs = sc.range(0, 2000, 1, 4).map(n => (n % 50, n))
    val others = sc.range(0, 100, 1, 3).map(n => (n, s"other $n"))
    Seq(
      pairs.groupByKey(3).mapValues(_.toSeq.sorted).collect().toSeq.sortBy(_._1),
      pairs.reduceByKey(_ + _, 5).collect().toSeq.sorted,
      pairs.sortBy(-_._2, numPartitions = 3).collect().toSeq,
      pairs.join(others, 4).collect().toSeq.sorted,
      pairs.repartition(7).map(_._2).sum(),
      pairs.map(_._1).distinct(300).count()
    )
  }

  private val ways = Seq(
    "Java's serializer" -> Nil,
    "Kryo" -> Seq("spark.serializer" -> "org.apache.spark.serializer.KryoSerializer"),
    "encryption" -> Seq("spark.io.encryption.enabled" -> "true"),
    "spills" -> Seq("spark.shuffle.spill.numElementsForceSpillThreshold" -> "100"),
    "no compression" -> Seq("spark.shuffle.compress" -> "false"),
    "blocks too large for memory" -> Seq("spark.network.maxRemoteBlockSizeFetchToMem" -> "1")
  )

  for ((what, settings) <- ways; route <- Seq("direct", "network"))
    test(s"results are Spark's, with $what, by the route $route") {
      withContext(global ++ settings :+ ("spark.hpc.shuffle.route" -> route): _*) { sc =>
        assert(results(sc) == expected)
        assert(locations.nonEmpty && locations.forall(_.startsWith("hpc:driver:")))
        assert(outputs(".data").nonEmpty)
      }
      assert(Files.list(shared.resolve("spark")).count() == 0)
    }

  test("fastest is Spark's own") {
    withContext() { sc =>
      assert(results(sc) == expected)
      assert(locations.nonEmpty && locations.forall(_ == "driver"))
    }
  }

  private val damages = Seq[(String, File => Unit)](
    "deleted" -> (_.delete()),
    "cut short" -> (file => new RandomAccessFile(file, "rw").setLength(file.length - 1)),
    "emptied" -> (file => new RandomAccessFile(file, "rw").setLength(0))
  )

  for ((how, damage) <- damages; ending <- Seq(".data", ".index"))
    test(s"a file *$ending that is $how is written again, and the result is right") {
      withContext(global: _*) { sc =>
        val grouped = sc.range(0, 2000, 1, 4).map(n => (n % 50, n)).groupByKey(3)
        val before = grouped.mapValues(_.sum).collect().toSeq.sorted
        damage(outputs(ending).head.toFile)
        assert(grouped.mapValues(_.sum).collect().toSeq.sorted == before)
      }
    }

  test("a shuffle's files go when nobody can ask for it any more") {
    withContext(global: _*) { sc =>
      def shuffled(): Unit = assert(sc.range(0, 100, 1, 2).map((_, 1)).groupByKey(2).count() == 100)
      shuffled()
      val before = outputs(".data")
      assert(before.nonEmpty)
      SparkEnv.get.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster].shuffleStatuses.keys
        .foreach(sc.cleaner.get.doCleanupShuffle(_, blocking = true))
      assert(outputs(".data").isEmpty)
      shuffled()
    }
  }

  test("nobody else may read them") {
    withContext(global: _*) { sc =>
      assert(sc.range(0, 100, 1, 2).map((_, 1)).groupByKey(2).count() == 100)
      val own = Files.list(shared.resolve("spark")).iterator().asScala.toSeq
      assert(own.map(Files.getPosixFilePermissions(_).size) == Seq(3))
    }
  }

  private def refusal(settings: (String, String)*): String =
    intercept[Exception](withContext(settings: _*)(_ => ())).getMessage

  test("what can't be is refused with the key, the value and the remedy") {
    assert(refusal("spark.hpc.shuffle.placement" -> "global").startsWith(
      "spark.hpc.shuffle.directory isn't set, and spark.hpc.shuffle.placement=global needs it"
    ))
    assert(refusal("spark.hpc.shuffle.placement" -> "everywhere").contains(
      "should be one of fastest, global"
    ))
    val old = "spark.shuffle.useOldFetchProtocol"
    assert(refusal(global :+ (old -> "true"): _*).startsWith(s"$old is true, which"))
    val push = "spark.shuffle.push.enabled"
    assert(refusal(global :+ (push -> "true"): _*).startsWith(s"$push is true, which"))
    val plugin = "spark.shuffle.sort.io.plugin.class"
    assert(
      refusal(global :+ (plugin -> "example.Other"): _*).startsWith(s"$plugin is example.Other")
    )
    val file = Files.createFile(shared.resolve("file"))
    val nowhere = global :+ ("spark.hpc.shuffle.directory" -> file.resolve("spark").toString)
    assert(
      refusal(nowhere: _*).startsWith(s"spark.hpc.shuffle.directory=$file/spark is no directory")
    )
  }
}
