package org.apache.spark.shuffle.hpc.place

import java.io.{File, IOException}
import java.nio.file.{Path, Paths}
import java.security.SecureRandom

import org.apache.commons.codec.binary.Hex
import org.apache.spark.{HpcConf, Refusal, SparkConf}
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc
import org.apache.spark.shuffle.ShuffleDataIOUtils.SHUFFLE_SPARK_CONF_PREFIX
import org.apache.spark.storage.hpc.scratch.ThisNode
import org.sparkhpc.container.Visibility
import org.sparkhpc.tier.{
  Coherence,
  Coherences,
  Exposure,
  FileSystemKind,
  MountTable,
  ScratchDirectory,
  StripedDirectory,
  Stripes
}

/** The application's directory on the shared file system. The driver chooses and creates it, and executors find it in
  * their settings.
  */
private[hpc] object SharedDirectory extends Logging {

  // With this prefix Spark passes settings from a shuffle plug-in's driver component to executors. These are set
  // earlier, because an executor may start before Spark asks the driver component.
  private val Directory = SHUFFLE_SPARK_CONF_PREFIX + "hpc.directory"
  private val Token = SHUFFLE_SPARK_CONF_PREFIX + "hpc.token"

  /** Chooses a new directory below the user's, on the driver. Does nothing if the user's is invalid, which is checked
    * later.
    */
  def choose(conf: SparkConf): Unit =
    for (root <- root(conf)) {
      choose(conf, Paths.get(root.path).resolve(ScratchDirectory.newName(ThisNode.job)).toFile)
      val token = new Array[Byte](16)
      new SecureRandom().nextBytes(token)
      HpcConf.setOwn(conf, Token, Hex.encodeHexString(token))
    }

  /** Sets the application's directory, on the driver. */
  def choose(conf: SparkConf, directory: File): Unit =
    HpcConf.setOwn(conf, Directory, directory.getPath)

  /** The application's directory, if there is one. */
  def path(conf: SparkConf): Option[Path] = conf.getOption(Directory).map(Paths.get(_))

  /** Creates the application's directory, and deletes those of dead applications beside it. */
  def create(
      conf: SparkConf,
      mounts: MountTable = MountTable.read(),
      lfs: String = "lfs"
  ): OwnedOutputs = {
    val path = Paths.get(conf.get(Directory))
    val fileSystem = mounts.typeOf(path.toFile)
    val outputs = OwnedOutputs.create(path, conf.get(Token))(stripe(conf, fileSystem, lfs))
    val kind = fileSystem.fold[FileSystemKind](FileSystemKind.Shared)(FileSystemKind.of)
    for (some <- Exposure.warning(path.getParent))
      logWarning(s"${Hpc.SHUFFLE_DIRECTORY.key}: $some")
    for (gone <- outputs.sweep(kind))
      logInfo(s"Deleted $gone: the application that made it is gone")
    outputs
  }

  /** Opens the directory on an executor. Throws an IllegalStateException unless it is the one that the driver made. */
  def open(conf: SparkConf): OutputDirectory =
    OutputDirectory.open(Paths.get(conf.get(Directory)), conf.get(Token))

  /** When other nodes see the outputs that are written now. If the user has set that they survive a node, they are
    * forced in any case.
    */
  def visibility(conf: SparkConf, coherences: Coherences): Visibility =
    if (conf.get(Hpc.SHUFFLE_DURABILITY) == "node") Visibility.Forced
    else visibility(coherences, new File(conf.get(Directory)))

  /** When other processes see what is written now below a directory. */
  def visibility(coherences: Coherences, directory: File): Visibility =
    coherences.of(directory).coherence match {
      case Coherence.Guaranteed => Visibility.Guaranteed
      case Coherence.Observed => Visibility.Observed
      case Coherence.Unproven => Visibility.Forced
    }

  private def root(conf: SparkConf): Option[StripedDirectory] =
    conf.getOption(Hpc.SHUFFLE_DIRECTORY.key).flatMap(StripedDirectory.parse(_).toOption)

  private def stripe(conf: SparkConf, fileSystem: Option[String], lfs: String)(path: Path): Unit = {
    val asked = root(conf).flatMap(_.stripes)
    try Stripes.ofContainers(path, asked, fileSystem, lfs).foreach(logInfo(_))
    catch {
      case failure: IOException =>
        throw Refusal(
          s"${Hpc.SHUFFLE_DIRECTORY.key}=${conf.get(Hpc.SHUFFLE_DIRECTORY.key)}: the directory can't be " +
            s"striped: ${failure.getMessage}. stripes=N needs Lustre and its command lfs on the " +
            "driver's node: leave ?stripes=N out, or load the module that has lfs"
        )
    }
  }
}
