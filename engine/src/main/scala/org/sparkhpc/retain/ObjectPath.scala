package org.sparkhpc.retain

import java.util.IdentityHashMap

/** A stack of objects that knows whether an object is in it. Most paths are short: their objects are compared
  * one by one, and only those of a longer one are in a table.
  */
private[retain] final class ObjectPath {
  import ObjectPath._

  private val first = new Array[AnyRef](Short)
  private val others = new IdentityHashMap[AnyRef, AnyRef]
  private var depth = 0

  def push(value: AnyRef): Unit = {
    if (depth < Short) first(depth) = value else others.put(value, value)
    depth += 1
  }

  /** Takes the last one away, which is this. */
  def pop(value: AnyRef): Unit = {
    depth -= 1
    if (depth < Short) first(depth) = null else others.remove(value): Unit
  }

  def contains(value: AnyRef): Boolean = {
    var i = math.min(depth, Short) - 1
    while (i >= 0 && (first(i) ne value)) i -= 1
    i >= 0 || depth > Short && others.containsKey(value)
  }

  def clear(): Unit = {
    java.util.Arrays.fill(first, 0, math.min(depth, Short), null)
    depth = 0
    if (!others.isEmpty) others.clear()
  }
}

private object ObjectPath {
  private val Short = 16
}
