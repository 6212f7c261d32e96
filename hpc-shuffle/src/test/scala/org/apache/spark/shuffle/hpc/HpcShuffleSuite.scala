package org.apache.spark.shuffle.hpc

import java.io.{File, IOException, RandomAccessFile}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.nio.file.attribute.PosixFilePermissions
import java.util.concurrent.atomic.AtomicInteger

import scala.collection.JavaConverters._
import scala.concurrent.Await
import scala.concurrent.duration.{Duration, MINUTES}
import scala.sys.process._
import scala.util.Try

import org.apache.commons.io.FileUtils
import org.apache.spark.{MapOutputTrackerMaster, SparkContext, SparkEnv}
import org.apache.spark.scheduler.{SparkListener, SparkListenerStageSubmitted}
import org.apache.spark.shuffle.hpc.place.{OutputDirectory, OutputPlace, OwnedOutputs}
import org.apache.spark.shuffle.hpc.write.ContainerFileWriter
import org.apache.spark.storage.ShuffleBlockBatchId
import org.apache.spark.storage.hpc.disk.HpcDiskStore
import org.scalatest.concurrent.Eventually._
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._
import org.sparkhpc.tier.{FileSystemKind, ScratchDirectory}

/** Real jobs whose map outputs are in the directory that stands for the shared file system. */
class HpcShuffleSuite extends AnyFunSuite with ShuffleJobs {

  import ShuffleJobs.manager

  private def global: Seq[(String, String)] = Seq(
    "spark.hpc.shuffle.placement" -> "global",
    "spark.hpc.shuffle.directory" -> shared.resolve("spark").toString
  )

  /** What is below the shared directory. */
  private def files: Seq[Path] = {
    val all = Files.walk(shared)
    try all.iterator().asScala.toList
    finally all.close()
  }

  private def containers: Seq[Path] = files.filter(_.toString.endsWith(".container"))

  for ((what, settings) <- ways; route <- Seq("direct", "network"))
    test(s"results are Spark's, with $what, by the route $route") {
      withContext(global ++ settings :+ ("spark.hpc.shuffle.route" -> route): _*) { sc =>
        assert(results(sc) == expected)
        assert(locations.forall(_.startsWith("hpc:driver:")))
        assert(containers.size == locations.distinct.size)
      }
      assert(Files.list(shared.resolve("spark")).count() == 0)
    }

  test("a task that reads a shuffle waits for no node, beside tasks that are near cached blocks") {
    withContext(global :+ ("spark.locality.wait" -> "1h"): _*) { sc =>
      val cached = sc.range(0, 10, 1, 2).cache()
      assert(cached.count() == 10)
      val shuffled = sc.range(0, 100, 1, 4).map(n => (n % 10, n)).groupByKey(2).keys
      val both = cached.union(shuffled).collectAsync()
      assert(Await.result(both, Duration(1, MINUTES)).sorted == (0L until 10).flatMap(n =>
        Seq(n, n)
      ))
    }
  }

  private def cut(file: File, length: Long): Unit = {
    val access = new RandomAccessFile(file, "rw")
    try access.setLength(length)
    finally access.close()
  }

  private val damages = Seq[(String, File => Unit)](
    "deleted" -> (_.delete()),
    "cut short" -> (file => cut(file, file.length - 1)),
    "emptied" -> (cut(_, 0)),
    "changed in a block" -> (file => change(file, file.length - 7)),
    "changed in a record" -> (change(_, 40)),
    "changed in its header" -> (change(_, 12)),
    "without its directory" -> (file => FileUtils.deleteDirectory(file.getParentFile))
  )

