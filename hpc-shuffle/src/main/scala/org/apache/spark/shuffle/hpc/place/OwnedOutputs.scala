package org.apache.spark.shuffle.hpc.place

import java.io.IOException
import java.nio.file.Path

import org.apache.spark.Refusal
import org.apache.spark.internal.config.Hpc
import org.sparkhpc.tier.{FileSystemKind, ScratchDirectory}

/** An application's [[OutputDirectory]] as its driver owns it. Only the driver removes what is in it.
  *
  * Like any [[ScratchDirectory]], it can be recognized as a dead process's after the driver was killed.
  */
private[hpc] final class OwnedOutputs private (path: Path, owned: ScratchDirectory) {
  private val outputs = new OutputDirectory(path)

  def remove(shuffle: Int): Unit = outputs.remove(shuffle)

  def remove(): Unit =
    try outputs.remove()
    finally owned.close()

  /** Deletes what killed drivers left beside it, as [[ScratchDirectory]] describes. Returns the deleted paths. */
  def sweep(kind: FileSystemKind): Seq[Path] = owned.sweep(kind)
}

private[hpc] object OwnedOutputs {

  /** Creates the directory and writes `token` to it, by which executors recognize it.
    *
    * @param stripe sets the stripes of new files in the directory, before there are any
    */
  def create(path: Path, token: String)(stripe: Path => Unit): OwnedOutputs =
    try {
      ScratchDirectory.parent(path.getParent)
      val owned = ScratchDirectory.at(path)
      try stripe(path)
      catch {
        case failure: Throwable =>
          owned.close()
          throw failure
      }
      OutputDirectory.tokenIn(path, token).write()
      new OwnedOutputs(path, owned)
    } catch {
      case failure: IOException =>
        throw Refusal(
          s"${Hpc.SHUFFLE_DIRECTORY.key}=${path.getParent} is no directory where the driver can " +
            s"write, or isn't safe: ${failure.getMessage}. Write a directory of the shared file system"
        )
    }
}
