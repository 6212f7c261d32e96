package org.sparkhpc.container

import java.io.{IOException, RandomAccessFile}
import java.nio.file.{Files, Path}
import java.util.concurrent.{CountDownLatch, TimeUnit}

import org.scalacheck.Gen
import org.scalatest.concurrent.Eventually._
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class ContainerSuite extends AnyFunSuite with ContainerFixture with ScalaCheckPropertyChecks {
  import ContainerFixture._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 40, sizeRange = 30)

  private def ranges(outputs: Seq[Parts], seed: Long): Seq[Block] = {
    val random = new scala.util.Random(seed)
    for (task <- outputs.indices; _ <- 1 to 3) yield {
      val Seq(start, end) = Seq.fill(2)(random.nextInt(outputs(task).size + 1)).sorted
      Block(task.toLong, start, end)
    }
  }.distinct

  // Arrays are compared fast, other collections byte by byte.
  private def joined(parts: Parts): Seq[Byte] = Array.concat(parts: _*).toSeq

  private def content(outputs: Seq[Parts], block: Block): Seq[Byte] =
    joined(outputs(block.mapTaskId.toInt).slice(block.start, block.end))

  test("what was written is read, any partitions, whoever else writes") {
    forAll(outputs, Gen.long, Gen.choose(1, 3)) { (outputs, seed, threads) =>
      val container = bytes(written(outputs, threads))
      val found = read(container, ranges(outputs, seed))
      for ((block, read) <- found) assert(read.get == content(outputs, block), block)
      val index = ContainerIndex.read(container)
      assert(index.header.shuffle == Shuffle && index.damage.isEmpty)
      for ((parts, task) <- outputs.zipWithIndex)
        assert(
          index.get(task.toLong).get.lengths(0, parts.size).toSeq == parts.map(_.length.toLong)
        )
    }
  }

  private def verified(path: Path): (Int, String) = {
    val said = new java.io.ByteArrayOutputStream
    val out = new java.io.PrintStream(said)
    val exit = ContainerTool.run(List("verify", path.toString), out, out)
    (exit, said.toString)
  }

  test("a container that is cut anywhere is known for it") {
    forAll(outputs, Gen.choose(0.0, 1.0)) { (outputs, share) =>
      val path = written(outputs)
      assert(verified(path) == ((0, s"intact: ${outputs.size} map outputs\n")))
      val whole = Files.size(path)
      // In the data, if there is any, and before.
      for (begin <- Seq(0L, 16L << 20)) {
        val file = new RandomAccessFile(path.toFile, "rw")
        val length = math.min(begin + (share * (whole - begin)).toLong, whole - 1)
        try file.setLength(length)
        finally file.close()
        val (exit, said) = verified(path)
        assert(exit == 1 && said.contains(path.toString), s"$length of $whole: $said")
        Files.delete(path)
        assert(written(outputs) == path)
      }
    }
  }

  test("a flipped bit is found, and no other output is harmed") {
    forAll(outputs, Gen.choose(0.0, 0.999999), Gen.choose(0, 7)) { (outputs, share, bit) =>
      val path = written(outputs)
      val index = ContainerIndex.read(bytes(path))
      val data = index.all.flatMap(_.extents)
      val places = Seq(Extent(0, ContainerHeader.Size.toLong)) ++
        Seq(Extent(ContainerHeader.Size.toLong, index.end - ContainerHeader.Size)) ++ data
      for (place <- places) {
        val at = place.offset + (share * place.length).toLong
        flip(path, at, bit)
        val (exit, said) = verified(path)
        assert(exit == 1, s"byte $at: $said")
        if (data.contains(place)) {
          val whole = outputs.indices.map(task => Block(task.toLong, 0, outputs(task).size))
          val harmed = read(bytes(path), whole).filter(_._2.isFailure).keys.toSeq
          assert(
            harmed.map(_.mapTaskId) == index.all.filter(_.extents.contains(place)).map(_.mapTaskId)
          )
          assert(said.contains(s"map task ${harmed.head.mapTaskId}: "), said)
        }
        flip(path, at, bit)
      }
      assert(verified(path)._1 == 0)
    }
  }

  private def writer(partitions: Int): ContainerWriter =
    ContainerWriter.create(directory.resolve("one"), Shuffle, partitions, Visibility.Forced)

  private def one: Bytes = bytes(directory.resolve("one"))

  private val hello = Seq("hello".getBytes, Array.emptyByteArray, "reducers".getBytes)

  test("what isn't published isn't there; then it is, for a reader who was there before, too") {
    val container = writer(3)
    try {
      val output = begin(container, 3).get
      output.write(hello.head)
      output.endBlock()
      write(container, 8, hello)
      val before = ContainerIndex.read(one)
      assert(before.all.map(_.mapTaskId) == Seq(8))
      output.publish(7, Array(5, 0, 0))
      assert(before.readOn(one).all.map(_.mapTaskId) == Seq(7, 8))
      intercept[IOException](output.publish(9, Array(5, 0, 0)))
      assert(ContainerIndex.read(one).all.map(_.mapTaskId) == Seq(7, 8))
    } finally container.close()
  }

  test("an output whose lengths don't go with its blocks isn't published") {
    val container = writer(3)
    try {
      val output = begin(container, 3).get
      output.write(hello.head)
      intercept[IllegalArgumentException](output.publish(7, Array(5, 0, 0)))
      output.endBlock()
      intercept[IllegalArgumentException](output.publish(7, Array(4, 0, 0)))
      intercept[IllegalArgumentException](output.publish(7, Array(5, 0)))
      output.abandon()
      intercept[IOException](output.write(hello.head))
      assert(ContainerIndex.read(one).all.isEmpty)
    } finally container.close()
  }

  test("an index that may have no room takes no more outputs, and has room for those it took") {
    val partitions = 1000000
    val container = writer(partitions)
    try {
      val begun =
        Iterator.continually(begin(container, partitions)).takeWhile(_.nonEmpty).flatten.toList
      assert(begun.nonEmpty)
      for ((output, task) <- begun.zipWithIndex)
        output.publish(task.toLong, new Array[Long](partitions))
      assert(begin(container, partitions).nonEmpty)
      assert(ContainerIndex.read(one).all.size == begun.size)
    } finally container.close()
  }

  test("a writer that is killed doesn't disturb the others") {
    val container = writer(3)
    val isWriting = new CountDownLatch(1)
    val killed = new Thread(() =>
      try
        while (true) {
          val output = begin(container, 3).get
          output.write(new Array[Byte](3 << 20))
          output.abandon()
          isWriting.countDown()
        }
      catch { case _: IOException => }
    )
    try {
      killed.start()
      assert(isWriting.await(60, TimeUnit.SECONDS))
      killed.interrupt()
      eventually(timeout(60.seconds))(assert(!killed.isAlive))
      write(container, 7, hello)
      container.rest()
      write(container, 8, hello)
    } finally container.close()
    intercept[IOException](write(container, 9, hello))
    val blocks = Seq(Block(7, 0, 3), Block(8, 2, 3))
    val found = read(one, blocks)
    assert(blocks.map(found(_).get.map(_.toChar).mkString) == Seq("helloreducers", "reducers"))
  }

  test("outputs go on in another container when theirs takes no more, wherever that happens") {
    forAll(outputs, Gen.choose(0L, 600000L), Gen.choose(0L, 600000L)) { (outputs, first, second) =>
      val paths = Seq("small", "smaller", "large").map(directory.resolve)
      val rooms = Seq(new Small(first + 28), new Small(second + 28), Room.Unbounded)
      val partitions = outputs.map(_.size).max
      val writers = for ((path, room) <- paths.zip(rooms))
        yield ContainerWriter.create(path, Shuffle, partitions, Visibility.Guaranteed, room)
      try {
        for ((parts, task) <- outputs.zipWithIndex) {
          def elsewhere(
              refused: Set[ContainerWriter],
              last: ContainerWriter.Refusal
          ): ContainerWriter.Lease = {
            assert(last.getMessage.contains("has no room for"))
            lease(writers.filterNot(refused))
          }
          // One that had no room for a record has none any more.
          def lease(some: Seq[ContainerWriter]): ContainerWriter.Lease =
            some.iterator.flatMap(_.lease(parts.size)).next()
          val output = new OutputWriter(lease(writers), parts.size, elsewhere)
          write(output, task.toLong, parts)
          val path = paths(writers.indexOf(output.container))
          val whole = Block(task.toLong, 0, parts.size)
          assert(read(bytes(path), Seq(whole))(whole).get == joined(parts))
        }
        for (path <- paths) assert(verified(path)._1 == 0)
      } finally {
        writers.foreach(_.close())
        paths.foreach(Files.delete)
      }
    }
  }

  test("an output that no container takes fails with what the last one said, and can be given up") {
    val container = ContainerWriter
      .create(directory.resolve("one"), Shuffle, 3, Visibility.Guaranteed, new Small(1 << 20))
    try {
      val output = begin(container, 3).get
      val refusal =
        intercept[ContainerWriter.Refusal](output.write(new Array[Byte](4 << 20)))
      assert(
        refusal.getMessage == s"${directory.resolve("one")} has no room for 1048576 more bytes"
      )
      output.abandon()
    } finally container.close()
  }

  test("bytes that were published and bytes that weren't are counted") {
    val container = writer(3)
    try {
      write(container, 7, hello)
      val live = hello.map(part => MapOutput.framed(part.length.toLong)).sum
      assert((container.liveBytes, container.deadBytes) == ((live, 0)))
      val given = begin(container, 3).get
      given.write(new Array[Byte](3 << 20))
      given.endBlock()
      given.abandon()
      assert(container.liveBytes == live)
      assert(container.deadBytes == (3 << 20))
    } finally container.close()
  }

  test("what isn't there is refused by name") {
    val container = bytes(written(Seq(hello)))
    val Seq(task, parts) =
      Seq(Block(1, 0, 1), Block(0, 2, 4)).map(b => read(container, Seq(b))(b).failed.get.getMessage)
    assert(task == s"map output 1 can't be read: ${container.name} has no such output")
    assert(parts == s"${container.name}: Block(0,2,4): map output 0 has 3 partitions, not 2 to 4")
  }
}
