package org.apache.spark.hpc.elements

import java.lang.reflect.{Field, Modifier}
import java.{util => ju}

import scala.collection.JavaConverters._

import org.apache.spark.unsafe.types.UTF8String

/** Everything that a program can see of an object, as text: classes, fields, also transient ones, what a
  * collection iterates over and finds, and which of the mutable objects in it are one.
  */
final class Shape private {
  import Shape._

  private val text = new StringBuilder
  private val numbers = new ju.IdentityHashMap[AnyRef, Int]
  private val path = new ju.IdentityHashMap[AnyRef, Int]

  private def show(value: Any): Unit = value match {
    case null => text ++= "null"
    case leaf if isLeaf(leaf) => text ++= s"${leaf.getClass.getName}:${told(leaf)}"
    case one: AnyRef if path.containsKey(one) => text ++= s"^${path.size - path.get(one)}"
    case one: AnyRef if isMutable(one) && numbers.containsKey(one) =>
      text ++= s"#${numbers.get(one)}"
    case one: AnyRef =>
      if (isMutable(one)) numbers.put(one, numbers.size)
      path.put(one, path.size)
      inside(one)
      path.remove(one): Unit
  }

  private def inside(value: AnyRef): Unit = {
    text ++= nameOf(value.getClass) += '('
    value match {
      case bytes: Array[Byte] =>
        text ++= s"${bytes.length} bytes of hash ${ju.Arrays.hashCode(bytes)}"
      case array: Array[_] => all(array.iterator)
      case _: collection.Iterable[_] | _: ju.Map[_, _] | _: ju.Collection[_] => contents(value)
      case function: Function0[_] if isLambda(value.getClass) => show(function())
      case product: Product if isPlatform(value.getClass) =>
        all(product.productIterator)
      case reference: ju.concurrent.atomic.AtomicReference[_] => show(reference.get)
      case _ =>
    }
    fields(value)
    text += ')'
  }

  private def contents(value: AnyRef): Unit = value match {
    case stream: Stream[_] => all(stream.iterator.take(Few))
    case map: collection.Map[_, _] => entries(map)
    case set: collection.Set[_] =>
      all(set.iterator)
      all(set.iterator.map(found => set.asInstanceOf[collection.Set[Any]](found)))
    case values: collection.Iterable[_] => all(values.iterator)
    case map: ju.Map[_, _] => entries(map.asScala)
    case values: ju.Collection[_] => all(values.iterator.asScala)
  }

  private def entries(map: collection.Map[_, _]): Unit = {
    val any = map.asInstanceOf[collection.Map[Any, Any]]
    all(any.iterator.flatMap { case (key, found) => Iterator(key, found, any.contains(key)) })
    map match {
      case map: scala.collection.immutable.Map.WithDefault[_, _] =>
        show(map.asInstanceOf[Map[Any, Any]]("nobody's key"))
      case _ =>
    }
  }

  private def all(values: Iterator[Any]): Unit = for (value <- values) {
    show(value)
    text += ','
  }

  private def fields(value: AnyRef): Unit = {
    for (field <- Shape.fields.get(value.getClass)) {
      text ++= field.getName += '='
      show(field.get(value))
      text += ';'
    }
    value match {
      case observed: Observed => show(observed.observe)
      case _ =>
    }
  }
}

object Shape {
  def of(value: Any): String = {
    val shape = new Shape
    shape.show(value)
    shape.text.toString
  }

  private val Few = 5

  /** Of classes that aren't Java's or Scala's. */
  private val fields = new ClassValue[List[Field]] {
    override def computeValue(c: Class[_]): List[Field] =
      if (isLambda(c)) Nil
      else
        Iterator.iterate[Class[_]](c)(_.getSuperclass).takeWhile(_ != null).filterNot(isPlatform)
          .flatMap(_.getDeclaredFields).filterNot(isLeftOut).toList.sortBy(field =>
            (field.getDeclaringClass.getName, field.getName)
          ).map { field =>
            field.setAccessible(true)
            field
          }
  }

  private def isLeftOut(field: Field): Boolean =
    Modifier.isStatic(field.getModifiers) || field.getName.startsWith("bitmap$") ||
      field.getDeclaringClass.getDeclaredMethods.exists(_.getName == field.getName + "$lzycompute")

  private def isPlatform(c: Class[_]): Boolean =
    Seq("java.", "javax.", "jdk.", "sun.", "com.sun.", "scala.").exists(c.getName.startsWith(_))

  private def isLambda(c: Class[_]): Boolean = c.getName.contains("$$Lambda")

  private def nameOf(c: Class[_]): String =
    if (isLambda(c)) "lambda" else if (ju.Optional.empty.getClass == c) "optional" else c.getName

  /** Values whose own text tells all of them. */
  private def isLeaf(value: Any): Boolean = value match {
    case _: UTF8String => true
    case _: String | _: Number | _: java.lang.Boolean | _: Character | _: Class[_] |
        _: Enum[_] => isPlatform(value.getClass) || value.isInstanceOf[Enum[_]]
    case _: collection.Iterable[_] | _: Product | _: ju.Collection[_] | _: ju.Map[_, _] => false
    case other => isPlatform(other.getClass) && !other.getClass.isArray &&
      !other.isInstanceOf[ju.concurrent.atomic.AtomicReference[_]] && !isLambda(other.getClass)
  }

  private def told(leaf: Any): String = leaf match {
    case d: Double => java.lang.Double.doubleToRawLongBits(d).toHexString
    case f: Float => java.lang.Float.floatToRawIntBits(f).toHexString
    case decimal: BigDecimal => s"$decimal ${decimal.mc}"
    case random: ju.Random => seedOf(random)
    case reference: java.lang.ref.Reference[_] => s"${reference.get}"
    case _: ThreadLocal[_] => "its thread's"
    case other => other.toString
  }

  private def seedOf(random: ju.Random): String = {
    val seed = classOf[ju.Random].getDeclaredField("seed")
    seed.setAccessible(true)
    seed.get(random).toString
  }

  /** What nobody can change can be one or many without a difference. */
  private def isMutable(value: AnyRef): Boolean = value match {
    case _: scala.collection.immutable.Traversable[_] | _: Option[_] | _: Either[_, _] => false
    case _: ju.Collection[_] | _: ju.Map[_, _] | _: scala.collection.mutable.Traversable[_] => true
    case array if array.getClass.isArray => java.lang.reflect.Array.getLength(array) > 0
    case other => !isPlatform(other.getClass) && !isLambda(other.getClass)
  }
}
