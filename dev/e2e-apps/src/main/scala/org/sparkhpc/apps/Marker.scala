package org.sparkhpc.apps

import java.nio.charset.StandardCharsets.ISO_8859_1
import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

/** A word that is in every record, to be looked for in the scratch files of an application. */
object Marker {

  val word = "plainly-to-be-read"

  /** How many files of `directory` have a name of this beginning, and how many hold the word. */
  def in(directory: String, prefix: String): Found = {
    val files = Files.walk(Paths.get(directory))
    try {
      val all = files.iterator().asScala
        .filter(file => file.getFileName.toString.startsWith(prefix) && Files.isRegularFile(file))
        .toList
      Found(all.size, all.count(holdsWord))
    } finally files.close()
  }

  final case class Found(files: Int, marked: Int)

  private def holdsWord(file: Path): Boolean =
    new String(Files.readAllBytes(file), ISO_8859_1).contains(word)
}
