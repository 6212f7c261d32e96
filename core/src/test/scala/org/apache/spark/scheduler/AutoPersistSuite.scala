package org.apache.spark.scheduler

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import org.apache.hadoop.io.{IntWritable, Text}
import org.apache.hadoop.mapred.SequenceFileOutputFormat
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.hpc.Build
import org.apache.spark.rdd.DeterministicLevel.INDETERMINATE
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.StorageLevel
import org.apache.spark.storage.StorageLevel.{MEMORY_AND_DISK, MEMORY_ONLY, NONE}
import org.apache.spark.util.Utils

class AutoPersistSuite extends AnyFunSuite {

  private def withContext[A](autoPersist: String)(test: SparkContext => A): A = {
    val conf = new SparkConf()
      .setMaster("local[2]")
      .setAppName(Build.current.version)
      .set("spark.ui.enabled", "false")
      .set("spark.hpc.retention.autoPersist", autoPersist)
    val sc = new SparkContext(conf)
    try test(sc)
    finally sc.stop()
  }

  private def withLines[A](test: Path => A): A = {
    val dir = Files.createTempDirectory("auto-persist")
    try {
      Files.write(dir.resolve("lines"), (0 until 1000).map(_.toString).asJava)
      test(dir)
    } finally Utils.deleteRecursively(dir.toFile)
  }

  /** Jobs on an RDD, with what they did known to all listeners. */
  private def jobs(sc: SparkContext, rdd: RDD[_], count: Int): Unit = (1 to count).foreach { _ =>
    rdd.count()
    sc.listenerBus.waitUntilEmpty()
  }

  private def level(rdd: RDD[_]): StorageLevel = rdd.getStorageLevel

  test("a file that jobs read again is kept at the third time, behind all that they share") {
    withLines { dir =>
      withContext("auto") { sc =>
        val lines = sc.textFile(dir.toString)
        val numbers = lines.map(_.toInt)
        for (job <- 1 to 3) {
          assert(level(numbers) == NONE)
          assert(numbers.map(_ + job).sum() == 499500 + 1000 * job)
          sc.listenerBus.waitUntilEmpty()
        }
        assert(level(numbers) == MEMORY_ONLY && level(lines) == NONE)
        // The file isn't read any more.
        Files.write(dir.resolve("lines"), Seq("5").asJava)
        assert(numbers.map(_.toLong).sum() == 499500)
      }
    }
  }

  test("a shuffle that jobs read again is read no more") {
    withContext("auto") { sc =>
      var bytes = 0L
      sc.addSparkListener(new SparkListener {
        override def onStageCompleted(event: SparkListenerStageCompleted): Unit =
          bytes += event.stageInfo.taskMetrics.shuffleReadMetrics.totalBytesRead
      })
      val sums = sc.range(0, 1000, 1, 4).map(n => (n % 10, n)).reduceByKey(_ + _)
      jobs(sc, sums, 3)
      assert(level(sums) == MEMORY_ONLY)
      val before = bytes
      assert(before > 0)
      assert(sums.values.sum() == 499500)
      sc.listenerBus.waitUntilEmpty()
      assert(bytes == before)
    }
  }

  test("what jobs use no more is released") {
    withLines { dir =>
      withContext("auto") { sc =>
        val lines = sc.textFile(dir.toString)
        jobs(sc, lines, 3)
        assert(level(lines) == MEMORY_ONLY)
        jobs(sc, sc.parallelize(1 to 3), 10)
        assert(level(lines) == MEMORY_ONLY)
        jobs(sc, sc.parallelize(1 to 3), 1)
        assert(level(lines) == NONE && sc.getPersistentRDDs.isEmpty)
        assert(lines.count() == 1000)
      }
    }
  }

  test("the user's own levels hold, before and after") {
    withLines { dir =>
      withContext("auto") { sc =>
        val lines = sc.textFile(dir.toString)
        jobs(sc, lines, 3)
        assert(lines.persist(MEMORY_AND_DISK).getStorageLevel == MEMORY_AND_DISK)
        jobs(sc, lines, 1)
        jobs(sc, sc.parallelize(1 to 3), 12)
        assert(level(lines) == MEMORY_AND_DISK)
        intercept[UnsupportedOperationException](lines.persist(MEMORY_ONLY))

        lines.unpersist(blocking = true)
        jobs(sc, lines, 2)
        assert(level(lines) == NONE)

        val other = sc.textFile(dir.toString)
        jobs(sc, other, 3)
        other.localCheckpoint()
        jobs(sc, other, 1)
        jobs(sc, sc.parallelize(1 to 3), 12)
        assert(other.count() == 1000)
      }
    }
  }

  test("elements that are one object with other content each time are never kept") {
    withLines { dir =>
      withContext("auto") { sc =>
        val file = dir.resolve("pairs").toString
        sc.parallelize(1 to 100, 1)
          .map(n => (new IntWritable(n), new Text(n.toString)))
          .saveAsHadoopFile[SequenceFileOutputFormat[IntWritable, Text]](file)
        val pairs = sc.sequenceFile(file, classOf[IntWritable], classOf[Text]).filter(_ => true)
        jobs(sc, pairs, 5)
        assert(level(pairs) == NONE)
        assert(pairs.map(_._1.get).sum() == 5050)
      }
    }
  }

  test("what isn't the same each time is never kept") {
    withLines { dir =>
      withContext("auto") { sc =>
        val lines = sc.textFile(dir.toString).map(line => (line, 1))
        val some = lines.reduceByKey(_ + _).repartition(2)
        assert(some.outputDeterministicLevel == INDETERMINATE)
        jobs(sc, some, 5)
        assert(level(some) == NONE)
      }
    }
  }

  test("with never, nothing is kept that the user didn't ask for") {
    withLines { dir =>
      withContext("never") { sc =>
        val lines = sc.textFile(dir.toString)
        jobs(sc, lines, 5)
        assert(level(lines) == NONE)
        assert(lines.persist(MEMORY_AND_DISK).getStorageLevel == MEMORY_AND_DISK)
      }
    }
  }
}
