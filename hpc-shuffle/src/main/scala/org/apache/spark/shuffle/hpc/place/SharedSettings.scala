package org.apache.spark.shuffle.hpc.place

import java.io.{File, IOException}
import java.nio.file.{Path, Paths}
import java.security.SecureRandom

import org.apache.commons.codec.binary.Hex
import org.apache.spark.{HpcConf, Refusal, SparkConf}
import org.apache.spark.internal.{config, Logging}
import org.apache.spark.internal.config.Hpc
import org.apache.spark.shuffle.ShuffleDataIOUtils.SHUFFLE_SPARK_CONF_PREFIX
import org.apache.spark.shuffle.hpc.write.GlobalShuffleDataIO
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO
import org.apache.spark.storage.hpc.scratch.ThisNode
import org.sparkhpc.tier.{
  Exposure,
  FileSystemKind,
  MountTable,
  ScratchDirectory,
  StripedDirectory,
  Stripes
}

/** What `spark.hpc.shuffle.placement=global` means for the settings of Spark's own shuffle. */
private[hpc] object SharedSettings extends Logging {

  // As Spark passes what a shuffle's driver part tells its executors; but known from the beginning,
  // since an executor may come before the driver part is asked.
  private val Directory = SHUFFLE_SPARK_CONF_PREFIX + "hpc.directory"
  private val Token = SHUFFLE_SPARK_CONF_PREFIX + "hpc.token"

  /** Adapts the settings, on the driver, before anything reads them. */
  def prepare(conf: SparkConf): Unit = {
    def setOwn(key: String, value: String): Unit = HpcConf.setOwn(conf, key, value)
    if (conf.get(config.SHUFFLE_IO_PLUGIN_CLASS) == classOf[LocalDiskShuffleDataIO].getName) {
      setOwn(config.SHUFFLE_IO_PLUGIN_CLASS.key, classOf[GlobalShuffleDataIO].getName)
    }
    if (conf.get(config.SHUFFLE_SERVICE_ENABLED)) {
      logWarning(
        s"${config.SHUFFLE_SERVICE_ENABLED.key}=true has no effect: with " +
          s"${Hpc.SHUFFLE_PLACEMENT.key}=global map outputs outlive their executors without it"
      )
      setOwn(config.SHUFFLE_SERVICE_ENABLED.key, "false")
    }
    // Executors needn't be kept for what they wrote.
    setOwn(config.DYN_ALLOCATION_SHUFFLE_TRACKING_ENABLED.key, "false")
    for (root <- root(conf)) {
      val name = ScratchDirectory.newName(ThisNode.job)
      setOwn(Directory, Paths.get(root.path).resolve(name).toString)
      val token = new Array[Byte](16)
      new SecureRandom().nextBytes(token)
      setOwn(Token, Hex.encodeHexString(token))
    }
  }

  /** What the user wrote, if it is any good: that is checked later, as [[check]] is. */
  private def root(conf: SparkConf): Option[StripedDirectory] =
    conf.getOption(Hpc.SHUFFLE_DIRECTORY.key).flatMap(StripedDirectory.parse(_).toOption)

  /** A [[Refusal]] for the first setting that doesn't go with it. */
  def check(conf: SparkConf): Unit = {
    if (conf.get(Hpc.SHUFFLE_DIRECTORY).isEmpty) {
      throw Refusal(
        s"${Hpc.SHUFFLE_DIRECTORY.key} isn't set, and ${Hpc.SHUFFLE_PLACEMENT.key}=global needs " +
          "it: write a directory of the shared file system, such as /scratch/you/spark"
      )
    }
    if (conf.get(config.PUSH_BASED_SHUFFLE_ENABLED)) {
      refuse(config.PUSH_BASED_SHUFFLE_ENABLED.key, "true", "pushed blocks are in neither place")
    }
    if (conf.get(config.SHUFFLE_USE_OLD_FETCH_PROTOCOL)) {
      refuse(config.SHUFFLE_USE_OLD_FETCH_PROTOCOL.key, "true", "attempts would share a file")
    }
    if (conf.get(config.UNREGISTER_OUTPUT_ON_HOST_ON_FETCH_FAILURE)) {
      logWarning(
        s"${config.UNREGISTER_OUTPUT_ON_HOST_ON_FETCH_FAILURE.key}=true has no effect with " +
          s"${Hpc.SHUFFLE_PLACEMENT.key}=global: map outputs are on no host, and after a failed fetch those that " +
          "are lost are looked for"
      )
    }
    val plugin = conf.get(config.SHUFFLE_IO_PLUGIN_CLASS)
    if (plugin != classOf[GlobalShuffleDataIO].getName) {
      refuse(config.SHUFFLE_IO_PLUGIN_CLASS.key, plugin, "it has places of its own")
    }
  }

  /** The application's directory, made now; those of dead applications beside it are deleted. */
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

  private def stripe(conf: SparkConf, fileSystem: Option[String], lfs: String)(path: Path): Unit = {
    val asked = root(conf).flatMap(_.stripes)
    try Stripes.ofContainers(path, asked, fileSystem, lfs).foreach(logInfo(_))
    catch {
      case failure: IOException =>
        throw Refusal(
          s"${Hpc.SHUFFLE_DIRECTORY.key}=${conf.get(Hpc.SHUFFLE_DIRECTORY.key)}: the directory can't be " +
            s"striped: ${failure.getMessage}. stripes=N needs a Lustre and its command lfs on the " +
            "driver's node: leave ?stripes=N out, or load what has the command"
        )
    }
  }

  /** Takes another directory for the application's, on the driver. */
  def choose(conf: SparkConf, directory: File): Unit =
    HpcConf.setOwn(conf, Directory, directory.getPath)

  /** The application's directory, if there is one. */
  def path(conf: SparkConf): Option[Path] = conf.getOption(Directory).map(Paths.get(_))

  /** The application's directory as this process sees it; one error unless it is the driver's. */
  def open(conf: SparkConf): OutputDirectory =
    OutputDirectory.open(Paths.get(conf.get(Directory)), conf.get(Token))

  /** Whether outputs have to be on the device before they are reported: somebody wants that, or other
    * nodes see them no sooner.
    */
  def isForced(conf: SparkConf): Boolean =
    conf.get(Hpc.SHUFFLE_DURABILITY) == "node" || !Coherence.of(
      new File(conf.get(Directory)),
      MountTable.read()
    )

  private def refuse(key: String, value: String, why: String): Unit =
    throw Refusal(
      s"$key is $value, which ${Hpc.SHUFFLE_PLACEMENT.key}=global doesn't allow: $why. Remove it"
    )
}
