package org.sparkhpc.tier

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

/** Which tiers a process will have.
  *
  * @param notes what was looked at, taken or not, and why
  * @param unused of that, what the operator meant to be used
  */
final case class ScratchPlan(
    tiers: Seq[PlannedTier],
    notes: Seq[String] = Nil,
    unused: Seq[TierNotice] = Nil
) {

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

    /** Whether it is meant to have some, however little is left: a driver may not be. */
    def isMeantToHaveMemory: Boolean = true
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
    * own, which are the home. If none of them will do, it has one tier.
    */
  def offered(node: Node, own: Seq[File]): ScratchPlan = {
    val directories = node.variable(Offered).toSeq.flatMap(_.split(File.pathSeparator))
      .filter(_.nonEmpty)
    among(directories.map(Offered -> new File(_)), node, own, isOwnChosen = true)
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

  /** A candidate.
    *
    * @param why it isn't used, if so
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
          s"only ${node.memory} bytes of memory may be used for files, and a tier needs $LeastMemory: leave more " +
            "of the node's memory to it, as by memory.overhead, or write a list with ?capacity="
        )
      else None
    // Several directories of one file system are no loss.
    val isNews =
      name == Offered && !isTwice && (kind != FileSystemKind.Memory || node.isMeantToHaveMemory)
    new Looked(name, PlannedTier(kind.name, kind, fileSystem, Some(directory)), why, isNews)
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
