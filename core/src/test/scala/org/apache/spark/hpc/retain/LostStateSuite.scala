package org.apache.spark.hpc.retain

import java.io.{Externalizable, ObjectInput, ObjectInputStream, ObjectOutput, ObjectOutputStream}

import scala.collection.mutable.ArrayBuffer

import com.esotericsoftware.kryo.{DefaultSerializer, Kryo, KryoSerializable}
import com.esotericsoftware.kryo.io.{Input, Output}
import com.esotericsoftware.kryo.serializers.{FieldSerializer, JavaSerializer}
import com.google.common.io.ByteStreams
import org.apache.spark.SparkConf
import org.apache.spark.serializer.KryoSerializer
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.retain.{JavaForm, KryoForm, LostState, SerializedForm}

class LostStateSuite extends AnyFunSuite {
  import LostStateSuite._

  private lazy val kryo = formOf(new KryoSerializer(new SparkConf(false)).newKryo())
  private lazy val forms = Seq("Java" -> JavaForm, "Kryo" -> kryo)

  private def formOf(kryo: Kryo) =
    new KryoForm(kryo, new KryoSerializer(new SparkConf(false)).newKryo())

  private def lost(form: SerializedForm, element: Any): Boolean =
    new LostState(form).in(element).nonEmpty

  for ((name, form) <- forms) {
    def assertLost(elements: Any*): Unit =
      for (element <- elements) assert(lost(form, element), s"of $element nothing is lost")
    def assertKept(elements: Any*): Unit =
      for (element <- elements) assert(new LostState(form).in(element).isEmpty, element)

    test(s"$name: a transient field that holds something is found, wherever it is") {
      val bad = new Cached("state")
      assert(new LostState(form).in(bad).exists(_.contains("Cached.state")))
      assertLost(
        bad,
        new Derived("state"),
        (1, bad),
        Array(1, bad),
        List(Some(bad)),
        Map(1 -> Vector(bad)),
        new java.util.ArrayList(java.util.Arrays.asList(bad)),
        Outer(Outer(bad)),
        Right(bad),
        Array.tabulate(100000)(i => Outer(if (i == 77777) bad else null)),
        Vector.tabulate(100000)(i => if (i == 77777) bad else "good")
      )
    }

    test(s"$name: each element is looked at, also after many others like it") {
      val elements = new LostState(form)
      val good = new Cached(null)
      for (_ <- 1 to 10000) assert(elements.in(good).isEmpty)
      assert(elements.in(new Cached("state")).nonEmpty)
      assert(elements.in(good).isEmpty)
    }

    test(s"$name: a transient field that holds nothing is none") {
      assertKept(new Cached(null), new Counter(0), new Ratio(0.0))
      assertLost(new Counter(1), new Ratio(-0.0), new Ratio(Double.NaN), new Boxed(0))
    }

    test(s"$name: a lazy value is nothing until it is computed, and lost from then on") {
      val element = new Lazy(20)
      assertKept(element)
      // Others may have changed what it refers to, or what it was computed from.
      element.values += 3
      assertLost(element)
    }

    test(s"$name: rings through collections don't come back") {
      def ring(through: Node => AnyRef): Node = {
        val node = new Node
        node.next = through(node)
        node
      }
      val rings =
        Seq[Node => AnyRef](List(_), Some(_), (_, 1), node => Map("" -> node), Vector(_))
      assertLost(rings.map(ring): _*)
      assertLost(rings.map(ring(_).next): _*)
      val through = ring(List(_))
      assertLost(Array[AnyRef](through.next, through), Array[AnyRef](through, through.next))
      // The ring is found before the collection that it leads through.
      val both = ring(Array[AnyRef](_, null))
      both.next.asInstanceOf[Array[AnyRef]](1) = List(both)
      assertLost(both)
      assertKept(ring(Array[AnyRef](_, null)), ring(Outer(_)))
    }

    test(s"$name: of a class that names one that isn't there nothing is known") {
      val loader = new ClassLoader(getClass.getClassLoader) {
        override def loadClass(name: String, resolve: Boolean): Class[_] =
          if (name == classOf[Absent].getName) throw new ClassNotFoundException(name)
          else if (name == classOf[NamesAbsent].getName) {
            val file = getParent.getResourceAsStream(name.replace('.', '/') + ".class")
            val bytes = ByteStreams.toByteArray(file)
            defineClass(name, bytes, 0, bytes.length)
          } else super.loadClass(name, resolve)
      }
      val c = loader.loadClass(classOf[NamesAbsent].getName)
      assertLost(c.getConstructor(classOf[String]).newInstance("state"))
    }

    test(s"$name: of a class that writes its own form nothing is known") {
      assertLost(
        new Written("state"),
        new Replaced("state"),
        new Resolved("state"),
        new External("state"),
        new External(null),
        Written.inLambda
      )
    }

    test(s"$name: what a collection's subclass holds besides is lost") {
      assertLost(new NamedList("name"), new NamedMap("name"), new NamedBuffer("name"), new Failed)
    }

    test(s"$name: hash tables and lazy collections of others' making aren't known") {
      assertLost(
        new java.util.HashMap[String, String],
        new java.util.PriorityQueue[String],
        scala.collection.mutable.LinkedHashMap(1 -> 2),
        Map(1 -> 2).withDefaultValue(3),
        scala.collection.immutable.TreeMap(1 -> 2),
        Stream.from(1),
        List(1).view
      )
    }

    test(s"$name: Scala objects and enum constants stay what they are") {
      assertKept(Red, None, Nil, (Red, 1), Thread.State.NEW, java.util.concurrent.TimeUnit.DAYS)
    }

    test(s"$name: elements of which nothing can be lost aren't looked into") {
      assert(form.isClosed(classOf[Plain]) && form.isClosed(classOf[Array[Long]]))
      assert(form.isClosed((1, 2L).getClass) && form.isClosed(classOf[Array[String]]))
      assert(!form.isClosed(classOf[Outer]) && !form.isClosed(classOf[Cached]))
      assert(!form.isClosed(classOf[Array[Cached]]) && !form.isClosed(classOf[Some[_]]))
    }

    test(s"$name: rings and very long chains end, and shared containers are looked at once") {
      val ring = new Node
      ring.next = ring
      assertKept(ring)
      val long = (1 to 1000000).foldLeft(null: Node) { (next, _) =>
        val node = new Node
        node.next = next
        node
      }
      assertKept(long)
      val shared = Vector.fill(100000)(Outer(null))
      val elements = new LostState(form)
      for (_ <- 1 to 10000) assert(elements.in(Outer(shared)).isEmpty)
    }

    test(s"$name: Spark's own classes that programs cache are kept") {
      val groups = new org.apache.spark.util.collection.CompactBuffer[Any]
      for (i <- 1 to 10) groups += ((i, s"value $i"))
      assertKept(groups)
      groups += new Cached("state")
      assertLost(groups)
    }
  }

