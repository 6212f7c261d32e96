package org.sparkhpc.retain

import java.lang.reflect.Field
import java.util.{ArrayDeque, IdentityHashMap}

import org.sparkhpc.retain.SerializedForm._

/** Finds the state that a serializer would lose, without an error, from the elements of one block: values in
  * fields that it leaves out, and objects for which it is unknown what it writes.
  *
  * An object that refers to itself through a collection is lost as well, since each of the two is needed to read
  * the other. Kryo leaves null, Java leaves the collection's stand-in, and a hash table is filled by the hashes
  * of objects that are read only in part. Cycles of arrays and of a program's own objects come back.
  *
  * Each element must be passed to it. It examines every object that can be reached from an element, except those
  * that are closed ([[SerializedForm.isClosed]]). For one thread.
  */
final class LostState(form: SerializedForm) {
  import LostState._

  // The objects on the path from the element to the object that is examined.
  private val path = new ArrayDeque[References]
  private val onPath = new ObjectPath
  private var isRing, isThroughCollection = false

  private val seen = new IdentityHashMap[AnyRef, AnyRef]
  private var visited = 0
  private val few = if (form.keepsSharing) Few else 0

  // Examined containers that elements may share: examining them for each element would take too long.
  private val large = new IdentityHashMap[AnyRef, AnyRef]

  /** What the serializer would lose of an element, and why; None if it loses nothing. */
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
          s"${field.getDeclaringClass.getName}.${field.getName} isn't written, and its value isn't the default"
        }
    }

  private def push(references: References): Unit = {
    path.push(references)
    onPath.push(references.of)
  }

  /** Why a cycle and a collection lose state, even if the cycle wasn't seen to lead through the collection:
    * serializers visit objects in an order of their own.
    */
  private def lostInRing: Option[String] =
    if (isRing && isThroughCollection) Some("an object refers to itself and to a collection")
    else None

  private def twice(value: AnyRef) =
    s"the same ${value.getClass.getName} is referenced twice, and Kryo doesn't track references"

  /** True for the first few objects, which aren't remembered since most elements are small, and then for each
    * object that wasn't seen before.
    */
  private def isNew(value: AnyRef): Boolean = {
    visited += 1
    visited <= few || seen.put(value, value) == null
  }

  /** The elements of a container. A container of at least 1000 elements is added to `large` at their end. */
  private final class Counted(container: AnyRef) extends References(container, inside(container)) {
    private var left = Large

    override def hasNext: Boolean = {
      val more = super.hasNext
      if (!more && left <= 0) {
        // Otherwise none of them could be garbage-collected.
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

  /** The objects that an object refers to. */
  private class References(val of: AnyRef, to: Iterator[Any]) extends Iterator[Any] {
    override def hasNext: Boolean = to.hasNext
    override def next(): Any = to.next()
  }

  private def inside(container: AnyRef): Iterator[Any] = container match {
    case array: Array[AnyRef] => array.iterator
    case _ => PlatformClasses.elements(container)
  }

  /** The number of objects that are examined twice rather than remembered. */
  private val Few = 32

  private val Large = 1000

  /** Whether a field's value differs from the default, with which the field comes back. */
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
