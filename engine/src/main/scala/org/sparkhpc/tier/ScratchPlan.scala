package org.sparkhpc.tier

import java.io.File

/** A tier that a process will have.
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

/** The tiers that a process will have.
  *
  * @param notes for each place that was examined, whether it is used, and why not
  * @param unused notices of those places that the operator meant to be used
  */
final case class ScratchPlan(
    tiers: Seq[PlannedTier],
    notes: Seq[String] = Nil,
    unused: Seq[TierNotice] = Nil
) {

  /** The index of the tier to which Spark's own streams write, since they can't continue in another one: shuffle
    * outputs, and blocks that are fetched to disk. It is Spark's own directories, otherwise the last disk of the
    * node, or the last tier.
    */
  val home: Int = {
    val own = tiers.indexWhere(_.directory.isEmpty)
    val disk = tiers.lastIndexWhere(_.kind == FileSystemKind.Local)
    if (own >= 0) own else if (disk >= 0) disk else tiers.size - 1
  }
}

object ScratchPlan {

  /** What a plan needs to know of the node. */
  trait Node {
    def variable(name: String): Option[String]
    def fileSystem(directory: File): String

    /** Identifies the file system of a directory. */
    def device(directory: File): Any
    def isWritable(directory: File): Boolean

    /** Why a scratch directory isn't safe there, with the remedy; None if it is. */
    def refusal(directory: File): Option[String]

    /** The bytes of the node's memory that this process may use for files. */
    def memory: Long

    /** Whether this process is meant to have files in memory, however little is left; a driver may not be. */
    def isMeantToHaveMemory: Boolean = true
  }

  /** The tiers of a user's list; or what is wrong with it, and the remedy. */
  def of(entries: Seq[ScratchEntry], node: Node): Either[String, ScratchPlan] =
    ScratchList.directories(entries, node.variable).flatMap { directories =>
      val tiers = entries.zip(directories).map { case (entry, directory) =>
        val fileSystem = node.fileSystem(directory)
        val found = FileSystemKind.of(fileSystem)
        // The type of a shared file system may not show that it is shared; then the user's label does.
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

  /** The tiers in places that a scheduler or a site may have made, judged by the kind of file system, not by
    * name.
    *
    * @param own Spark's local directories, which are a tier if somebody chose them
    */
  def auto(node: Node, own: Seq[File], isOwnChosen: Boolean): ScratchPlan =
    among(candidates(node), node, own, isOwnChosen)

  /** The tiers in directories that this process's launcher made for it in other file systems, besides Spark's
    * own, which are the home. If none of them can be used, the plan has one tier.
    */
  def offered(node: Node, own: Seq[File]): ScratchPlan = {
    val directories = node.variable(Offered).toSeq.flatMap(_.split(File.pathSeparator))
      .filter(_.nonEmpty)
    among(directories.map(Offered -> new File(_)), node, own, isOwnChosen = true)
  }

  /** The environment variable that lists the directories for [[offered]], like PATH. */
  val Offered = "SPARK_HPC_SCRATCH"

  private def among(
      candidates: Seq[(String, File)],
      node: Node,
      own: Seq[File],
      isOwnChosen: Boolean
  ): ScratchPlan = {
    val taken = if (isOwnChosen) own.map(node.device).toSet else Set.empty[Any]
    val (looked, _) = candidates.foldLeft((Seq.empty[Looked], taken)) {
      case ((looked, devices), (name, directory)) =>
        val its = look(name, directory, node, devices)
        (looked :+ its, if (its.why.isEmpty) devices + node.device(directory) else devices)
    }
    val found = looked.filter(_.why.isEmpty).map(_.tier)
    val isMemoryAll = found.forall(_.isInMemory)
    val all = if (isOwnChosen || isMemoryAll) found :+ ownTier(node, own) else found
    ScratchPlan(all.sortBy(tier => rank(tier.kind)), looked.map(_.note), looked.flatMap(_.notice))
  }

  /** A candidate for a tier.
    *
    * @param why the reason that it isn't used; None if it is used
    * @param isNews whether somebody made it to be used
    */
  private final class Looked(
      name: String,
      its: => PlannedTier,
      val why: Option[String],
      isNews: Boolean
  ) {
    lazy val tier: PlannedTier = its
    private def place = s"$name=${tier.directory.get}"
    def note: String = why.fold(s"$place is used")(reason => s"$place isn't used: $reason")
    def notice: Option[TierNotice] =
      why.filter(_ => isNews).map { _ =>
        TierNotice.of(tier.label, tier.fileSystem, TierNotice.NotUsed, s"Scratch tier $note")
      }
  }

  private def look(name: String, directory: File, node: Node, devices: Set[Any]): Looked = {
    lazy val fileSystem = node.fileSystem(directory)
    lazy val kind = FileSystemKind.of(fileSystem)
    lazy val refusal = node.refusal(directory)
    lazy val isTwice = devices(node.device(directory))
    val why =
      if (!node.isWritable(directory)) Some("it can't be written to")
      else if (refusal.nonEmpty) refusal
      else if (isTwice) Some("its file system is in use already")
      else if (kind == FileSystemKind.Memory && node.memory < LeastMemory)
        Some(
          s"only ${node.memory} bytes of memory may be used for files, and a tier needs $LeastMemory: raise " +
            "memory.overhead, or write a list with ?capacity="
        )
      else None
    // A second directory on the same file system adds nothing, so it is no loss.
    val isNews =
      name == Offered && !isTwice && (kind != FileSystemKind.Memory || node.isMeantToHaveMemory)
    new Looked(name, PlannedTier(kind.name, kind, fileSystem, Some(directory)), why, isNews)
  }

  /** The plan if nobody configures tiers. Spark's local directories are a tier if they are on a shared file
    * system, so that spills share files there; otherwise there is no plan.
    *
    * @param known the kind of their file system, if it isn't taken from the mount table
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

  /** A smaller memory tier isn't worth its trouble. */
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
