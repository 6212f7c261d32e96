package org.sparkhpc.tier

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong

/** Limits how much of a node's memory this process takes for files in a tmpfs that it writes without being asked
  * to.
  *
  * Bytes are taken under the name of their file before they are written, and given back when the file is gone.
  * All methods are thread-safe.
  *
  * @param limit in bytes, including the files that others have there
  * @param others makes the count of the other files' bytes there, from a test whether a file of some name is
  *   counted here
  */
final class MemoryShare(val limit: Long, others: (String => Boolean) => UncountedBytes) {
  private val byName = new ConcurrentHashMap[String, Long]
  private val taken = new AtomicLong
  private val uncounted = others(byName.containsKey(_))

  def hasRoom: Boolean = taken.get + uncounted.bytes < limit

  /** Takes bytes for a file; false if they would exceed the limit. */
  def take(name: String, bytes: Long): Boolean = {
    val isThere = taken.addAndGet(bytes) + uncounted.bytes <= limit
    if (isThere) byName.merge(name, bytes, (a, b) => a + b) else taken.addAndGet(-bytes)
    isThere
  }

  /** Gives back the bytes of a file that is gone. */
  def giveBack(name: String): Unit =
    Option(byName.remove(name)).foreach(bytes => taken.addAndGet(-bytes))

  def used: Long = taken.get
}
