package org.apache.spark.hpc.container

import java.io.{ByteArrayOutputStream, File, IOException, RandomAccessFile}
import java.nio.ByteBuffer
import java.nio.file.{Files, Path}
import java.util.concurrent.{Executors, TimeUnit}
import java.util.concurrent.atomic.AtomicLong

import scala.collection.mutable
import scala.util.Try

import org.apache.commons.io.FileUtils
import org.scalacheck.Gen
import org.scalatest.{BeforeAndAfterEach, Suite}

/** A directory for containers, and map outputs to write to them. */
private[spark] trait ContainerFixture extends BeforeAndAfterEach { this: Suite =>
  import ContainerFixture._

  protected var directory: Path = _

  override def beforeEach(): Unit = {
    Files.createDirectories(new File(System.getProperty("java.io.tmpdir")).toPath)
    directory = Files.createTempDirectory("containers")
  }

  override def afterEach(): Unit = FileUtils.deleteDirectory(directory.toFile)

  /** A new container with these outputs, written by so many threads at once. */
  protected def written(outputs: Seq[Parts], threads: Int = 1): Path = {
    val path = directory.resolve(s"${directory.toFile.list().length}")
    val writer = ContainerWriter.create(path, Shuffle, outputs.map(_.size).max, isForced = false)
    val pool = Executors.newFixedThreadPool(threads)
    try {
      val writing = for ((parts, task) <- outputs.zipWithIndex)
        yield pool.submit[Unit](() => write(writer, task.toLong, parts))
      writing.foreach(_.get(60, TimeUnit.SECONDS))
    } finally {
      pool.shutdownNow()
      writer.close()
    }
    path
  }
}

private[spark] object ContainerFixture {
  val Shuffle = 3

  /** What the partitions of a map output hold. */
  type Parts = Seq[Array[Byte]]

  def begin(writer: ContainerWriter, partitions: Int): Option[OutputWriter] =
    writer.lease(partitions).map(new OutputWriter(_, partitions))

  def write(writer: ContainerWriter, mapTaskId: Long, parts: Parts): Unit =
    write(begin(writer, parts.size).get, mapTaskId, parts)

  def write(output: OutputWriter, mapTaskId: Long, parts: Parts): Unit = {
    val lengths = for (part <- parts) yield {
      output.write(part)
      output.endBlock()
    }
    output.publish(mapTaskId, lengths.toArray)
  }

  def bytes(path: Path): Bytes = new Bytes {
    private val all = Files.readAllBytes(path)
    override def name: String = path.getFileName.toString
    override def read(to: ByteBuffer, position: Long): Int =
      if (position >= all.length) -1
      else {
        val count = math.min(to.remaining, all.length - position.toInt)
        to.put(all, position.toInt, count)
        count
      }
  }

  /** What these blocks hold, each read both ways, and each answered for once. */
  def read(container: Bytes, blocks: Seq[Block]): Map[Block, Try[Seq[Byte]]] = {
    val reader = new ContainerReader(container, ContainerIndex.read(container))
    val found = mutable.Map.empty[Block, Try[Seq[Byte]]]
    reader.read(blocks) { (block, content) =>
      assert(!found.contains(block))
      found(block) = content.map(array)
    }
    for ((block, content) <- found) {
      val copy = new ByteArrayOutputStream
      assert(Try(reader.copy(block, copy)).map(_ =>
        copy.toByteArray.toSeq
      ).toOption == content.toOption)
    }
    assert(found.keySet == blocks.toSet)
    found.toMap
  }

  def flip(path: Path, at: Long, bit: Int): Unit = {
    val file = new RandomAccessFile(path.toFile, "rw")
    try {
      file.seek(at)
      val byte = file.read()
      file.seek(at)
      file.write(byte ^ (1 << bit))
    } finally file.close()
  }

  /** Takes so many bytes, and then refuses, as a file system that is full. */
  final class Small(bytes: Long) extends Room {
    private val taken = new AtomicLong
    override def take(count: Int): Boolean = {
      val there = taken.addAndGet(count.toLong) <= bytes
      if (!there) gaveBack(count.toLong)
      there
    }
    override def wrote(count: Int, nanos: Long): Unit = ()
    override def refused(failure: IOException): Unit = ()
    override def gaveBack(count: Long): Unit = taken.addAndGet(-count): Unit
    def used: Long = taken.get
  }

  def array(bytes: ByteBuffer): Seq[Byte] = {
    val array = new Array[Byte](bytes.remaining)
    bytes.get(array)
    array.toSeq
  }

  private val part: Gen[Array[Byte]] = for {
    size <- Gen.frequency(3 -> Gen.const(0), 6 -> Gen.choose(1, 300), 1 -> Gen.choose(1, 200000))
    seed <- Gen.long
  } yield {
    val bytes = new Array[Byte](size)
    new scala.util.Random(seed).nextBytes(bytes)
    bytes
  }

  val parts: Gen[Parts] = Gen.choose(1, 150).flatMap(Gen.listOfN(_, part))

  val outputs: Gen[Seq[Parts]] = Gen.choose(1, 6).flatMap(Gen.listOfN(_, parts))
}
