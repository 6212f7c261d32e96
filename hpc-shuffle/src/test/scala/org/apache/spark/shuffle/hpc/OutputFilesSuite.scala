package org.apache.spark.shuffle.hpc

import java.io.{ByteArrayOutputStream, DataOutputStream, File, FileOutputStream, IOException}
import java.io.RandomAccessFile
import java.nio.channels.Channels
import java.nio.file.{Files, Path}

import org.apache.commons.io.FileUtils
import org.scalacheck.Gen
import org.scalatest.BeforeAndAfterEach
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class OutputFilesSuite extends AnyFunSuite with BeforeAndAfterEach with ScalaCheckPropertyChecks {
  private val place = OutputPlace("7", 3, "node-17", 7077)
  private val mapId = 11L
  private var path: Path = _
  private var files: OutputFiles = _

  override def beforeEach(): Unit = {
    Files.createDirectories(new File(System.getProperty("java.io.tmpdir")).toPath)
    path = Files.createTempDirectory("outputs")
    files = new OutputFiles(new OutputDirectory(path))
  }

  override def afterEach(): Unit = FileUtils.deleteDirectory(path.toFile)

  private def data: File = files.data(place.shuffle, place.executor, mapId)
  private def index: File = files.index(place.shuffle, place.executor, mapId)

  /** An output whose partitions hold these bytes. */
  private def write(partitions: Seq[Seq[Byte]]): Unit = {
    Files.createDirectories(data.toPath.getParent)
    Files.write(data.toPath, partitions.flatten.toArray)
    val out = new DataOutputStream(new FileOutputStream(index))
    try partitions.scanLeft(0L)(_ + _.size).foreach(out.writeLong)
    finally out.close()
  }

  private def read(start: Int, end: Int): Seq[Byte] = {
    val bytes = files.read(place, mapId, start, end)
    val copy = new ByteArrayOutputStream
    files.copy(place, mapId, start, end, Channels.newChannel(copy))
    assert(bytes.array().toSeq == copy.toByteArray.toSeq)
    assert(bytes.remaining() == bytes.array().length)
    bytes.array().toSeq
  }

  private val outputs = Gen.nonEmptyListOf(Gen.listOf(Gen.choose(Byte.MinValue, Byte.MaxValue)))

  test("what was written is read, any range of partitions") {
    forAll(outputs, Gen.long) { (partitions, seed) =>
      write(partitions)
      assert(!files.isLost(place, mapId))
      val random = new scala.util.Random(seed)
      val Seq(start, end) = Seq.fill(2)(random.nextInt(partitions.size + 1)).sorted
      assert(read(start, end) == partitions.slice(start, end).flatten)
    }
  }

  test("an output without data needs no file for it") {
    write(Seq(Nil, Nil))
    Files.delete(data.toPath)
    assert(!files.isLost(place, mapId))
  }

  private val damages = Seq[(String, () => Unit)](
    "data cut short" -> (() => cut(data)),
    "index cut short" -> (() => cut(index)),
    "index emptied" -> (() => new RandomAccessFile(index, "rw").setLength(0)),
    "no data" -> (() => Files.delete(data.toPath)),
    "no index" -> (() => Files.delete(index.toPath))
  )

  private def cut(file: File): Unit = new RandomAccessFile(file, "rw").setLength(file.length - 1)

  for ((what, damage) <- damages)
    test(s"$what: nothing is read, and the output is lost") {
      write(Seq(Seq(1, 2, 3), Seq(4, 5)))
      damage()
      intercept[IOException](files.read(place, mapId, 0, 2))
      intercept[IOException] {
        files.copy(place, mapId, 0, 2, Channels.newChannel(new ByteArrayOutputStream))
      }
      assert(files.isLost(place, mapId))
    }

  test("offsets that go backwards are refused") {
    write(Seq(Seq(1, 2, 3), Seq(4, 5)))
    val access = new RandomAccessFile(index, "rw")
    try {
      access.seek(java.lang.Long.BYTES)
      access.writeLong(99)
    } finally access.close()
    intercept[IOException](files.read(place, mapId, 1, 2))
  }
}