  test("Java: what a superclass that isn't serializable holds is lost, and Kryo writes it") {
    assert(lost(JavaForm, new OnUnserializable("state")))
    assert(!lost(kryo, new OnUnserializable("state")))
    assert(lost(JavaForm, new Unserializable("state")))
    assert(!lost(kryo, new Unserializable("state")))
  }

  test("Kryo: what a constructor without parameters would set again is unknown") {
    assert(lost(kryo, new ByConstructor))
    assert(!lost(JavaForm, { val element = new ByConstructor; element.cache = null; element }))
  }

  test("Java: what a constructor that runs again would set is unknown") {
    val element = new OnPrepared
    element.state = null
    assert(lost(JavaForm, element))
  }

  test("Kryo: without references, what is there twice isn't kept") {
    val settings = new SparkConf(false).set("spark.kryo.referenceTracking", "false")
    val form = formOf(new KryoSerializer(settings).newKryo())
    val (plain, node) = (Plain(1, "text"), new Node)
    for (shared <- Seq(plain, node, Array(1), Array("text"), Outer(plain))) {
      assert(!lost(kryo, Outer(Outer(shared))) && !lost(kryo, List(shared, Outer(shared))))
      assert(!lost(form, Outer(Outer(shared))) && lost(form, List(shared, Outer(shared))))
    }
    assert(!lost(form, List("text", "text", 1, 1)))
    node.next = node
    assert(lost(form, node))
  }

