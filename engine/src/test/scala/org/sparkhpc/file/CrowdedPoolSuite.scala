package org.sparkhpc.file

import java.nio.channels.{ClosedByInterruptException, FileChannel}
import java.nio.file.{FileSystemException, Files, Paths, StandardOpenOption}
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean

import scala.util.Random

import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

/** Many threads on a pool that has room for few of their files. */
class CrowdedPoolSuite extends AnyFunSuite with NumberedFiles with Eventually {
  private val Minute = TimeUnit.MINUTES.toNanos(1)

  private def threads[A](count: Int)(body: Int => A): Seq[InThread[A]] =
    (0 until count).map(index => new InThread(s"reader $index")(body(index)))

  for (order <- IdleOrder.all) test(s"200 threads read from a pool of 16, ${order.name}") {
    inFolder { folder =>
      (0 until 210).foreach(write(folder, _))
      val opened = new CountedFiles()
      val pool = new FilePool(16, order, Minute, open = opened.open)
      // Ten files are everybody's, one is each thread's own, and now and then one is replaced.
      val readers = threads(200) { index =>
        val random = new Random(index)
        (1 to 100).forall { step =>
          val number = if (random.nextBoolean()) random.nextInt(10) else 10 + index
          if (step % 20 == 0) pool.forget(folder.resolve(number.toString).toString)
          assert(pool.counts.openNow <= 16)
          isRight(pool, folder, number, random.nextInt(NumberedFiles.Size))
        }
      }
      assert(readers.forall(_.result()))
      assert(opened.most == 16 && openBelow(folder).size == pool.counts.openNow)
      pool.close()
      assert(openBelow(folder).isEmpty && pool.counts.openNow == 0 && pool.counts.evictions > 0)
    }
  }

  test("readers of a file never notice that others are interrupted in their reads of it") {
    inFolder { folder =>
      write(folder, 0)
      val pool = new FilePool(1, IdleOrder.Lifo, Minute)
      val isOver = new AtomicBoolean
      val readers = threads(4) { index =>
        val random = new Random(index)
        var right = true
        while (!isOver.get) right &= isRight(pool, folder, 0, random.nextInt(NumberedFiles.Size))
        right
      }
      // Each is interrupted in its reads until one of these has closed the file.
      val victims = threads(2) { _ =>
        var interrupts = 0
        while (!isOver.get)
          try
            if (!isRight(pool, folder, 0)) fail("wrong bytes")
          catch {
            case _: ClosedByInterruptException =>
              interrupts += 1
              Thread.interrupted(): Unit
          }
        interrupts
      }
      try
        eventually(timeout(Span(60, Seconds)), interval(Span(0, Seconds))) {
          victims.foreach(_.interrupt())
          assert(pool.counts.opens > 10)
        }
      finally isOver.set(true)
      assert(readers.forall(_.result()))
      assert(victims.map(_.result()).sum >= 10)
      assert(pool.counts.openNow == openBelow(folder).size)
      pool.close()
    }
  }

  test("where the process has no descriptors left, the pool makes do with those it has") {
    inFolder { folder =>
      (0 until 20).foreach(write(folder, _))
      val pool = new FilePool(100, IdleOrder.Lifo, Minute, open = new CountedFiles(3).open)
      val readers = threads(20)(index => (1 to 20).forall(_ => isRight(pool, folder, index)))
      assert(readers.forall(_.result()))
      assert(pool.counts.bound <= 3 && pool.counts.openNow <= pool.counts.bound)
      pool.close()
    }
  }

  test("where it has none for the pool at all, that is one error with its remedy") {
    inFolder { folder =>
      write(folder, 0)
      val pool = new FilePool(100, IdleOrder.Lifo, Minute, open = new CountedFiles(0).open)
      val message = intercept[java.io.IOException](isRight(pool, folder, 0)).getMessage
      assert(message.startsWith(s"$folder/0 can't be opened: the process has too many other files"))
      assert(message.endsWith("Raise the limit (ulimit -n)"))
      assert(pool.counts.openNow == 0)
    }
  }

  test("500 files are read rightly by 50 threads of a process that may have 64 open") {
    inFolder { folder =>
      (0 until 500).foreach(write(folder, _))
      val java = Paths.get(sys.props("java.home"), "bin", "java").toString
      // No more jars than it needs: each is an open file, too.
      val classPath = Seq(ShortOfDescriptors.getClass, classOf[FilePool], classOf[Option[_]])
        .map(_.getProtectionDomain.getCodeSource.getLocation.getPath).mkString(":")
      val command = Seq("bash", "-c", "ulimit -n 64; exec \"$@\"", "-", java, "-cp", classPath) :+
        ShortOfDescriptors.getClass.getName.stripSuffix("$")
      val output = Files.createTempFile("short", ".out")
      try {
        val process = new ProcessBuilder((command :+ folder.toString): _*)
          .redirectErrorStream(true).redirectOutput(output.toFile).start()
        val code = process.waitFor()
        val said = new String(Files.readAllBytes(output))
        assert(code == 0 && said.startsWith("all right, "), said)
        val bound = said.trim.split(' ').last.toInt
        assert(bound < 64 && bound >= 1)
      } finally Files.delete(output)
    }
  }
}

/** Reads the 500 files of a folder through a pool that is larger than the process's limit. */
object ShortOfDescriptors extends NumberedFiles {

  def main(arguments: Array[String]): Unit = {
    val folder = Paths.get(arguments(0))
    // The classes that a shortage needs are loaded from files, too.
    var short = true
    val rehearsal = new FilePool(
      2,
      IdleOrder.Lifo,
      1,
      open = path => {
        short = !short
        if (short) throw new FileSystemException(path, null, "Too many open files")
        FileChannel.open(Paths.get(path), StandardOpenOption.READ)
      }
    )
    for (number <- 0 until 2) isRight(rehearsal, folder, number)
    rehearsal.close()
    rehearsal.counts

    val pool = new FilePool(500, IdleOrder.Lifo, TimeUnit.MINUTES.toNanos(1))
    val readers = (0 until 50).map { index =>
      new InThread(s"reader $index")((index until 500 by 50).forall(isRight(pool, folder, _)))
    }
    if (!readers.forall(_.result())) throw new IllegalStateException("wrong bytes")
    println(s"all right, with ${pool.counts.bound}")
  }
}
