package org.apache.spark.hpc.retain

import java.lang.reflect.Field
import java.util.{ArrayDeque, IdentityHashMap}

import org.apache.spark.hpc.retain.SerializedForm._

/** Finds what a serializer would lose of the elements of one block, without an error: state in fields
  * that it leaves out, and objects of which it isn't known what it keeps.
  *
  * All elements are to be shown to it, and everything that can be reached from them is looked at, but
  * for what is closed ([[SerializedForm.isClosed]]). For one thread.
  */
private[spark] final class LostState(form: SerializedForm) {
  import LostState._

  // Of the objects on the way from the element to the one that is looked at: what they refer to.
  private val path = new ArrayDeque[Iterator[Any]]
  private val seen = new IdentityHashMap[AnyRef, AnyRef]
  private var visited = 0

  // Containers that elements may share: looking into them for each element would take too long.
  private val large = new IdentityHashMap[AnyRef, AnyRef]

  /** What would be lost of an element, and why; None if nothing would. */
  def in(element: Any): Option[String] =
    if (isClosed(element)) None
    else
      try {
        var lost = visit(element.asInstanceOf[AnyRef])
        while (lost.isEmpty && !path.isEmpty)
          if (!path.peek.hasNext) path.pop()
          else {
            val next = path.peek.next()
            if (!isClosed(next)) lost = visit(next.asInstanceOf[AnyRef])
          }
        lost
      } finally {
        path.clear()
        if (!seen.isEmpty) seen.clear()
        visited = 0
      }

  private def isClosed(value: Any): Boolean = value match {
    case reference: AnyRef => form.isClosed(reference.getClass)
    case _ => true // null
  }

  private def visit(value: AnyRef): Option[String] =
    if (!isNew(value)) None
    else
      form.of(value.getClass) match {
        case Whole => None
        case Unknown(why) => Some(why)
        case Elements =>
          if (!large.containsKey(value)) path.push(new Counted(value))
          None
        case Fields(kept, leftOut) =>
          val lost = leftOut.find(holdsSomething(_, value))
          if (lost.isEmpty && kept.nonEmpty) path.push(kept.iterator.map(_.get(value)))
          lost.map { field =>
            s"${field.getDeclaringClass.getName}.${field.getName} holds something and isn't written"
          }
      }

  /** True for the first few objects, and then for each that wasn't seen: most elements are small. */
  private def isNew(value: AnyRef): Boolean = {
    visited += 1
    visited <= Few || seen.put(value, value) == null
  }

  /** The elements of a container, which is known as large at their end if it is. */
  private final class Counted(container: AnyRef) extends Iterator[Any] {
    private val elements = container match {
      case array: Array[AnyRef] => array.iterator
      case _ => PlatformClasses.elements(container)
    }
    private var left = Large

    override def hasNext: Boolean = {
      val more = elements.hasNext
      if (!more && left <= 0) {
        // They would all be kept from the collector.
        if (large.size >= Few) large.clear()
        large.put(container, container)
      }
      more
    }

    override def next(): Any = {
      left -= 1
      elements.next()
    }
  }
}

private[spark] object LostState {

  /** Objects that are looked at twice rather than remembered. */
  private val Few = 32

  private val Large = 1000

  /** Whether a field has another value than the one that it comes back with. */
  private def holdsSomething(field: Field, value: AnyRef): Boolean =
    field.get(value) match {
      case null => false
      case _ if !field.getType.isPrimitive => true
      case number: java.lang.Double => java.lang.Double.doubleToRawLongBits(number) != 0
      case number: java.lang.Float => java.lang.Float.floatToRawIntBits(number) != 0
      case number: java.lang.Number => number.longValue != 0
      case flag: java.lang.Boolean => flag
      case character: java.lang.Character => character != 0
    }
}
