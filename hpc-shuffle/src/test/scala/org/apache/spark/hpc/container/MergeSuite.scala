package org.apache.spark.hpc.container

import java.io.{ByteArrayOutputStream, PrintStream, RandomAccessFile}
import java.nio.file.{Files, Path}

import scala.collection.mutable
import scala.util.Try

import org.scalacheck.{Gen, Shrink}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class MergeSuite extends AnyFunSuite with ContainerFixture with ScalaCheckPropertyChecks {
  import ContainerFixture._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 40, sizeRange = 30)

  // A container is a large file: what is smaller isn't found in time.
  implicit private def unshrunk[A]: Shrink[A] = Shrink.shrinkAny

  private def path = directory.resolve("one")

  private def merge(writer: ContainerWriter, tasks: Seq[Long], window: Int): MergeWriter = {
    val index = ContainerIndex.read(bytes(path))
    new MergeWriter(writer, tasks.map(index.get(_).get), window)
  }

  /** Writes outputs, and after some of them merges those since. */
  private def write(outputs: Seq[Parts], after: Set[Int], window: Int = 4 << 20): Unit = {
    Files.deleteIfExists(path)
    val writer = ContainerWriter.create(path, Shuffle, outputs.map(_.size).max, isForced = false)
    try {
      var since = Vector.empty[Long]
      for ((parts, task) <- outputs.zipWithIndex) {
        ContainerFixture.write(writer, task.toLong, parts)
        since :+= task.toLong
        if (after(task)) {
          assert(merge(writer, since, window).write(() => true))
          since = Vector.empty
        }
      }
    } finally writer.close()
  }

  private def verified(path: Path): (Int, String) = {
    val said = new ByteArrayOutputStream
    val out = new PrintStream(said)
    (ContainerTool.run(List("verify", path.toString), out, out), said.toString)
  }

  private def wanted(outputs: Seq[Parts], random: scala.util.Random): Seq[Block] = {
    val first = random.nextInt(outputs.map(_.size).max)
    for ((parts, task) <- outputs.zipWithIndex if first < parts.size && random.nextInt(4) > 0)
      yield Block(task.toLong, first, math.min(parts.size, first + 1 + random.nextInt(3)))
  }

  private def content(outputs: Seq[Parts], block: Block): Seq[Byte] =
    outputs(block.mapTaskId.toInt).slice(block.start, block.end).flatten

  private val rounds = Gen.containerOf[Set, Int](Gen.choose(0, 5))
  private val windows = Gen.oneOf(100, 5000, 4 << 20)

  test("merged in any rounds, any blocks are as they were") {
    forAll(outputs, rounds, windows, Gen.long) { (outputs, after, window, seed) =>
      write(outputs, after, window)
      val random = new scala.util.Random(seed)
      for (
        _ <- 1 to 3; blocks = wanted(outputs, random); (block, found) <- read(bytes(path), blocks)
      )
        assert(found.get == content(outputs, block), block)
      assert(verified(path)._1 == 0, verified(path)._2)
      val index = ContainerIndex.read(bytes(path))
      assert(index.merges.size == after.count(_ < outputs.size))
      // By pieces of the index, as a reader who was there before has it.
      assert(index.readOn(bytes(path)).merges.size == index.merges.size)
    }
  }

  private val random = new scala.util.Random(7)
  // Those of a partition are further apart than is read at once.
  private val small = Seq.fill(20)(Seq.fill(100) {
    val part = new Array[Byte](1000)
    random.nextBytes(part)
    part
  })

  private def reads(blocks: Seq[Block]): (ContainerReader.Reads, Map[Block, Try[Seq[Byte]]]) = {
    val in = bytes(path)
    val found = mutable.Map.empty[Block, Try[Seq[Byte]]]
    val reader = new ContainerReader(in, ContainerIndex.read(in))
    val reads = reader.read(blocks)((block, content) => found(block) = content.map(array))
    assert(reads.all >= reader.count(blocks))
    (reads, found.toMap)
  }

  private val ofOneReducer = small.indices.map(task => Block(task.toLong, 60, 61))

  test("what several outputs have for a reducer is one read") {
    write(small, Set(9, 19))
    assert(reads(ofOneReducer)._1 == ContainerReader.Reads(2, 2))
    // Some reducer's part of the outputs, and several reducers' partitions.
    assert(reads(ofOneReducer.take(10))._1 == ContainerReader.Reads(1, 1))
    assert(reads(ofOneReducer.map(_.copy(end = 64)))._1 == ContainerReader.Reads(2, 2))
    assert(reads(ofOneReducer.take(1))._1 == ContainerReader.Reads(1, 0))
    write(small, Set(9))
    assert(reads(ofOneReducer)._1 == ContainerReader.Reads(11, 1))
  }

  test("a bit that is flipped in a merge is found, and costs a read") {
    write(small, Set(9, 19))
    val Seq(first, _) = ContainerIndex.read(bytes(path)).merges
    val Seq(block) = first.pieces(60, 61)(4)
    forAll(Gen.choose(0L, block.length - 1), Gen.choose(0, 7)) { (at, bit) =>
      flip(path, block.offset + at, bit)
      val (count, found) = reads(ofOneReducer)
      assert(count == ContainerReader.Reads(3, 2))
      for ((block, read) <- found) assert(read.get == content(small, block), block)
      val (exit, said) = verified(path)
      assert(exit == 1 && said.startsWith(s"merge at ${first.offset} of map tasks 0, 1, 2,"), said)
      assert(said.endsWith("it isn't what they have\n"), said)
      flip(path, block.offset + at, bit)
    }
    val file = new RandomAccessFile(path.toFile, "rw")
    try file.setLength(file.length - 1)
    finally file.close()
    for ((block, read) <- reads(small.indices.map(task => Block(task.toLong, 99, 100)))._2)
      assert(read.get == content(small, block), block)
    assert(verified(path)._1 == 1)
  }

  test("a merge that is stopped or refused anywhere leaves the outputs, and room for more") {
    forAll(outputs, Gen.choose(0, 8), Gen.choose(0.0, 1.2)) { (outputs, stopAt, share) =>
      Files.deleteIfExists(path)
      val partitions = outputs.map(_.size).max
      val size = outputs.flatten.map(part => MapOutput.framed(part.length.toLong)).sum
      val records = outputs.size * (64L << 10)
      val room = new Small(28 + size + (share * size).toLong + records)
      val writer = ContainerWriter.create(path, Shuffle, partitions, isForced = false, room)
      try {
        for ((parts, task) <- outputs.zipWithIndex)
          ContainerFixture.write(writer, task.toLong, parts)
        var asked = 0
        val merged = Try(merge(writer, outputs.indices.map(_.toLong), 2000).write { () =>
          asked += 1
          asked <= stopAt
        })
        assert(merged.failed.toOption.forall(_.isInstanceOf[ContainerWriter.Refusal]))
        assert(ContainerIndex.read(bytes(path)).merges.size == merged.toOption.count(identity))
        val whole = for ((parts, task) <- outputs.zipWithIndex)
          yield Block(task.toLong, 0, parts.size)
        for ((block, found) <- read(bytes(path), whole))
          assert(found.get == content(outputs, block), block)
      } finally writer.close()
      assert(verified(path)._1 == 0, verified(path)._2)
    }
  }

  test("a merge of outputs that aren't there is refused, and harms none that came before") {
    val writer = ContainerWriter.create(path, Shuffle, 100, isForced = false)
    try {
      ContainerFixture.write(writer, 0, small.head)
      val other = MapOutput(5, Nil, new Array[Long](100))
      assert(new MergeWriter(writer, Seq(other)).write(() => true))
    } finally writer.close()
    val index = ContainerIndex.read(bytes(path))
    assert(index.damage.get.endsWith("map output 5 is merged and isn't there"))
    assert(read(bytes(path), Seq(Block(0, 3, 4))).values.forall(_.isSuccess))
  }

  test("ls names merges") {
    write(small.take(2), Set(1))
    val said = new ByteArrayOutputStream
    ContainerTool.run(List("ls", path.toString), new PrintStream(said), System.err)
    val size = 2 * 100 * 1004
    val offset = (16 << 20) + size
    assert(said.toString.endsWith(s"merge at $offset of map tasks 0, 1: $size bytes\n"))
  }
}
