package org.apache.spark.shuffle.hpc.read

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, IOException, InputStream}
import java.nio.ByteBuffer
import java.nio.channels.WritableByteChannel

import scala.util.Random

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** How a container's block is sent to readers that take it slowly. */
class ContainerBlockDataSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import ContainerBlockDataSuite._

  private val Bound = 4L << 20

  private def bytes(length: Int): Array[Byte] = {
    val made = new Array[Byte](length)
    new Random(length).nextBytes(made)
    made
  }

  test("a reader gets the block's bytes, however many it takes at once") {
    forAll(Gen.choose(1, 700000), Gen.choose(0L, Bound), Gen.listOf(Gen.choose(0, 300000))) {
      (length, bound, taken) =>
        val buffers = new SendBuffers(bound)
        val content = bytes(length)
        val region =
          new ContainerBlockData.Region(length.toLong, () => stream(content), buffers)
        val reader = new Reader(taken.iterator ++ Iterator.continually(length))
        while (region.transferred() < length)
          assert(region.transferTo(reader, region.transferred()) >= 0)
        assert(reader.bytes.sameElements(content))
        assert(buffers.size == 0)
        region.release(): Unit
    }
  }

  test("readers that take nothing more hold a bounded share of memory each, and give it back") {
    val buffers = new SendBuffers(Bound)
    val content = bytes(300000)
    val regions = Seq.fill(1000)(
      new ContainerBlockData.Region(content.length.toLong, () => stream(content), buffers)
    )
    regions.foreach(_.transferTo(new Reader(Iterator(1)), 0))
    assert(buffers.size <= Bound + regions.size * SendBuffers.Least)
    assert(buffers.size > regions.size * SendBuffers.Least)
    regions.foreach(_.release())
    assert(buffers.size == 0)
  }

  test("a block sent alone goes in large pieces, also if it began in a crowd") {
    val buffers = new SendBuffers(Bound)
    val crowd = buffers.take(Bound)
    val others = Seq.fill(400)(buffers.take(SendBuffers.Most))
    val content = bytes(1 << 20)
    val region =
      new ContainerBlockData.Region(content.length.toLong, () => stream(content), buffers)
    val reader = new Reader(Iterator.continually(content.length))
    assert(region.transferTo(reader, 0) == SendBuffers.Least)
    (crowd +: others).foreach(buffers.give)
    assert(region.transferTo(reader, region.transferred()) == SendBuffers.Most)
    region.release(): Unit
  }

  test("the block is closed if its reader goes before the first byte") {
    var isClosed = false
    val content = new ByteArrayInputStream(bytes(100)) {
      override def close(): Unit = isClosed = true
    }
    val region = new ContainerBlockData.Region(100, () => content, new SendBuffers(Bound))
    assert(region.transferTo(new Reader(Iterator(0)), 0) == 0)
    region.release(): Unit
    assert(isClosed)
  }

  test("a block that is shorter than its index says is an error") {
    val region =
      new ContainerBlockData.Region(100, () => stream(bytes(60)), new SendBuffers(Bound))
    val reader = new Reader(Iterator.continually(100))
    assert(region.transferTo(reader, 0) == 60)
    val error = intercept[IOException](region.transferTo(reader, 60))
    assert(error.getMessage == "only 60 of 100 bytes of the block could be read")
    region.release(): Unit
  }
}

private object ContainerBlockDataSuite {

  private def stream(bytes: Array[Byte]): InputStream = new ByteArrayInputStream(bytes)

  /** Takes at most so many bytes at each call. */
  private final class Reader(most: Iterator[Int]) extends WritableByteChannel {
    private val got = new ByteArrayOutputStream

    def bytes: Array[Byte] = got.toByteArray

    override def write(from: ByteBuffer): Int = {
      val taken = new Array[Byte](math.min(most.next(), from.remaining))
      from.get(taken)
      got.write(taken)
      taken.length
    }

    override def isOpen: Boolean = true

    override def close(): Unit = ()
  }
}