  test("Kryo: serializers of its own that a program made otherwise aren't trusted") {
    def form(register: Kryo => Any): KryoForm = {
      val kryo = new KryoSerializer(new SparkConf(false)).newKryo()
      register(kryo)
      formOf(kryo)
    }
    def fields(kryo: Kryo, c: Class[_]): FieldSerializer[AnyRef] = {
      val serializer = new FieldSerializer[AnyRef](kryo, c)
      kryo.register(c, serializer)
      serializer
    }
    val date = new java.util.Date(1)
    assert(!lost(kryo, date) && lost(form(fields(_, classOf[java.util.Date])), date))
    val list = new java.util.LinkedList(java.util.Arrays.asList("text"))
    assert(!lost(kryo, list) && lost(form(fields(_, list.getClass)), list))
    val plain = Outer(Plain(1, "text"))
    assert(!lost(form(fields(_, classOf[Outer])), plain))
    assert(lost(form(fields(_, classOf[Outer]).setFixedFieldTypes(true)), plain))
    assert(lost(form(fields(_, classOf[Outer]).removeField("inner")), plain))
    val two = Two(Plain(1, "text"), Plain(2, "text"))
    assert(!lost(form(fields(_, classOf[Two])), two))
    assert(lost(form(fields(_, classOf[Two]).getField("any").setClass(classOf[Plain])), two))
  }

  test("Kryo: only its own way of writing fields is trusted") {
    assert(lost(kryo, new WritesItself("state")))
    assert(lost(kryo, new Annotated("state")))
    val own = new KryoSerializer(new SparkConf(false)).newKryo()
    own.register(classOf[Plain], new JavaSerializer)
    assert(lost(formOf(own), Plain(1, "text")))
    val strict = new KryoSerializer(
      new SparkConf(false).set("spark.kryo.registrationRequired", "true")
    ).newKryo()
    assert(lost(formOf(strict), Plain(1, "text")))
  }
}

object LostStateSuite {
  class Cached(@transient val state: String) extends Serializable
  class Derived(text: String) extends Cached(text)
  class Counter(@transient val count: Int) extends Serializable
  class Ratio(@transient val of: Double) extends Serializable
  class Boxed(@transient val count: java.lang.Integer) extends Serializable
  case class Outer(inner: Any)
  final case class Plain(number: Int, text: String)
  case class Two(plain: Plain, any: Any)
  case object Red

  class Lazy(base: Int) extends Serializable {
    @transient lazy val values: ArrayBuffer[Int] = ArrayBuffer(base)
  }

  class Written(@transient val state: String) extends Serializable {
    private def writeObject(out: ObjectOutputStream): Unit = out.writeObject(state)
    private def readObject(in: ObjectInputStream): Unit = { val _ = in.readObject() }
  }

  object Written {
    def inLambda: () => String = () => "made"
  }

  class Replaced(val state: String) extends Serializable {
    protected def writeReplace(): AnyRef = "another"
  }

  class Resolved(val state: String) extends Serializable {
    protected def readResolve(): AnyRef = new Resolved("another")
  }

  class External(@transient val state: String) extends Externalizable {
    override def writeExternal(out: ObjectOutput): Unit = out.writeObject(state)
    override def readExternal(in: ObjectInput): Unit = { val _ = in.readObject() }
  }

  class NamedList(val name: String) extends java.util.ArrayList[String]
  class NamedMap(val name: String) extends java.util.HashMap[String, String]
  class NamedBuffer(val name: String) extends scala.collection.mutable.ArrayBuffer[String]
  class Failed extends RuntimeException

  class Unserializable(val state: String)
  class OnUnserializable(text: String) extends Unserializable(text) with Serializable

  class Absent

  class NamesAbsent(val state: String) extends Serializable {
    def name(absent: Absent): String = absent.toString
  }

  class ByConstructor extends Serializable {
    @transient var cache: String = "made"
  }

  abstract class Prepared {
    prepare()
    def prepare(): Unit
  }

  class OnPrepared extends Prepared with Serializable {
    @transient var state: String = _
    override def prepare(): Unit = state = "by the constructor"
  }

  class WritesItself(var state: String) extends KryoSerializable {
    override def write(kryo: Kryo, output: Output): Unit = output.writeString("another")
    override def read(kryo: Kryo, input: Input): Unit = state = input.readString()
  }

  @DefaultSerializer(classOf[JavaSerializer])
  class Annotated(val state: String) extends Serializable

  class Node extends Serializable {
    var next: AnyRef = _
  }
}
