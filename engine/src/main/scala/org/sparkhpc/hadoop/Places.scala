package org.sparkhpc.hadoop

import java.nio.file.Path
import java.util.concurrent.TimeUnit

import com.google.common.base.Suppliers
import com.google.common.cache.CacheBuilder
import org.sparkhpc.tier.{Coherence, FileSystemKind, MountTable}

/** Tells on which kind of file system a file is. The mount table and the kinds of directories are remembered for a
  * minute.
  *
  * @param known the kind that the user says all files are on; None to ask the mount table
  */
private[hadoop] final class Places(known: Option[FileSystemKind]) {
  import Places._

  private val places = CacheBuilder.newBuilder
    .maximumSize(MostDirectories)
    .expireAfterWrite(1, TimeUnit.MINUTES)
    .build[Path, Place]

  def of(file: Path): Place = {
    val directory = Option(file.getParent).getOrElse(file)
    places.get(directory, () => find(directory))
  }

  private def find(directory: Path): Place = {
    val mounts = Places.mounts.get
    val seen = mounts.typeOf(directory.toFile).map(FileSystemKind.of)
    val kind = known.orElse(seen).getOrElse(FileSystemKind.Local)
    val isCoherent = Coherence.isGuaranteed(directory.toFile, mounts) &&
      // A type that isn't known to be shared, but is: nothing is known of its coherence.
      !(kind == FileSystemKind.Shared && seen.contains(FileSystemKind.Local))
    Place(kind == FileSystemKind.Shared, isCoherent)
  }
}

private[hadoop] object Places {

  /** @param isCoherent whether a change by one node is visible to the others at once */
  final case class Place(isShared: Boolean, isCoherent: Boolean)

  private val MostDirectories = 10000L

  private val mounts =
    Suppliers.memoizeWithExpiration[MountTable](() => MountTable.read(), 1, TimeUnit.MINUTES)
}
