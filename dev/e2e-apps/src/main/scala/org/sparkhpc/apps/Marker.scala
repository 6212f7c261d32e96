package org.sparkhpc.apps

import java.nio.charset.StandardCharsets.ISO_8859_1
import java.nio.file.{Files, Path, Paths}

/** A word that is in every record, to be looked for in the scratch files of an application. */
object Marker {

  val word = "plainly-to-be-read"

  /** How many files of `directory` have a name of this beginning, and how many hold the word. */
  def in(directory: String, prefix: String): Found = {
    val all = FilesBelow(Paths.get(directory)).filter(_.getFileName.toString.startsWith(prefix))
    Found(all.size, all.count(holdsWord))
  }

  final case class Found(files: Int, marked: Int)

  private def holdsWord(file: Path): Boolean =
    new String(Files.readAllBytes(file), ISO_8859_1).contains(word)
}
