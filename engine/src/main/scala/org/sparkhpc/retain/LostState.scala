package org.sparkhpc.retain

import java.lang.reflect.Field
import java.util.{ArrayDeque, IdentityHashMap}

import org.sparkhpc.retain.SerializedForm._

/** Finds what a serializer would lose of the elements of one block, without an error: state in fields
  * that it leaves out, and objects of which it isn't known what it keeps.
  *
  * An object that refers to itself through a collection is lost as well: while the one is read, the other
  * isn't there yet. Kryo leaves null, Java what stands for the collection, and a hash table is filled by
  * the hashes of what is read in part. Rings of arrays and a program's own objects come back.
  *
  * All elements are to be shown to it, and everything that can be reached from them is looked at, but
  * for what is closed ([[SerializedForm.isClosed]]). For one thread.
  */
final class LostState(form: SerializedForm) {
  import LostState._

  // The objects on the way from the element to the one that is looked at.
  private val path = new ArrayDeque[References]
  private val onPath = new ObjectPath
  private var isRing, isThroughCollection = false

  private val seen = new IdentityHashMap[AnyRef, AnyRef]
  private var visited = 0
  private val few = if (form.keepsSharing) Few else 0

  // Containers that elements may share: looking into them for each element would take too long.
  private val large = new IdentityHashMap[AnyRef, AnyRef]

  /** What would be lost of an element, and why; None if nothing would. */
  def in(element: Any): Option[String] =
    if (isClosed(element)) None
    else
      try {
        var lost = visit(element.asInstanceOf[AnyRef])
        while (lost.isEmpty && !path.isEmpty)
          if (!path.peek.hasNext) onPath.pop(path.pop().of)
          else {
            val next = path.peek.next()
            if (!isClosed(next)) lost = visit(next.asInstanceOf[AnyRef])
          }
        lost
      } finally {
        path.clear()
        onPath.clear()
        isRing = false
        isThroughCollection = false
        if (!seen.isEmpty) seen.clear()
        visited = 0
      }

  private def isClosed(value: Any): Boolean = value match {
    case reference: AnyRef if form.keepsSharing => form.isClosed(reference.getClass)
    case reference: AnyRef => form.of(reference.getClass) == Whole && !reference.getClass.isArray
    case _ => true // null
  }

  private def visit(value: AnyRef): Option[String] =
    if (onPath.contains(value)) {
      isRing = true
      if (form.keepsSharing) lostInRing else Some(twice(value))
    } else if (!isNew(value)) {
      if (form.keepsSharing) None else Some(twice(value))
    } else {
      look(value)
    }

  private def look(value: AnyRef): Option[String] =
    form.of(value.getClass) match {
      case Whole => None
      case Unknown(why) => Some(why)
      case Elements =>
        if (!value.getClass.isArray) isThroughCollection = true
        if (!form.keepsSharing || !large.containsKey(value)) push(new Counted(value))
        lostInRing
      case Fields(kept, leftOut) =>
        val lost = leftOut.find(holdsSomething(_, value))
        if (lost.isEmpty && kept.nonEmpty) {
          push(new References(value, kept.iterator.map(_.get(value))))
        }
        lost.map { field =>
          s"${field.getDeclaringClass.getName}.${field.getName} holds something and isn't written"
        }
    }

  private def push(references: References): Unit = {
    path.push(references)
    onPath.push(references.of)
  }

  /** Not only if the one is seen to lead through the other: serializers have an order of their own. */
  private def lostInRing: Option[String] =
    if (isRing && isThroughCollection) Some("an object refers to itself, and to a collection")
    else None

  private def twice(value: AnyRef) =
    s"the same ${value.getClass.getName} is there twice, and Kryo's references are off"

  /** True for the first few objects, and then for each that wasn't seen: most elements are small. */
  private def isNew(value: AnyRef): Boolean = {
    visited += 1
    visited <= few || seen.put(value, value) == null
  }

  /** The elements of a container, which is known as large at their end if it is. */
  private final class Counted(container: AnyRef) extends References(container, inside(container)) {
    private var left = Large

    override def hasNext: Boolean = {
      val more = super.hasNext
      if (!more && left <= 0) {
        // They would all be kept from the collector.
        if (large.size >= Few) large.clear()
        large.put(container, container)
      }
      more
    }

    override def next(): Any = {
      left -= 1
      super.next()
    }
  }
}

object LostState {

  /** What an object refers to. */
  private class References(val of: AnyRef, to: Iterator[Any]) extends Iterator[Any] {
    override def hasNext: Boolean = to.hasNext
    override def next(): Any = to.next()
  }

  private def inside(container: AnyRef): Iterator[Any] = container match {
    case array: Array[AnyRef] => array.iterator
    case _ => PlatformClasses.elements(container)
  }

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