  for ((how, damage) <- damages)
    test(s"a container that is $how is written again, and the result is right") {
      val tasks = new AtomicInteger
      withContext(global: _*) { sc =>
        sc.addSparkListener(counting(tasks))
        val grouped = sc.range(0, 2000, 1, 4).map(n => (n % 50, n)).groupByKey(3)
        def sums: Seq[(Long, Long)] = grouped.mapValues(_.sum).collect().toSeq.sorted
        val before = sums
        // Another shuffle, which mustn't be touched.
        val other = sc.range(0, 2000, 1, 4).map(n => (n % 50, n)).groupByKey(3)
        assert(other.count() == 50)
        // As for a process that hasn't read it yet.
        manager.files.forget(0)
        damage(containers.find(_.getParent.endsWith("shuffle-0")).get.toFile)
        assert(sums == before)
        assert(other.count() == 50)
      }
      assert(tasks.get == 3 * 4)
    }

  test("blocks that stand near each other are read at once, from a file that is opened once") {
    withContext(global: _*) { sc =>
      val maps = 40
      val grouped = sc.range(0, 2000, 1, maps).map(n => (n % 50, n)).groupByKey(3)
      assert(grouped.count() == 50)
      assert(manager.counts.directBlocks.getCount == 3 * maps)
      assert(manager.counts.directReads.getCount == 3)
      assert(
        SparkEnv.get.blockManager.diskStore.asInstanceOf[HpcDiskStore].pool.get.counts.opens == 1
      )
    }
  }

  test("what is in containers is in Spark's metrics") {
    withContext(global: _*) { sc =>
      assert(sc.range(0, 2000, 1, 4).map(n => (n % 50, n)).groupByKey(3).count() == 50)
      val Seq(source) = SparkEnv.get.metricsSystem.getSourcesByName("hpc")
      val gauges = source.metricRegistry.getGauges.asScala
      def value(name: String): Long = gauges(s"shuffle.$name").getValue.asInstanceOf[Long]
      assert(value("containers") == 1 && value("indexes.bytes") > 0)
      assert(source.metricRegistry.getCounters.get("shuffle.outputs.global").getCount == 4)
      val Seq(container) = containers
      val data = Files.size(container) - (16 << 20)
      assert(value("containers.live.bytes") == data && value("containers.dead.bytes") == 0)
    }
  }

  test("a container stays open from one map task to the next") {
    withContext(global :+ ("spark.master" -> "local[1]"): _*) { sc =>
      val openFiles = sc.range(0, 6, 1, 6).mapPartitionsWithIndex { (task, _) =>
        val links = new File("/proc/self/fd").listFiles
        val files = links.flatMap(link => Try(link.getCanonicalPath).toOption)
        Iterator((task, files.count(_.endsWith(".container"))))
      }
      val found = openFiles.groupByKey(2).mapValues(_.head).collect().sorted.map(_._2).toSeq
      assert(found == Seq(0, 1, 1, 1, 1, 1))
    }
  }

  private val kryo = "spark.serializer" -> "org.apache.spark.serializer.KryoSerializer"

  test("what was sorted in one run is written once; what was spilled before isn't lost") {
    withContext(global :+ kryo: _*) { sc =>
      assert(results(sc) == expected)
      assert(manager.counts.copiedOutputs.getCount == 0)
    }
    val spilling = "spark.shuffle.spill.numElementsForceSpillThreshold" -> "100"
    withContext(global :+ kryo :+ spilling: _*)(sc => assert(results(sc) == expected))
  }

  test("an output that is all in one spill is copied to a container") {
    val spill = Files.write(shared.resolve("spill"), "abcde".getBytes).toString
    withContext(global: _*) { sc =>
      sc.range(0, 1, 1, 1).foreach(_ => HpcShuffleSuite.copy(spill, mapTaskId = 5))
      val parts = for ((start, end) <- Seq((0, 1), (2, 3), (0, 3))) yield {
        val block = ShuffleBlockBatchId(77, 5, start, end)
        UTF_8.decode(manager.shuffleBlockResolver.getBlockData(block).nioByteBuffer()).toString
      }
      assert(parts == Seq("abc", "de", "abcde"))
      assert(manager.counts.copiedOutputs.getCount == 1)
    }
  }

