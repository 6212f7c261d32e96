package org.apache.spark.storage.hpc.scratch

import org.apache.spark.{LastWords, SparkException}
import org.apache.spark.scheduler._
import org.scalatest.funsuite.AnyFunSuite

class ScratchFailuresSuite extends AnyFunSuite {

  private def failure(cause: String, frames: String*): String =
    s"""Job aborted due to stage failure: Task 0 in stage 0.0 failed 4 times, most recent failure: Lost task 0.3 in stage 0.0 (TID 6) (n17 executor 3): $cause
       |${frames.map(frame => s"\tat $frame(Some.scala:1)").mkString("\n")}
       |
       |Driver stacktrace:""".stripMargin

  private def said(text: String, isGlobal: Boolean = false) = ScratchFailures.in(text, isGlobal)

  private val noSpace = "java.io.IOException: No space left on device"
  private val write =
    Seq("java.io.FileOutputStream.writeBytes", "net.jpountz.lz4.LZ4BlockOutputStream.flush")

  test("a full file system: what refused, where, and what to do") {
    val found = said(failure(
      noSpace,
      write :+ "org.apache.spark.storage.TimeTrackingOutputStream.write": _*
    )).get
    assert(
      found.startsWith(
        "spark.local.dir refused a write: No space left on device (executor 3 on n17). Name a directory"
      )
    )
    assert(!found.contains("\n"))
    val open =
      "java.io.FileNotFoundException: /local/blockmgr-1/0a/temp_shuffle_7 (Read-only file system)"
    val opened =
      said(failure(open, "org.apache.spark.storage.DiskBlockObjectWriter.initialize")).get
    assert(opened.contains("/local/blockmgr-1/0a/temp_shuffle_7 (Read-only file system)"), opened)
  }

  test("a container is in the shared directory, or in a tier") {
    val text = failure(noSpace, write :+ "org.sparkhpc.container.OutputWriter.write": _*)
    assert(said(text, isGlobal = true).exists(
      _.startsWith("spark.hpc.shuffle.directory refused a write: ")
    ))
    assert(said(text).exists(_.startsWith("spark.local.dir refused")))
  }

  test("when no tier takes it, the tiers' own line is said") {
    val line =
      "No scratch tier takes 512 bytes of temp_1. memory /dev/shm/a: full. Give spark.hpc.scratch.tiers more room"
    val text = failure(
      s"org.sparkhpc.tier.NoRoom: $line",
      "org.sparkhpc.tier.TierStream.write"
    )
    assert(said(text).contains(s"$line (executor 3 on n17)"))
  }

  test("a program's own files are none of ours, nor is any other failure") {
    assert(said(failure(
      noSpace,
      "org.apache.hadoop.fs.RawLocalFileSystem.write",
      "org.apache.spark.storage.DiskStore.put"
    )).isEmpty)
    assert(said(failure(
      noSpace,
      "example.Mine.save",
      "org.apache.spark.storage.memory.MemoryStore.putIterator"
    )).isEmpty)
    assert(said(failure(
      "java.lang.ArithmeticException: / by zero",
      "org.apache.spark.storage.DiskStore.put"
    )).isEmpty)
    assert(said(null).isEmpty)
  }

  test("it is the last word only if it was the last job") {
    LastWords.forget()
    val listener = new ScratchFailures(isGlobal = false)
    def end(result: JobResult): Option[String] = {
      listener.onJobEnd(SparkListenerJobEnd(1, 0L, result))
      LastWords.now
    }
    val text = failure(noSpace, "org.apache.spark.storage.DiskStore.put")
    assert(end(JobFailed(new SparkException(text))) == said(text))
    assert(end(JobSucceeded).isEmpty)
  }

  test("an executor that found no directory to write to is named") {
    val reason = "Command exited with code 53"
    new ScratchFailures(isGlobal = false).onExecutorRemoved(SparkListenerExecutorRemoved(
      0L,
      "7",
      reason
    ))
    assert(LastWords.now.exists(
      _.startsWith("executor 7 could write to no directory of spark.local.dir")
    ))
    LastWords.forget()
  }
}
