package org.apache.spark.hpc.tier

import java.io.File

/** One tier that is to be.
  *
  * @param directory None for Spark's own local directories
  */
final case class PlannedTier(
    label: String,
    kind: FileSystemKind,
    fileSystem: String,
    directory: Option[File],
    capacity: Option[Long] = None,
    reserve: Option[Long] = None,
    stripes: Option[Int] = None
) {
  def isInMemory: Boolean = kind == FileSystemKind.Memory
}

/** Which tiers a process will have, and what was passed over, and why. */
final case class ScratchPlan(tiers: Seq[PlannedTier], notes: Seq[String] = Nil) {

  /** Where Spark's own streams write, which can't go on elsewhere: shuffle outputs, what is fetched to
    * disk. It is Spark's own directories, otherwise the last disk of the node, or
    * the last tier.
    */
  val home: Int = {
    val own = tiers.indexWhere(_.directory.isEmpty)
    val disk = tiers.lastIndexWhere(_.kind == FileSystemKind.Local)
    if (own >= 0) own else if (disk >= 0) disk else tiers.size - 1
  }
}

object ScratchPlan {

  /** What a plan has to know of the node. */
  trait Node {
    def variable(name: String): Option[String]
    def fileSystem(directory: File): String

    /** What tells one file system from another. */
    def device(directory: File): Any
    def isWritable(directory: File): Boolean

    /** Why a directory of ours isn't safe there, with the remedy; None if it is. */
    def refusal(directory: File): Option[String]

    /** What this process may have of the node's memory, in files. */
    def memory: Long
  }

  /** The tiers of a user's list; or what is wrong with it, and the remedy. */
  def of(entries: Seq[ScratchEntry], node: Node): Either[String, ScratchPlan] =
    ScratchList.directories(entries, node.variable).flatMap { directories =>
      val tiers = entries.zip(directories).map { case (entry, directory) =>
        val fileSystem = node.fileSystem(directory)
        val found = FileSystemKind.of(fileSystem)
        // That a file system is shared its own name may not tell: then the user does.
        val kind = if (entry.label == "global") FileSystemKind.Shared else found
        PlannedTier(
          entry.label,
          kind,
          fileSystem,
          Some(directory),
          entry.capacity,
          entry.reserve,
          entry.stripes
        )
      }
      tiers.find(tier => tier.label == "memory" && !tier.isInMemory) match {
        case Some(tier) =>
          val what = s"${tier.directory.get} is on ${tier.fileSystem}, not in memory"
          Left(s"$what; write local:${tier.directory.get}, or a tmpfs such as memory:/dev/shm")
        case None => Right(ScratchPlan(tiers))
      }
    }

  /** The places that a scheduler or a site may have made, by kind of file system, not by name.
    *
    * @param own Spark's local directories, which are kept as they are if somebody chose them
    */
  def auto(node: Node, own: Seq[File], isOwnChosen: Boolean): ScratchPlan =
    among(candidates(node), node, own, isOwnChosen)

  /** The directories that whoever started this process made for it in other file systems, beside Spark's
    * own, which are the home; None if there is none that will do.
    */
  def offered(node: Node, own: Seq[File]): Option[ScratchPlan] = {
    val directories = node.variable(Offered).toSeq.flatMap(_.split(File.pathSeparator))
      .filter(_.nonEmpty)
    val plan = among(directories.map(Offered -> new File(_)), node, own, isOwnChosen = true)
    Some(plan).filter(_.tiers.size > 1)
  }

  /** Names the directories for [[offered]], as PATH does. */
  val Offered = "SPARK_HPC_SCRATCH"

  private def among(
      candidates: Seq[(String, File)],
      node: Node,
      own: Seq[File],
      isOwnChosen: Boolean
  ): ScratchPlan = {
    val taken = if (isOwnChosen) own.map(node.device).toSet else Set.empty[Any]
    val start = (Seq.empty[PlannedTier], Seq.empty[String], taken)
    val (found, notes, _) = candidates.foldLeft(start) {
      case ((tiers, notes, devices), (name, directory)) =>
        lazy val fileSystem = node.fileSystem(directory)
        lazy val kind = FileSystemKind.of(fileSystem)
        def no(why: String) = (tiers, notes :+ s"$name=$directory isn't used: $why", devices)
        lazy val refusal = node.refusal(directory)
        if (!node.isWritable(directory)) no("it can't be written to")
        else if (refusal.nonEmpty) no(refusal.get)
        else if (devices(node.device(directory))) no("its file system is in use already")
        else if (kind == FileSystemKind.Memory && node.memory < LeastMemory)
          no(s"only ${node.memory} bytes of memory may be used for files")
        else {
          val tier = PlannedTier(kind.name, kind, fileSystem, Some(directory))
          (tiers :+ tier, notes :+ s"$name=$directory is used", devices + node.device(directory))
        }
    }
    val isMemoryAll = found.forall(_.isInMemory)
    val all = if (isOwnChosen || isMemoryAll) found :+ ownTier(node, own) else found
    ScratchPlan(all.sortBy(tier => rank(tier.kind)), notes)
  }

  /** Where nobody asks for tiers: Spark's local directories are one if they are on a shared file system,
    * so that spills share files there; otherwise there is none.
    *
    * @param known what they are on, if that isn't left to the mount table
    */
  def unasked(node: Node, own: Seq[File], known: Option[FileSystemKind]): Option[ScratchPlan] = {
    val found = ownTier(node, own)
    val tier = known.fold(found)(kind => found.copy(kind = kind))
    Some(ScratchPlan(Seq(tier))).filter(_ => tier.kind == FileSystemKind.Shared)
  }

  private def ownTier(node: Node, own: Seq[File]): PlannedTier = {
    val fileSystems = own.map(node.fileSystem)
    val slowest = fileSystems.maxBy(name => rank(FileSystemKind.of(name)))
    PlannedTier("spark", FileSystemKind.of(slowest), fileSystems.distinct.mkString(" "), None)
  }

  /** Below that a memory tier isn't worth its trouble. */
  private val LeastMemory = 256L << 20

  private val Variables = Seq(
    "SLURM_TMPDIR",
    "PBS_JOBFS",
    "LSF_TMPDIR",
    "TMPDIR",
    "DW_JOB_PRIVATE",
    "DW_JOB_STRIPED",
    "PSCRATCH",
    "SCRATCH",
    "MEMBERWORK",
    "WORK"
  )

  private def candidates(node: Node): Seq[(String, File)] =
    ("tmpfs" -> new File("/dev/shm")) +: Variables.flatMap { name =>
      node.variable(name).filter(_.startsWith("/")).map(name -> new File(_))
    }

  private def rank(kind: FileSystemKind): Int = kind match {
    case FileSystemKind.Memory => 0
    case FileSystemKind.Local => 1
    case FileSystemKind.Shared => 2
  }
}
