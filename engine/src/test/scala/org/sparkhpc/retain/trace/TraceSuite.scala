package org.sparkhpc.retain.trace

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, IOException}

import org.scalacheck.{Arbitrary, Gen}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import org.sparkhpc.retain.{Blocks, Lru}

class TraceSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import TraceEvent._

  private val number = Gen.oneOf(Gen.choose(0, 200), Gen.choose(0, Int.MaxValue))
  private val long = Gen.oneOf(Gen.choose(0L, 200L), Arbitrary.arbitrary[Long])
  private val block = Gen.zip(number, number).map(TraceBlock.tupled)
  private val event: Gen[TraceEvent] = Gen.oneOf(
    Gen.zip(block, Gen.option(block)).map(Requested.tupled),
    block.map(Released),
    long.map(Memory),
    Gen.zip(number, long, long).map(Wrote.tupled),
    Gen.zip(number, long, long).map(Read.tupled),
    Gen.zip(number, long, long, long).map(Sampled.tupled),
    Gen.zip(Gen.option(block), long, long).map(Needed.tupled),
    Gen.zip(block, long, Gen.listOf(block)).map(Computed.tupled),
    Gen.zip(block, long).map(Stored.tupled),
    number.map(Forgotten),
    Gen.mapOf(Gen.zip(number, number)).map(Referenced),
    block.map(Evicted),
    block.map(Written),
    block.map(ReadBack)
  )

  private def bytes(events: Seq[TraceEvent]): Array[Byte] = {
    val out = new ByteArrayOutputStream
    val writer = new TraceWriter(out)
    events.foreach(writer.write)
    writer.close()
    out.toByteArray
  }

  /** A policy that records, and what it has recorded. */
  private def newTraced(): (Traced[Blocks.Block], () => Seq[TraceEvent]) = {
    var events = Seq.empty[TraceEvent]
    val recorder = new TraceRecorder {
      override def record(event: TraceEvent): Unit = events :+= event
      override def end(): Unit = ()
    }
    (new Traced[Blocks.Block](new Lru, Blocks.Names, recorder), () => events)
  }

  test("what is written is read") {
    forAll(Gen.listOf(event)) { events =>
      val reader = new TraceReader(new ByteArrayInputStream(bytes(events)))
      assert(reader.toList == events)
      assert(reader.isWhole)
    }
  }

  test("a trace that ends too early is read as far as it goes, and known for it") {
    forAll(Gen.nonEmptyListOf(event), Gen.choose(1, 40)) { (events, missing) =>
      val out = new ByteArrayOutputStream
      val writer = new TraceWriter(out)
      writer.flush()
      val begun = out.size
      events.foreach(writer.write)
      writer.flush()
      val written = out.toByteArray
      val cut = written.take(math.max(begun, written.length - missing))
      val reader = new TraceReader(new ByteArrayInputStream(cut))
      assert(events.startsWith(reader.toList))
      assert(!reader.isWhole)
    }
  }

  test("an event takes a few bytes") {
    val events = for (round <- 0 until 100; partition <- 0 until 100)
      yield Requested(TraceBlock(round, partition))
    assert(bytes(events).length < events.size * 3)
  }

  test("what is no trace is refused") {
    for (content <- Seq("", "something else", "PK"))
      assertThrows[IOException](new TraceReader(new ByteArrayInputStream(content.getBytes)))
  }

  test("blocks of no RDD aren't recorded") {
    val (traced, events) = newTraced()
    traced.stored(Blocks.Block(-1, -1), 5)
    traced.requested(Blocks.Block(1, 0), None)
    traced.requested(Blocks.Block(0, 0), Some(Blocks.Block(1, 0)))
    traced.computed(Blocks.Block(1, 0), 9, Seq(Blocks.Block(0, 0)))
    assert(
      events() == Seq(
        Requested(TraceBlock(1, 0)),
        Requested(TraceBlock(0, 0), Some(TraceBlock(1, 0))),
        Computed(TraceBlock(1, 0), 9, Seq(TraceBlock(0, 0)))
      )
    )
  }

  test("what the cache decides is recorded, too") {
    val block = Blocks.Block(1, 0)
    val (traced, events) = newTraced()
    traced.evicted(block)
    traced.written(block)
    traced.isWorthReading(block)
    val its = TraceBlock(1, 0)
    assert(events() == Seq(Evicted(its), Written(its), ReadBack(its)))
  }
}
