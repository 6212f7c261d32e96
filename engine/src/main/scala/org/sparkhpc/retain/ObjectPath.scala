package org.sparkhpc.retain

import java.util.IdentityHashMap

/** A stack of objects that knows whether it contains an object. Most paths are short: the first 16 objects are
  * compared one by one, and only those further up are in a hash table.
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

  /** Removes the last object, which is `value`. */
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
