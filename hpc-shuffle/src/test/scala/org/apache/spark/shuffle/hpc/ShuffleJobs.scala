package org.apache.spark.shuffle.hpc

import java.io.{File, RandomAccessFile}
import java.nio.file.{Files, Path}
import java.util.concurrent.atomic.AtomicInteger

import scala.collection.JavaConverters._

import org.apache.commons.io.FileUtils
import org.apache.spark.{ContextCleaner, MapOutputTrackerMaster, SparkConf, SparkContext, SparkEnv}
import org.apache.spark.hpc.Build
import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd}
import org.scalatest.{BeforeAndAfterAll, BeforeAndAfterEach, Suite}

/** Jobs with shuffles of all kinds, whose results are compared with those of Spark's own shuffle. */
private[hpc] trait ShuffleJobs extends BeforeAndAfterAll with BeforeAndAfterEach { this: Suite =>

  /** A new directory for each test. */
  protected var shared: Path = _

  /** The results of Spark's own shuffle. */
  protected def expected: Seq[Any] = ShuffleJobs.expected

  // Computed before a test has a context: a process has one at a time.
  override def beforeAll(): Unit = assert(expected.nonEmpty)

  override def beforeEach(): Unit = {
    Files.createDirectories(new File(System.getProperty("java.io.tmpdir")).toPath)
    shared = Files.createTempDirectory("shared")
  }

  override def afterEach(): Unit = FileUtils.deleteDirectory(shared.toFile)

  protected def withContext[A](settings: (String, String)*)(test: SparkContext => A): A =
    ShuffleJobs.withContext(settings: _*)(test)

  protected def results(sc: SparkContext): Seq[Any] = ShuffleJobs.results(sc)

  /** Removes all shuffles, as Spark does when nobody refers to them any more. */
  protected def cleanUp(sc: SparkContext): Unit = {
    val cleaner = new ContextCleaner(sc, sc.shuffleDriverComponents)
    SparkEnv.get.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
      .shuffleStatuses.keys.foreach(cleaner.doCleanupShuffle(_, blocking = true))
  }

  /** Ways in which Spark writes and reads shuffles otherwise. */
  protected val ways: Seq[(String, Seq[(String, String)])] = Seq(
    "Java's serializer" -> Nil,
    "Kryo" -> Seq("spark.serializer" -> "org.apache.spark.serializer.KryoSerializer"),
    "encryption" -> Seq("spark.io.encryption.enabled" -> "true"),
    "spills" -> Seq("spark.shuffle.spill.numElementsForceSpillThreshold" -> "100"),
    "no compression" -> Seq("spark.shuffle.compress" -> "false"),
    "snappy" -> Seq("spark.io.compression.codec" -> "snappy"),
    "zstd" -> Seq("spark.io.compression.codec" -> "zstd"),
    "lzf" -> Seq("spark.io.compression.codec" -> "lzf"),
    "blocks too large for memory" -> Seq("spark.network.maxRemoteBlockSizeFetchToMem" -> "1")
  )

  /** The executors that map statuses name; what all of them have means nothing where there are none. */
  protected def locations: Seq[String] = {
    val tracker = SparkEnv.get.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
    val found = tracker.shuffleStatuses.values.toSeq
      .flatMap(_.withMapStatuses(_.toSeq.filter(_ != null).map(_.location.executorId)))
    assert(found.nonEmpty)
    found
  }

  protected def counting(mapTasks: AtomicInteger): SparkListener = new SparkListener {
    override def onTaskEnd(event: SparkListenerTaskEnd): Unit =
      if (event.taskType == "ShuffleMapTask") mapTasks.incrementAndGet(): Unit
  }

  /** Those anywhere below. */
  protected def filesBelow(directory: Path): Seq[Path] = {
    val all = Files.walk(directory)
    try all.iterator().asScala.filter(Files.isRegularFile(_)).toList
    finally all.close()
  }

  /** Changes a bit of a file. */
  protected def change(file: File, at: Long): Unit = {
    val access = new RandomAccessFile(file, "rw")
    try {
      access.seek(at)
      val byte = access.read()
      access.seek(at)
      access.write(byte ^ 4)
    } finally access.close()
  }
}

private[hpc] object ShuffleJobs {
  def manager: HpcShuffleManager = SparkEnv.get.shuffleManager.asInstanceOf[HpcShuffleManager]

  // Once for all suites of a process.
  private lazy val expected = withContext("spark.shuffle.manager" -> "sort")(results)

  def withContext[A](settings: (String, String)*)(test: SparkContext => A): A = {
    val conf = new SparkConf()
      .setMaster("local[2]")
      .setAppName(Build.current.version)
      .set("spark.ui.enabled", "false")
      // What a test looks at mustn't go meanwhile.
      .set("spark.cleaner.referenceTracking", "false")
      .setAll(settings)
    val sc = new SparkContext(conf)
    try test(sc)
    finally sc.stop()
  }

  def results(sc: SparkContext): Seq[Any] = {
    val pairs = sc.range(0, 2000, 1, 4).map(n => (n % 50, n))
    val others = sc.range(0, 100, 1, 3).map(n => (n, s"other $n"))
    Seq(
      pairs.groupByKey(3).mapValues(_.toSeq.sorted).collect().toSeq.sortBy(_._1),
      pairs.reduceByKey(_ + _, 5).collect().toSeq.sorted,
      pairs.sortBy(-_._2, numPartitions = 3).collect().toSeq,
      pairs.join(others, 4).collect().toSeq.sorted,
      pairs.repartition(7).map(_._2).sum(),
      // More reducers than buckets are for; few tasks read for all: each task has its cost.
      pairs.map(_._1).distinct(300).coalesce(4).count()
    )
  }
}
