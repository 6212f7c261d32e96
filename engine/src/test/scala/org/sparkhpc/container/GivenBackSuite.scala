package org.sparkhpc.container

import java.nio.file.{Files, Path}
import java.util.Arrays

import scala.collection.mutable
import scala.sys.process._

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** What becomes of the bytes of outputs that nobody will read. */
class GivenBackSuite extends AnyFunSuite with ContainerFixture with ScalaCheckPropertyChecks {
  import ContainerFixture._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 20, sizeRange = 30)

  private val Large = 10 << 20

  private def path: Path = directory.resolve("one")

  private def container(visibility: Visibility, room: Room): ContainerWriter =
    ContainerWriter.create(path, Shuffle, 3, visibility, room)

  private def withContainer(visibility: Visibility = Visibility.Guaranteed)(use: (
      ContainerWriter,
      Small
  ) => Unit): Unit = {
    val room = new Small(1L << 40)
    val writer = container(visibility, room)
    try use(writer, room)
    finally writer.close()
  }

  private def begun(writer: ContainerWriter, bytes: Int): OutputWriter = {
    val output = begin(writer, 1).get
    output.write(new Array[Byte](bytes))
    output
  }

  /** What the file takes of its file system, without holes. */
  private def onDisk: Long = Seq("stat", "-c", "%b", path.toString).!!.trim.toLong

  test("failed attempts one after the other leave nothing") {
    for (visibility <- Seq(Visibility.Guaranteed, Visibility.Observed, Visibility.Forced)) {
      withContainer(visibility) { (writer, room) =>
        val (disk, used) = (onDisk, room.used)
        for (_ <- 1 to 4) {
          val output = begun(writer, Large)
          assert(onDisk > disk)
          output.abandon()
          assert(onDisk == disk && room.used == used)
        }
      }
      Files.delete(path)
    }
  }

  test("a task that is killed gives its bytes back, and its thread stays interrupted") {
    withContainer() { (writer, room) =>
      val (length, used) = (Files.size(path), room.used)
      val output = begun(writer, Large)
      Thread.currentThread.interrupt()
      output.abandon()
      assert(Thread.interrupted())
      assert(Files.size(path) == length && room.used == used)
    }
  }

  test("bytes between those of others are used for the next output") {
    withContainer() { (writer, room) =>
      val outputs = Seq.fill(2)(begin(writer, 1).get)
      for (_ <- 1 to 10; output <- outputs) output.write(new Array[Byte](1 << 20))
      outputs(1).endBlock()
      outputs(1).publish(1, Array(10 << 20))
      outputs.head.abandon()
      val (length, used) = (Files.size(path), room.used)
      val nine = (9 << 20) - ContainerHeader.CrcSize
      write(writer, 2, Seq(Array.fill(nine)(2.toByte)))
      assert(Files.size(path) == length)
      // Its record.
      assert(room.used - used < 1000)
      val found = read(bytes(path), Seq(Block(1, 0, 1), Block(2, 0, 1)))
      assert(found(Block(1, 0, 1)).get.forall(_ == 0))
      val second = found(Block(2, 0, 1)).get
      assert(second.size == nine && second.forall(_ == 2))
    }
  }

  test("where a reader may have old bytes in its cache no others come to their place") {
    for (visibility <- Seq(Visibility.Observed, Visibility.Forced)) {
      withContainer(visibility) { (writer, _) =>
        val given = begun(writer, Large)
        val old = given.places
        given.abandon()
        val next = begun(writer, Large)
        assert(old.nonEmpty && next.places.nonEmpty)
        assert(next.places.head.offset >= old.map(_.end).max)
        next.abandon()
      }
      Files.delete(path)
    }
  }

  test("an output that goes on elsewhere leaves nothing where it was refused") {
    val small = new Small((2 << 20) + 100)
    val full = container(Visibility.Guaranteed, small)
    val roomy =
      ContainerWriter.create(directory.resolve("two"), Shuffle, 1, Visibility.Guaranteed)
    try {
      val (length, used) = (Files.size(path), small.used)
      val output = new OutputWriter(full.lease(1).get, 1, (_, _) => roomy.lease(1).get)
      write(output, 7, Seq(new Array[Byte](Large)))
      assert(output.container eq roomy)
      assert(Files.size(path) == length && small.used <= used + (1 << 20))
    } finally Seq(full, roomy).foreach(_.close())
  }

  test("outputs that are given up in any order harm none that are published") {
    val steps = Gen.listOf(Gen.zip(Gen.choose(0, 3), Gen.choose(1, 3 << 19), Gen.choose(0, 9)))
    forAll(steps) { steps =>
      withContainer() { (writer, _) =>
        val written = mutable.Map.empty[Long, Array[Byte]]
        val open = Array.fill(4)(Option.empty[(OutputWriter, mutable.ArrayBuilder[Byte])])
        for (((at, bytes, what), step) <- steps.zipWithIndex) {
          val (output, content) = open(at).getOrElse {
            val some = (begin(writer, 1).get, Array.newBuilder[Byte])
            open(at) = Some(some)
            some
          }
          val more = new Array[Byte](bytes)
          Arrays.fill(more, step.toByte)
          output.write(more)
          content ++= more
          if (what < 3) {
            output.abandon()
            open(at) = None
          } else if (what < 6) {
            val length = output.endBlock()
            output.publish(step.toLong, Array(length))
            written(step.toLong) = content.result()
            open(at) = None
          }
        }
        open.flatten.foreach(_._1.abandon())
        val blocks = written.keys.map(Block(_, 0, 1)).toSeq
        val found = read(bytes(path), blocks)
        for (block <- blocks) assert(found(block).get == written(block.mapTaskId).toSeq)
        val index = ContainerIndex.read(bytes(path))
        assert(ContainerIndex.cut(index, Files.size(path)).isEmpty)
        val ends = index.all.flatMap(_.extents.map(_.end))
        assert(Files.size(path) == (index.header.dataStart +: ends).max)
      }
      Files.delete(path)
    }
  }
}
