package org.sparkhpc.retain

import java.{time => jt, util => ju}

import scala.collection.JavaConverters._
import scala.collection.immutable.{HashMap, HashSet}
import scala.collection.mutable.{ArrayBuffer, ListBuffer, WrappedArray}

import org.apache.spark.SparkConf
import org.apache.spark.serializer.{JavaSerializer, KryoSerializer}
import org.apache.spark.unsafe.types.UTF8String
import org.scalatest.funsuite.AnyFunSuite

/** Each class of which [[PlatformClasses]] says that nothing is lost comes back as it was. */
class PlatformClassesSuite extends AnyFunSuite {
  import PlatformClassesSuite._

  private val conf = new SparkConf(false)
  private val serializers = Seq(new JavaSerializer(conf), new KryoSerializer(conf))

  private def sent[T <: AnyRef](serializer: org.apache.spark.serializer.Serializer, value: T): T = {
    val instance = serializer.newInstance()
    instance.deserialize[AnyRef](instance.serialize[AnyRef](value)).asInstanceOf[T]
  }

  for (serializer <- serializers)
    test(s"${serializer.getClass.getSimpleName}: equal, of the same class, in the same order") {
      for (example <- examples) {
        val copy = sent(serializer, example)
        assert(copy.getClass == example.getClass)
        // By Java's equality, which tells NaN and -0.0.
        assert(inOrder(copy).equals(inOrder(example)), example.getClass)
      }
    }

  test("decimals whose rounding one of the serializers forgets aren't listed") {
    val third = BigDecimal(1, new java.math.MathContext(3))
    assert(serializers.exists(sent(_, third) / 3 != third / 3))
    assert(!PlatformClasses.isLeaf(third.getClass))
  }

  test("no class of the lists is without an example, and no example without its class") {
    val seen = examples.map(_.getClass.getName).toSet
    val tuples = seen.filter(_.startsWith("scala.Tuple"))
    assert(PlatformClasses.Leaves ++ PlatformClasses.Containers == seen -- tuples)
  }
}

object PlatformClassesSuite {

  /** The value with what its iteration shows, which `equals` needn't look at. */
  private def inOrder(value: AnyRef): Any = value match {
    case collection: ju.Collection[_] => collection.iterator.asScala.toList
    case iterable: scala.collection.Iterable[_] => iterable.iterator.toList
    case other => other
  }

  private def many(n: Int) = 1 to n map (i => s"$i" -> i.toLong)

  private val examples: Seq[AnyRef] = Seq(
    "text",
    java.lang.Boolean.TRUE,
    Byte.box(1),
    Char.box('c'),
    Short.box(1),
    Int.box(-1),
    Long.box(Long.MinValue),
    Float.box(-0.0f),
    Double.box(Double.NaN),
    classOf[String],
    new java.math.BigInteger("123456789012345678901234567890"),
    new java.math.BigDecimal("-1.50"),
    new ju.Date(12345),
    new ju.UUID(1, 2),
    new java.sql.Date(12345),
    { val t = new java.sql.Timestamp(12345); t.setNanos(123456789); t },
    jt.Duration.ofSeconds(1, 2),
    jt.Instant.ofEpochSecond(1, 2),
    jt.LocalDate.of(2026, 11, 23),
    jt.LocalDateTime.of(2026, 11, 23, 1, 2, 3, 4),
    jt.LocalTime.of(1, 2, 3, 4),
    jt.Period.of(1, 2, 3),
    None,
    Nil,
    1 until 10 by 2,
    1 to 10,
    BigInt(1) << 200,
    UTF8String.fromString("text"),
    new ju.ArrayDeque(ju.Arrays.asList("a", "b")),
    new ju.ArrayList(ju.Arrays.asList("a", null)),
    new ju.LinkedList(ju.Arrays.asList("a", null)),
    Some("a"),
    List("a", null),
    HashMap("a" -> 1L),
    HashMap(many(100): _*),
    HashSet("a"),
    HashSet(many(100): _*),
    Map(many(1): _*),
    Map(many(2): _*),
    Map(many(3): _*),
    Map(many(4): _*),
    Set(many(1): _*),
    Set(many(2): _*),
    Set(many(3): _*),
    Set(many(4): _*),
    many(100).toVector,
    ArrayBuffer(many(100): _*),
    ListBuffer(many(100): _*),
    Left("a"),
    Right("a"),
    WrappedArray.make(Array("a", null)),
    WrappedArray.make(Array[Byte](1)),
    WrappedArray.make(Array[Short](1)),
    WrappedArray.make(Array('c')),
    WrappedArray.make(Array(1)),
    WrappedArray.make(Array(1L)),
    WrappedArray.make(Array(1.0f)),
    WrappedArray.make(Array(-0.0)),
    WrappedArray.make(Array(true)),
    Tuple1("a"),
    Tuple1(1),
    Tuple1(1.0),
    ("a", "b"),
    (1, 2),
    (1, 2L),
    (1.0, 'c'),
    (true, false),
    (1, "a", 2.0),
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22)
  )
}
