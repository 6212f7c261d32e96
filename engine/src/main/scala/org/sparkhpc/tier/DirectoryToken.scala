package org.sparkhpc.tier

import java.io.IOException
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.nio.file.StandardOpenOption.{CREATE_NEW, WRITE}
import java.util.concurrent.TimeUnit

/** Words in a file that tell whether a path leads to the same directory on two nodes: one node writes them, the
  * other looks for them.
  */
final case class DirectoryToken(file: Path, words: String) {

  def write(): Unit = Files.write(file, words.getBytes(UTF_8), CREATE_NEW, WRITE): Unit

  /** Whether this node sees the file with all of these words. */
  def isSeen: Boolean =
    try new String(Files.readAllBytes(file), UTF_8) == words
    catch { case _: IOException => false }
}

object DirectoryToken {

  /** Repeats a check until it is true or `nanos` have passed: a client of a shared file system may see a new file
    * late. Each pause is twice as long as the one before: each check of thousands of executors is a request to one server.
    *
    * @param pause waits for so many milliseconds
    */
  def within(nanos: Long, now: () => Long, pause: Long => Unit)(isSo: => Boolean): Boolean = {
    val end = now() + nanos
    var found = isSo
    var millis = FirstPause
    while (!found && end - now() > 0) {
      pause(math.min(millis, TimeUnit.NANOSECONDS.toMillis(end - now()) + 1))
      millis *= 2
      found = isSo
    }
    found
  }

  private val FirstPause = 50L
}
