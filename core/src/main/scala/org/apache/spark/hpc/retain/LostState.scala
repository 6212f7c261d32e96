package org.apache.spark.hpc.retain

import java.lang.reflect.{Field, Modifier}
import java.util.{IdentityHashMap, Map => JMap}

import scala.collection.JavaConverters._
import scala.collection.mutable
import scala.util.control.NonFatal

/** Finds state that a spill would lose without an error: fields that serialization leaves out, and
  * that hold something.
  *
  * Those are `transient` fields and the fields of superclasses that aren't `Serializable`, unless
  * the class writes its own form. A Scala `@transient lazy val` is computed again when asked for,
  * so it may hold something. Collections of Java and Scala keep their elements in transient fields,
  * and write them: of these the elements are looked at.
  *
  * It is a sample: a number of objects that can be reached from an element, not all.
  */
object LostState {
  private val MaxObjects = 1000
  private val MaxElements = 8

  /** The first field found that would lose what it holds, as `Class.field`. */
  def in(element: Any): Option[String] = {
    val seen = new IdentityHashMap[AnyRef, AnyRef]
    val todo = mutable.Queue[AnyRef]()
    def look(value: Any): Unit = value match {
      case reference: AnyRef if !isLeaf(reference) =>
        if (seen.size < MaxObjects && seen.put(reference, reference) == null) todo += reference
      case _ =>
    }
    look(element)
    var lost = Option.empty[String]
    while (lost.isEmpty && todo.nonEmpty)
      lost = visit(todo.dequeue(), look)
    lost
  }

  private def isLeaf(value: AnyRef): Boolean = value match {
    case null => true
    case _: String | _: java.lang.Number | _: java.lang.Boolean | _: java.lang.Character => true
    case _: Class[_] | _: Enum[_] => true
    case _ => value.getClass.isArray && value.getClass.getComponentType.isPrimitive
  }

  private def visit(value: AnyRef, look: Any => Unit): Option[String] =
    value match {
      case array: Array[AnyRef] =>
        array.iterator.take(MaxElements).foreach(look)
        None
      case _ if isPlatform(value.getClass) =>
        try elements(value).take(MaxElements).foreach(look)
        catch { case NonFatal(_) => () } // changed by its owner's thread while we looked
        None
      case _ =>
        plans.get(value.getClass).visit(value, look)
    }

  private def isPlatform(c: Class[_]): Boolean =
    Seq("java.", "javax.", "jdk.", "sun.", "scala.").exists(c.getName.startsWith(_))

  private def elements(value: AnyRef): Iterator[Any] = value match {
    case map: JMap[_, _] => map.asScala.iterator.flatMap { case (k, v) => Iterator(k, v) }
    case iterable: java.util.Collection[_] => iterable.asScala.iterator
    // Looking into what is lazy would compute it.
    case _: Stream[_] | _: scala.collection.TraversableView[_, _] => Iterator.empty
    case iterable: scala.collection.Iterable[_] => iterable.iterator
    case product: Product => product.productIterator
    case _ => Iterator.empty
  }

  private val plans = new ClassValue[Plan] {
    override def computeValue(c: Class[_]): Plan = Plan.of(c)
  }

  /** What is to be looked at in each object of a class. */
  private final class Plan(leftOut: Seq[Field], kept: Seq[Field]) {
    def visit(value: AnyRef, look: Any => Unit): Option[String] = {
      val lost = leftOut.find(holdsSomething(_, value))
      if (lost.isEmpty) kept.foreach(field => look(field.get(value)))
      lost.map(field => s"${field.getDeclaringClass.getName}.${field.getName}")
    }

    private def holdsSomething(field: Field, value: AnyRef): Boolean = field.get(value) match {
      case null => false
      case number: java.lang.Number => number.doubleValue != 0
      case flag: java.lang.Boolean => flag
      case character: java.lang.Character => character != 0
      case _ => true
    }
  }

  private object Plan {
    def of(c: Class[_]): Plan =
      try read(c)
      catch { case NonFatal(_) => new Plan(Nil, Nil) } // a module that isn't open: the JDK's own

    private def read(c: Class[_]): Plan = {
      val serializable = isSerializable(c)
      val fields = Iterator
        .iterate[Class[_]](c)(_.getSuperclass)
        .takeWhile(each => each != null && !isPlatform(each))
        .flatMap(each => each.getDeclaredFields.iterator.map(each -> _))
        .filterNot { case (_, field) => Modifier.isStatic(field.getModifiers) }
        .toSeq
      val (leftOut, kept) = fields.partition { case (owner, field) =>
        // Without it the class is Kryo's, which writes superclasses as well.
        serializable && !isSerializable(owner) || isLeftOut(owner, field)
      }
      leftOut.foreach(_._2.setAccessible(true))
      kept.foreach(_._2.setAccessible(true))
      new Plan(leftOut.map(_._2), kept.map(_._2).filterNot(_.getType.isPrimitive))
    }

    private def isSerializable(c: Class[_]): Boolean =
      classOf[java.io.Serializable].isAssignableFrom(c)

    private def isLeftOut(owner: Class[_], field: Field): Boolean =
      Modifier.isTransient(field.getModifiers) && !writesOwnForm(owner) && !isLazy(owner, field)

    private def writesOwnForm(owner: Class[_]): Boolean =
      classOf[java.io.Externalizable].isAssignableFrom(owner) ||
        owner.getDeclaredMethods.exists(method =>
          method.getName == "writeObject" || method.getName == "writeReplace"
        )

    private def isLazy(owner: Class[_], field: Field): Boolean =
      field.getName.startsWith("bitmap$") ||
        owner.getDeclaredMethods.exists(_.getName == field.getName + "$lzycompute")
  }
}
