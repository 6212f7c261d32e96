package org.sparkhpc.apps

import java.nio.charset.StandardCharsets.ISO_8859_1
import java.nio.file.{Files, NoSuchFileException, Path, Paths}

/** A word that is in every record, to be looked for in the scratch files of an application. */
object Marker {

  val word = "plainly-to-be-read"

  /** How many files of `directory` have a name of this beginning, and how many hold the word; without those that
    * another task deletes meanwhile.
    */
  def in(directory: String, prefix: String): Found = {
    val contents = FilesBelow(Paths.get(directory))
      .filter(_.getFileName.toString.startsWith(prefix)).flatMap(contentOf)
    Found(contents.size, contents.count(_.contains(word)))
  }

  final case class Found(files: Int, marked: Int)

  private def contentOf(file: Path): Option[String] =
    try Some(new String(Files.readAllBytes(file), ISO_8859_1))
    catch { case _: NoSuchFileException => None }
}
