package org.apache.spark.storage.hpc.scratch

import java.io.File
import java.util.UUID

import org.sparkhpc.probe.{ProbeFile, ProbeRounds}

/** What executors ask the driver when they find out whether the file system of a directory is coherent. All messages
  * name the driver's directory and the executor's client of the file system.
  */
private[scratch] object CoherenceMessages {

  /** Asks what this client has to do. The answer is a [[org.sparkhpc.probe.ProbeJury.Answer]]. */
  final case class Question(directory: String, client: String)

  /** The executor has created its file. The driver opens it, and answers with its own; with None if it doesn't see the
    * executor's.
    */
  final case class Begun(directory: String, client: String, file: Named)

  /** The answer is whether the driver sees this round of the executor. When it comes, the driver has written its own. */
  final case class Round(directory: String, client: String, round: Int)

  /** @param where names the executor in the driver's log */
  final case class Ended(
      directory: String,
      client: String,
      outcome: ProbeRounds.Outcome,
      where: String
  )

  /** A file in the directory, by its name. */
  final case class Named(name: String, words: String) {
    def open(directory: String): ProbeFile.Reader =
      ProbeFile.open(new File(directory, name).toPath, words)
  }

  def named(file: ProbeFile): Named = Named(file.path.getFileName.toString, file.words)

  def create(directory: String): ProbeFile =
    ProbeFile.create(new File(directory, s"coherence-${UUID.randomUUID()}").toPath)
}
