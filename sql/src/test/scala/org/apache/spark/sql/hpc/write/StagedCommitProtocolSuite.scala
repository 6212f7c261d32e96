package org.apache.spark.sql.hpc.write

import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

import org.apache.hadoop.fs.{Path => HadoopPath}
import org.apache.hadoop.mapreduce.{Job, TaskAttemptID, TaskType}
import org.apache.hadoop.mapreduce.lib.output.{FileOutputFormat, TextOutputFormat}
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl
import org.apache.spark.{SparkException, TaskContext}
import org.apache.spark.internal.io.{FileCommitProtocol, FileNameSpec}
import org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol
import org.apache.spark.sql.hpc.SharedFilesSession
import org.apache.spark.sql.internal.SQLConf.FILE_COMMIT_PROTOCOL_CLASS
import org.apache.spark.util.Utils
import org.scalatest.funsuite.AnyFunSuite

class StagedCommitProtocolSuite extends AnyFunSuite with SharedFilesSession {
  import StagedCommitProtocolSuite._

  private def table(name: String): Path = folder.resolve(name)

  /** The protocol that a write of SQL gets from Spark. */
  private def protocol(path: String): FileCommitProtocol =
    FileCommitProtocol.instantiate(spark.sessionState.conf.fileCommitProtocolClass, "job", path)

  test("each format and partition has its files, and nothing else is left") {
    val rows =
      spark.range(0, 100, 1, 4).selectExpr("id", "id % 3 AS k", "concat('row ', id) AS text")
    for (format <- Seq("parquet", "orc", "csv", "json"); partitions <- Seq(Nil, Seq("k"))) {
      val path = table(s"$format-${partitions.size}")
      for (times <- 1 to 2) {
        rows.write.format(format).option("compression", if (format == "orc") "zlib" else "gzip")
          .partitionBy(partitions: _*).mode("append").save(path.toString)
        val names = below(path).map(_.getFileName.toString)
        assert(names.count(_.startsWith("part-")) == times * 4 * (if (partitions.isEmpty) 1 else 3))
        assert(names.filterNot(_.startsWith("part-")).distinct == Seq("_SUCCESS"))
        val read = spark.read.schema(rows.schema).format(format).load(path.toString)
        assert(read.count() == times * 100 && read.selectExpr("sum(id)").first().getLong(
          0
        ) == times * 4950)
      }
    }
    assert(protocol("/path").getClass == classOf[StagedCommitProtocol])
  }

  test("nothing is visible before the commit; an attempt that failed adds nothing") {
    val path = table("attempts")
    val text = path.toString
    val seen, staged = spark.sparkContext.longAccumulator
    val rows = spark.range(0, 1000, 1, 4).map { number =>
      seen.add(visible(Paths.get(text)).toLong)
      if (number % 250 == 239)
        staged.add(below(Paths.get(text)).count(_.toString.contains(".spark-staging-")).toLong)
      // After the rows before were written.
      if (number % 250 == 240 && TaskContext.get.attemptNumber < 2)
        throw new IllegalStateException("once more")
      number.longValue
    }(org.apache.spark.sql.Encoders.scalaLong)
    rows.write.option("parquet.block.size", "100").parquet(text)
    assert(seen.value == 0 && staged.value > 0)
    assert(spark.read.parquet(text).selectExpr("count(DISTINCT value)", "count(value)").first()
      .toSeq == Seq(1000, 1000))
    assert(below(path).size == 5)
  }

  test("of two attempts that both end well, the one whose message comes is visible") {
    val path = table("two")
    val job = Job.getInstance(spark.sessionState.newHadoopConf())
    job.setOutputFormatClass(classOf[TextOutputFormat[Void, String]])
    FileOutputFormat.setOutputPath(job, new HadoopPath(path.toString))
    val ours = protocol(path.toString)
    ours.setupJob(job)
    val messages = for (attempt <- 0 to 1) yield {
      val id = new TaskAttemptID("job", 0, TaskType.MAP, 7, attempt)
      val context = new TaskAttemptContextImpl(job.getConfiguration, id)
      val its = protocol(path.toString)
      its.setupTask(context)
      val file = new HadoopPath(its.newTaskTempFile(context, Some("k=1"), FileNameSpec("", ".txt")))
      val out = file.getFileSystem(job.getConfiguration).create(file, false)
      out.writeBytes(s"attempt $attempt")
      out.close()
      assert(visible(path) == 0)
      its.commitTask(context)
    }
    ours.commitJob(job, messages.tail)
    val names = below(path).map(path.relativize(_).toString).sorted
    assert(names == Seq("_SUCCESS", "k=1/part-00007-job.txt"))
    assert(new String(Files.readAllBytes(path.resolve(names(1)))) == "attempt 1")
  }

  test("a job that fails leaves what was there, and nothing of its own") {
    val path = table("failed")
    spark.range(10).write.parquet(path.toString)
    val before = below(path).toSet
    val rows = spark.range(0, 1000, 1, 4).map { number =>
      if (number == 900) throw new IllegalStateException("always")
      number.longValue
    }(org.apache.spark.sql.Encoders.scalaLong)
    assertThrows[SparkException](rows.toDF("id").write.mode("append").parquet(path.toString))
    val left = below(path).toSet.filterNot(_.getFileName.toString == "_SUCCESS")
    assert(left == before.filterNot(_.getFileName.toString == "_SUCCESS"))
    assert(Files.list(path).iterator.asScala.forall(its => Files.isRegularFile(its)))
    assert(spark.read.parquet(path.toString).count() == 10)
  }

  test("partitions that are overwritten dynamically, and other committers, are Spark's") {
    val path = table("dynamic").toString
    val rows = spark.range(0, 30, 1, 2).selectExpr("id", "id % 3 AS k")
    rows.write.partitionBy("k").parquet(path)
    rows.where("k = 1").selectExpr("id + 100 AS id", "k").write.partitionBy("k").mode("overwrite")
      .option("partitionOverwriteMode", "dynamic").parquet(path)
    assert(spark.read.parquet(path).selectExpr("sum(id)").first().getLong(0) == 435 + 1000)
    val another = classOf[UsersCommitProtocol].getName
    spark.conf.set(FILE_COMMIT_PROTOCOL_CLASS.key, another)
    try assert(protocol("/path").getClass.getName == another)
    finally spark.conf.unset(FILE_COMMIT_PROTOCOL_CLASS.key)
  }
}

object StagedCommitProtocolSuite {

  /** All files below, hidden ones, too; without those that another task removes meanwhile. */
  private def below(path: Path): Seq[Path] =
    Utils.recursiveList(path.toFile).filter(_.isFile).map(_.toPath)

  /** How many files a reader of the table would see. */
  private def visible(path: Path): Int = below(path).count { file =>
    path.relativize(file).iterator.asScala.forall(name => !"._".contains(name.toString.head))
  }
}

class UsersCommitProtocol(jobId: String, path: String, isDynamic: Boolean)
    extends SQLHadoopMapReduceCommitProtocol(jobId, path, isDynamic)
