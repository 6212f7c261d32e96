package org.apache.spark.sql.hpc.stream

import java.nio.file.{Files, Path}
import java.util.concurrent.atomic.AtomicInteger

import scala.collection.JavaConverters._

import org.apache.commons.io.IOUtils
import org.apache.hadoop.fs.{FileAlreadyExistsException, FileContext, Path => HadoopPath}
import org.apache.spark.hpc.files.HpcLocalFs
import org.apache.spark.sql.execution.streaming.{
  CheckpointFileManager,
  FileContextBasedCheckpointFileManager
}
import org.apache.spark.sql.hpc.SharedFilesSession
import org.scalatest.funsuite.AnyFunSuite

/** Streaming's checkpoints on a shared file system. */
class CheckpointsSuite extends AnyFunSuite with SharedFilesSession {

  private def manager(name: String): CheckpointFileManager =
    CheckpointFileManager.create(
      new HadoopPath(folder.resolve(name).toString),
      spark.sessionState.newHadoopConf()
    )

  private def names(directory: Path): Seq[String] = {
    val listed = Files.list(directory)
    try listed.iterator.asScala.map(_.getFileName.toString).toSeq.sorted
    finally listed.close()
  }

  test("a file is there when its stream is closed, whole, and nothing else is") {
    val its = manager("files")
    val files = FileContext.getFileContext(folder.toUri, spark.sessionState.newHadoopConf())
    assert(its.getClass == classOf[FileContextBasedCheckpointFileManager])
    assert(files.getDefaultFileSystem.getClass == classOf[HpcLocalFs])
    val directory = its.createCheckpointDirectory()
    val file = new HadoopPath(directory, "7")
    def write(
        text: String,
        overwrite: Boolean
    )(end: CheckpointFileManager.CancellableFSDataOutputStream => Unit): Unit = {
      val out = its.createAtomic(file, overwrite)
      out.write(text.getBytes)
      assert(!its.exists(file) || text != "first")
      end(out)
    }
    def read(): String = {
      val in = its.open(file)
      try IOUtils.toString(in, "UTF-8")
      finally in.close()
    }
    write("first", overwrite = false)(_.cancel())
    assert(names(folder.resolve("files")).isEmpty)
    write("first", overwrite = false)(_.close())
    assertThrows[FileAlreadyExistsException](write("second", overwrite = false)(_.close()))
    assert(read() == "first")
    write("third", overwrite = true)(_.close())
    assert(read() == "third" && its.list(directory).exists(_.getPath.getName == "7"))
    // The one that was refused left its own file, as it does in Spark.
    assert(names(folder.resolve("files")).filterNot(_.endsWith(".tmp")) == Seq("7"))
    its.delete(directory)
    its.delete(directory)
    assert(!its.exists(directory))
  }

  test("a checkpoint of stock Spark is read, and its checksum files never become wrong") {
    val path = new HadoopPath(folder.resolve("stock").toString)
    val stock =
      new FileContextBasedCheckpointFileManager(path, new org.apache.hadoop.conf.Configuration)
    val its = manager("stock")
    val directory = stock.createCheckpointDirectory()
    val file = new HadoopPath(directory, "3")
    for (
      (writer, text) <- Seq(stock -> "stock's", its -> "another, longer text", stock -> "short")
    ) {
      val out = writer.createAtomic(file, overwriteIfPossible = true)
      out.write(text.getBytes)
      out.close()
      for (reader <- Seq(stock, its)) {
        val in = reader.open(file)
        try assert(IOUtils.toString(in, "UTF-8") == text)
        finally in.close()
      }
    }
  }

  test("a file that is replaced is never missing") {
    val its = manager("replaced")
    val name = new HadoopPath(its.createCheckpointDirectory(), "1")
    def replace(): Unit = its.createAtomic(name, overwriteIfPossible = true).close()
    replace()
    val file = folder.resolve("replaced/1").toFile
    @volatile var isOver = false
    val missed = new AtomicInteger
    val watcher = new Thread(() => while (!isOver) if (!file.exists) missed.incrementAndGet(): Unit)
    watcher.start()
    try for (_ <- 1 to 100) replace()
    finally {
      isOver = true
      watcher.join()
    }
    assert(missed.get == 0)
  }

  test("a query goes on where it ended, with its state") {
    val input = Files.createDirectory(folder.resolve("input"))
    def ran(): Long = {
      val counts = spark.readStream.textFile(input.toString).groupBy("value").count()
      val query = counts.writeStream.outputMode("complete").format("memory").queryName("counts")
        .option("checkpointLocation", folder.resolve("query").toString)
        .trigger(org.apache.spark.sql.streaming.Trigger.AvailableNow()).start()
      query.awaitTermination()
      spark.table("counts").where("value = 'a'").first().getLong(1)
    }
    for (times <- 1 to 3) {
      Files.write(input.resolve(times.toString), "a\nb\na\n".getBytes): Unit
      assert(ran() == 2 * times)
    }
    assert(names(folder.resolve("query/commits")) == Seq("0", "1", "2"))
    assert(names(folder.resolve("query/state/0/0")).forall(_.matches("_metadata|[123]\\.delta")))
  }
}
