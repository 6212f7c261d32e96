package org.sparkhpc.tier

import java.io.IOException
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.nio.file.StandardOpenOption.{CREATE_NEW, WRITE}

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
    * late.
    */
  def within(nanos: Long, now: () => Long, pause: () => Unit)(isSo: => Boolean): Boolean = {
    val begun = now()
    var found = isSo
    while (!found && now() - begun < nanos) {
      pause()
      found = isSo
    }
    found
  }
}