  /** Has each map output at a place of its own, as if as many executors had written them. */
  private def scatter(sc: SparkContext): Unit = {
    val tracker = sc.env.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
    val Seq(container) = containers
    for ((_, status) <- tracker.shuffleStatuses) status.withMapStatuses {
      _.zipWithIndex.foreach { case (output, i) =>
        val place = OutputPlace.of(output.location).get.copy(executor = s"lost-$i")
        Files.copy(
          container,
          container.resolveSibling(container.getFileName.toString.replace("driver", place.executor))
        )
        output.updateLocation(place.marker)
      }
    }
    Files.delete(container)
  }

  test("places that are lost all at once cost one more attempt") {
    val attempts, tasks = new AtomicInteger
    val maps = 16
    withContext(global: _*) { sc =>
      sc.addSparkListener(new SparkListener {
        // One without tasks is there when a failure came late.
        override def onStageSubmitted(event: SparkListenerStageSubmitted): Unit =
          if (event.stageInfo.numTasks > 0)
            attempts.accumulateAndGet(event.stageInfo.attemptNumber, math.max(_, _)): Unit
      })
      sc.addSparkListener(counting(tasks))
      val grouped = sc.range(0, 2000, 1, maps).map(n => (n % 50, n)).groupByKey(3)
      def sums: Seq[(Long, Long)] = grouped.mapValues(_.sum).collect().toSeq.sorted
      val before = sums
      scatter(sc)
      assert(locations.distinct.size == maps)
      assert(sums == before)
      manager.files.forget(0)
      containers.foreach(Files.delete)
      assert(sums == before)
      assert(locations.forall(_.startsWith("hpc:driver:")))
    }
    assert(attempts.get == 1)
    assert(tasks.get == 2 * maps)
  }

  test("a shuffle's files go when nobody can ask for it any more") {
    withContext(global: _*) { sc =>
      def shuffled(): Unit = assert(sc.range(0, 100, 1, 2).map((_, 1)).groupByKey(2).count() == 100)
      shuffled()
      assert(containers.nonEmpty)
      cleanUp(sc)
      assert(containers.isEmpty)
      shuffled()
    }
  }

  test("a task that is still being killed leaves nothing behind") {
    val path = Files.createDirectory(shared.resolve("application"))
    val directory = new OutputDirectory(path)
    directory.make(3)
    directory.remove(3)
    intercept[IOException](Files.createFile(directory.container(3, "7", "late")))
    directory.remove()
    intercept[IOException](directory.make(4))
    assert(files.toSet == Set(shared))
  }

  test("threads of ours end with their context") {
    def ours: Iterable[String] =
      Thread.getAllStackTraces.keySet.asScala.map(_.getName).filter(_.startsWith("spark-hpc-"))
    withContext(global: _*) { sc =>
      results(sc)
      assert(ours.nonEmpty)
    }
    eventually(timeout(30.seconds))(assert(ours.isEmpty))
  }

  /** What a killed driver leaves: a file `owner` that nobody locks any longer. */
  private def abandon(root: Path): Path = {
    val path = Files.createDirectories(root.resolve(ScratchDirectory.newName("7")))
    Files.createFile(path.resolve("owner"))
    Files.createFile(Files.createDirectory(path.resolve("shuffle-0")).resolve("0-0.container"))
    path
  }

  test("what a killed driver left goes with the next application's start, a live one's stays") {
    val root = shared.resolve("spark")
    val dead = abandon(root)
    withContext(global: _*) { sc =>
      assert(!Files.exists(dead))
      val Seq(own) = Files.list(root).iterator().asScala.toSeq
      val another = OwnedOutputs.create(root.resolve(ScratchDirectory.newName("8")), "")(_ => ())
      try assert(another.sweep(FileSystemKind.Local).isEmpty)
      finally another.remove()
      assert(sc.range(0, 100, 1, 2).map((_, 1)).groupByKey(2).count() == 100)
      assert(Files.exists(own))
      // As another process sees it.
      val lock =
        "import fcntl, sys\nfcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
      val command = Seq("python3", "-c", lock, own.resolve("owner").toString)
      assert(command.!(ProcessLogger(_ => ())) != 0)
    }
  }

