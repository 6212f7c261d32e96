package org.apache.spark.hpc.retain

import java.io.{Externalizable, ObjectInput, ObjectOutput, ObjectOutputStream}

import org.scalatest.funsuite.AnyFunSuite

class LostStateSuite extends AnyFunSuite {
  import LostStateSuite._

  private def lost(element: Any): Option[String] =
    LostState.in(element).map(_.split('$').last)

  test("a transient field that holds something is found, wherever it is") {
    val bad = new Cached("state")
    assert(lost(bad).contains("Cached.state"))
    assert(lost(new Derived("state")).contains("Cached.state"))
    assert(lost((1, bad)).contains("Cached.state"))
    assert(lost(Array(1, bad)).contains("Cached.state"))
    assert(lost(List(Some(bad))).contains("Cached.state"))
    assert(lost(Map(1 -> Vector(bad))).contains("Cached.state"))
    assert(lost(java.util.Arrays.asList(bad)).contains("Cached.state"))
    assert(lost(java.util.Collections.singletonMap("key", bad)).contains("Cached.state"))
    assert(lost(Outer(Outer(bad))).contains("Cached.state"))
  }

  test("a transient field that holds nothing is none") {
    assert(lost(new Cached(null)).isEmpty)
    assert(lost(new Counter(0)).isEmpty)
    assert(lost(new Counter(1)).contains("Counter.count"))
  }

  test("a lazy value is computed again, also when it was computed before") {
    val element = new Lazy(20)
    assert(element.twice == 40)
    assert(lost(element).isEmpty)
  }

  test("a class that writes its own form loses nothing") {
    assert(lost(new Written("state")).isEmpty)
    assert(lost(new External("state")).isEmpty)
  }

  test("what a superclass that isn't serializable holds is lost") {
    assert(lost(new OnUnserializable("state")).contains("Unserializable.state"))
    // This one can't be serialized by Java at all, and Kryo writes all of it.
    assert(lost(new Unserializable("state")).isEmpty)
  }

  test("platform classes are trusted") {
    val elements = Seq[Any](
      null,
      1,
      "text",
      Array(1, 2),
      BigInt(1) << 200,
      BigDecimal("1.5"),
      new java.util.Date,
      java.time.Instant.now(),
      java.util.UUID.randomUUID(),
      new java.util.concurrent.ConcurrentHashMap[String, String](java.util.Collections.singletonMap(
        "a",
        "b"
      )),
      scala.collection.mutable.HashMap(1 -> 2),
      scala.collection.mutable.ArrayBuffer(1),
      1 to 10,
      Stream.from(1),
      Right(3)
    )
    assert(elements.flatMap(lost) == Nil)
  }

  test("rings and very large graphs end") {
    val ring = new Node
    ring.next = ring
    assert(lost(ring).isEmpty)
    val long = (1 to 1000000).foldLeft(null: Node) { (next, _) =>
      val node = new Node
      node.next = next
      node
    }
    assert(lost(long).isEmpty)
  }
}

object LostStateSuite {
  class Cached(@transient val state: String) extends Serializable
  class Derived(text: String) extends Cached(text)
  class Counter(@transient val count: Int) extends Serializable
  case class Outer(inner: Any)

  class Lazy(base: Int) extends Serializable {
    @transient lazy val twice: Int = base * 2
  }

  class Written(@transient val state: String) extends Serializable {
    private def writeObject(out: ObjectOutputStream): Unit = out.writeObject(state)
  }

  class External(@transient val state: String) extends Externalizable {
    override def writeExternal(out: ObjectOutput): Unit = out.writeObject(state)
    override def readExternal(in: ObjectInput): Unit = in.readObject()
  }

  class Unserializable(val state: String)
  class OnUnserializable(text: String) extends Unserializable(text) with Serializable

  class Node extends Serializable {
    var next: Node = _
  }
}
