package org.sparkhpc.tier

import java.io.File
import java.util.concurrent.ConcurrentHashMap

import scala.util.Try

/** What a process knows of the coherence of its file systems: first from their types, later from what nodes saw.
  * Thread-safe.
  */
final class Coherences(mounts: () => MountTable = () => MountTable.read()) {
  import Coherences._

  private val byDirectory = new ConcurrentHashMap[File, FileSystem]
  private val byMount = new ConcurrentHashMap[Option[MountTable.Mount], FileSystem]

  /** The file system that holds a directory. It is looked up once. */
  def of(directory: File): FileSystem = byDirectory.computeIfAbsent(
    directory,
    _ => byMount.computeIfAbsent(mounts().mountOf(directory), new FileSystem(_))
  )
}

object Coherences {

  /** A file system as this process has mounted it. */
  final class FileSystem private[Coherences] (mount: Option[MountTable.Mount]) {
    private val isGuaranteed = mount.exists(Coherence.isGuaranteed)
    @volatile private var seen: Option[Boolean] = None

    /** Tells whether nodes saw at once what others wrote. That they did proves less than a type that guarantees it; that
      * they didn't proves that a type doesn't.
      */
    def tell(sawAtOnce: Boolean): Unit = seen = Some(sawAtOnce)

    def coherence: Coherence = seen match {
      case Some(false) => Coherence.Unproven
      case _ if isGuaranteed => Coherence.Guaranteed
      case Some(true) => Coherence.Observed
      case None => Coherence.Unproven
    }

    /** Names the client through which this process uses the file system. What passes between processes with one
      * client may never leave the kernel's cache. None without a mount table.
      */
    def client: Option[String] =
      for (mount <- mount; start <- Try(ScratchDirectory.thisStart).toOption)
        yield s"$start ${mount.device}"

    override def toString: String = mount.fold("an unknown file system")(_.fileSystemType)
  }
}