  test("nobody else may read them") {
    withContext(global: _*) { sc =>
      assert(sc.range(0, 100, 1, 2).map((_, 1)).groupByKey(2).count() == 100)
      val own = Files.list(shared.resolve("spark")).iterator().asScala.toSeq
      assert(own.map(Files.getPosixFilePermissions(_).size) == Seq(3))
    }
  }

  test("a directory that everybody can put another in the place of is refused, before any job") {
    val open = Files.createDirectory(shared.resolve("open"))
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"))
    val key = "spark.hpc.shuffle.directory"
    val message = refusal(global :+ (key -> open.resolve("mine").toString): _*)
    assert(message.startsWith(s"$key=$open/mine is no directory where") && message.contains(
      s"$open (mode 777, owner "
    ))
    assert(message.contains("chmod o-w or chmod +t it"))
    assert(files.forall(Files.isDirectory(_)))
    // As an executor sees it, on whose node the path may lead another way.
    val outputs = Files.createDirectory(open.resolve("application"))
    OutputDirectory.tokenIn(outputs, "words").write()
    val there = intercept[IllegalStateException](OutputDirectory.open(outputs, "words")).getMessage
    assert(there.startsWith(s"$key: on this node everybody can replace what is in"))
  }

  private def refusal(settings: (String, String)*): String =
    intercept[Exception](withContext(settings: _*)(_ => ())).getMessage

  test("what can't be is refused with the key, the value and the remedy") {
    assert(refusal("spark.hpc.shuffle.placement" -> "global").startsWith(
      "spark.hpc.shuffle.directory isn't set, and spark.hpc.shuffle.placement=global needs it"
    ))
    assert(refusal("spark.hpc.shuffle.placement" -> "everywhere").contains(
      "write fastest or global"
    ))
    assert(refusal(global :+ ("spark.shuffle.manager" -> "sort"): _*).startsWith(
      "spark.hpc.shuffle.placement=global needs the shuffle manager "
    ))
    val old = "spark.shuffle.useOldFetchProtocol"
    assert(refusal(global :+ (old -> "true"): _*).startsWith(s"$old is true, which"))
    val push = "spark.shuffle.push.enabled"
    assert(refusal(global :+ (push -> "true"): _*).startsWith(s"$push is true, which"))
    val plugin = "spark.shuffle.sort.io.plugin.class"
    assert(
      refusal(global :+ (plugin -> "example.Other"): _*).startsWith(s"$plugin is example.Other")
    )
    val directory = "spark.hpc.shuffle.directory"
    for (wrong <- Seq("here", s"$shared?stripe=4", s"$shared?stripes=0"))
      assert(
        refusal(global :+ (directory -> wrong): _*)
          .startsWith(s"$directory is '$wrong': write an absolute path, such as /"),
        wrong
      )
    val file = Files.createFile(shared.resolve("file"))
    val nowhere = global :+ ("spark.hpc.shuffle.directory" -> file.resolve("spark").toString)
    assert(
      refusal(nowhere: _*).startsWith(s"spark.hpc.shuffle.directory=$file/spark is no directory")
    )
  }
}

private object HpcShuffleSuite {

  /** Publishes what a file holds as an output of three partitions, as a task that calls this. */
  def copy(file: String, mapTaskId: Long): Unit =
    new ContainerFileWriter(ShuffleJobs.manager.own, 77, mapTaskId, ShuffleJobs.manager.counts)
      .transferMapSpillFile(new File(file), Array(3, 0, 2), Array.emptyLongArray)
}
