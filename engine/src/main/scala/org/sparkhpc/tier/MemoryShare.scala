package org.sparkhpc.tier

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong

/** How much of a node's memory this process may fill with files that it writes unasked, in a tmpfs.
  *
  * Bytes are taken before they are written, under the name of their file, and given back with the file.
  * All methods are thread-safe.
  *
  * @param limit in bytes, together with what others have there
  * @param others bytes of the other files there, given what tells that a file of some name is counted here
  */
final class MemoryShare(val limit: Long, others: (String => Boolean) => UncountedBytes) {
  private val byName = new ConcurrentHashMap[String, Long]
  private val taken = new AtomicLong
  private val uncounted = others(byName.containsKey(_))

  def hasRoom: Boolean = taken.get + uncounted.bytes < limit

  /** False if they would be more than the limit. */
  def take(name: String, bytes: Long): Boolean = {
    val isThere = taken.addAndGet(bytes) + uncounted.bytes <= limit
    if (isThere) byName.merge(name, bytes, (a, b) => a + b) else taken.addAndGet(-bytes)
    isThere
  }

  /** The file isn't there any more. */
  def giveBack(name: String): Unit =
    Option(byName.remove(name)).foreach(bytes => taken.addAndGet(-bytes))

  def used: Long = taken.get
}
