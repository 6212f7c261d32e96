package org.apache.spark.hpc.profile

import java.io.FileInputStream
import java.net.{ServerSocket, Socket}
import java.nio.channels.FileChannel
import java.nio.file.{Files, Path, StandardOpenOption}
import java.util.concurrent.CountDownLatch

import scala.sys.process._

import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

import org.apache.spark.util.Utils

class StackClassifierSuite extends AnyFunSuite with Eventually {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(30.seconds, 20.millis)

  private val classifier = new StackClassifier

  private def stackOf(classes: String*): Array[StackTraceElement] =
    classes.map(new StackTraceElement(_, "method", "File.scala", 1)).toArray

  /** Waits until a thread that runs `work` is seen doing what is expected. */
  private def seenIn(expected: String)(work: => Unit)(end: => Unit): Unit = {
    val thread = new Thread(() => work)
    thread.setDaemon(true)
    thread.start()
    try
      eventually {
        val isRunning = thread.getState == Thread.State.RUNNABLE
        assert(classifier.activity(thread.getStackTrace, isRunning) == expected)
      }
    finally {
      end
      thread.join(10000)
    }
  }

  /** A file that nobody can open or read before another thread opens it to write. */
  private def withPipe(test: Path => Unit): Unit = {
    val directory = Utils.createTempDir().toPath
    val pipe = directory.resolve("pipe")
    assert(Seq("mkfifo", pipe.toString).! == 0)
    test(pipe)
  }

  test("a thread that opens a file") {
    for (
      open <-
        Seq[Path => AutoCloseable](path => new FileInputStream(path.toFile), FileChannel.open(_))
    )
      withPipe { pipe =>
        seenIn(Activity.Open)(open(pipe).close())(Files.newOutputStream(pipe).close())
      }
  }

  test("a thread that reads a file") {
    withPipe { pipe =>
      // Opens at once, since this end is open for both.
      val both = FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)
      val in = new FileInputStream(pipe.toFile)
      seenIn(Activity.Read)(in.read(): Unit)(both.write(java.nio.ByteBuffer.allocate(1)): Unit)
      in.close()
      both.close()
    }
  }

  test("a thread that reads a socket, and one that waits for another thread") {
    val server = new ServerSocket(0)
    val client = new Socket("localhost", server.getLocalPort)
    val accepted = server.accept()
    seenIn(Activity.Network)(client.getInputStream.read(): Unit)(accepted.close())
    client.close()
    server.close()
    val latch = new CountDownLatch(1)
    seenIn(Activity.Wait)(latch.await())(latch.countDown())
  }

  test("a wait has the name of what waits") {
    def waitIn(name: String): String = {
      val park = new StackTraceElement("jdk.internal.misc.Unsafe", "park", "Unsafe.java", -2)
      classifier.activity(
        park +: stackOf("java.util.concurrent.X", name, "user.Program"),
        isRunning = false
      )
    }
    assert(waitIn("org.apache.spark.storage.ShuffleBlockFetcherIterator") == Activity.Network)
    assert(waitIn("org.apache.spark.memory.ExecutionMemoryPool") == Activity.Memory)
    assert(waitIn("org.sparkhpc.tier.DiskThreads$$anonfun$1") == Activity.Disk)
    assert(waitIn("org.apache.spark.api.python.BasePythonRunner$ReaderIterator") == Activity.Python)
    assert(waitIn("user.Program") == Activity.Wait)
  }

  test("the innermost frame of Spark or of the user's program has the purpose") {
    def purpose(classes: String*): String = classifier.purpose(stackOf(classes: _*))
    val cached = Seq("org.apache.spark.storage.memory.MemoryStore", "org.apache.spark.rdd.RDD")
    assert(purpose("java.lang.X" +: cached: _*) == Purpose.Cache)
    // The user's function computes what is cached.
    assert(purpose("scala.X" +: "user.Program" +: "scala.Y" +: cached: _*) == Purpose.Task)
    assert(purpose("org.apache.spark.rdd.RDD" +: cached: _*) == Purpose.Task)
    assert(purpose("java.io.X", "org.apache.spark.rdd.HadoopRDD$$anon$1") == Purpose.Input)
    val writer = "org.apache.spark.shuffle.hpc.write.BucketedWriter"
    assert(purpose("com.esotericsoftware.kryo.Kryo", writer) == Purpose.ShuffleWrite)
    assert(purpose("java.X", "org.apache.spark.util.collection.Spillable", writer) == Purpose.Spill)
    assert(purpose("java.X", "org.apache.spark.executor.Executor") == Purpose.Task)
  }

  test("a serializer counts if it is near the innermost frame") {
    val kryo = "com.esotericsoftware.kryo.io.Output"
    assert(classifier.activity(stackOf("java.X", kryo), isRunning = true) == Activity.Serialize)
    val deep = Seq.fill(20)("user.Program") :+ kryo
    assert(classifier.activity(stackOf(deep: _*), isRunning = true) == Activity.Compute)
  }
}
