package org.sparkhpc.tier

import java.io.File

import org.scalatest.funsuite.AnyFunSuite

class ScratchPlanSuite extends AnyFunSuite {

  /** A node whose directories are on these file systems, one each. */
  private class FakeNode(
      variables: Map[String, String],
      mounts: Map[String, String],
      override val memory: Long = 8L << 30
  ) extends ScratchPlan.Node {
    private def mount(file: File): String =
      mounts.keys.filter(file.getPath.startsWith(_)).maxBy(_.length)

    override def variable(name: String): Option[String] = variables.get(name)
    override def fileSystem(directory: File): String = mounts(mount(directory))
    override def device(directory: File): Any = mount(directory)
    override def isWritable(directory: File): Boolean = !directory.getPath.startsWith("/ro")
    override def refusal(directory: File): Option[String] =
      Some("everybody can write there").filter(_ => directory.getPath.startsWith("/open"))
  }

  private val tmp = Seq(new File("/tmp"))
  private val usual =
    Map("/" -> "overlay", "/dev/shm" -> "tmpfs", "/scratch" -> "lustre", "/ro" -> "xfs")

  private def auto(
      variables: Map[String, String] = Map.empty,
      mounts: Map[String, String] = usual,
      own: Seq[File] = tmp,
      isOwnChosen: Boolean = false
  ): ScratchPlan =
    ScratchPlan.auto(new FakeNode(variables, mounts), own, isOwnChosen)

  private def places(plan: ScratchPlan): Seq[String] =
    plan.tiers.map(tier => tier.label + tier.directory.fold("")(":" + _))

  test("auto: memory, then disks, then what is shared, by kind and not by name") {
    val plan = auto(
      Map("SLURM_TMPDIR" -> "/scratch/me", "SCRATCH" -> "/nvme/me", "TMPDIR" -> "/tmp"),
      usual + ("/nvme" -> "xfs")
    )
    assert(places(plan) == Seq(
      "memory:/dev/shm",
      "local:/tmp",
      "local:/nvme/me",
      "shared:/scratch/me"
    ))
    assert(plan.home == 2)
  }

  test("auto: with nothing else, Spark's own directories come after memory") {
    val plan = auto()
    assert(places(plan) == Seq("memory:/dev/shm", "spark"))
    assert(plan.home == 1)
  }

  test("auto: Spark's own directories, if somebody chose them, are the home") {
    val disks = Seq("/d1", "/d1", "/d2").map(new File(_))
    val mounts = usual ++ Map("/d1" -> "xfs", "/d2" -> "ext4")
    val variables = Map("SLURM_TMPDIR" -> "/d1/job", "SCRATCH" -> "/scratch/me")
    val plan = auto(variables, mounts, disks, isOwnChosen = true)
    assert(places(plan) == Seq("memory:/dev/shm", "spark", "shared:/scratch/me"))
    assert(plan.home == 1)
    assert(plan.tiers(1).fileSystem == "xfs ext4")
    assert(
      plan.notes.exists(_.contains("SLURM_TMPDIR=/d1/job isn't used: its file system is in use"))
    )
  }

  test("auto: what can't be written to, or has too little memory, is passed over, and it says so") {
    val plan = auto(Map("PBS_JOBFS" -> "/ro/a", "WORK" -> "not/absolute"))
    assert(places(plan) == Seq("memory:/dev/shm", "spark"))
    assert(plan.notes.exists(_.contains("PBS_JOBFS=/ro/a isn't used: it can't be written to")))
    val open = auto(Map("PBS_JOBFS" -> "/open/a"))
    assert(places(open) == places(plan))
    assert(open.notes.contains("PBS_JOBFS=/open/a isn't used: everybody can write there"))
    val small = new FakeNode(Map.empty, usual, memory = 1000)
    val other = ScratchPlan.auto(small, tmp, isOwnChosen = false)
    assert(places(other) == Seq("spark"))
    assert(other.notes.exists(_.contains("only 1000 bytes of memory")))
  }

  private def offered(
      value: String,
      own: String,
      memory: Long = 8L << 30,
      isMeant: Boolean = true
  ) =
    ScratchPlan.offered(
      new FakeNode(Map("SPARK_HPC_SCRATCH" -> value), usual, memory) {
        override def isMeantToHaveMemory: Boolean = isMeant
      },
      Seq(new File(own))
    )

  test("offered: around Spark's own directories, by kind; where it adds nothing they are alone") {
    val plan = offered("/scratch/job:/dev/shm/job:/tmp/other", "/tmp/job")
    assert(places(plan) == Seq("memory:/dev/shm/job", "spark", "shared:/scratch/job"))
    assert(plan.home == 1)
    assert(places(offered("/tmp/job", "/scratch/job")) == Seq("local:/tmp/job", "spark"))
    assert(places(offered("/tmp/other:/ro/job", "/tmp/job")) == Seq("spark"))
    assert(places(ScratchPlan.offered(new FakeNode(Map.empty, usual), tmp)) == Seq("spark"))
  }

  test("offered: what isn't used is an operator's news, with the reason") {
    def unused(value: String, memory: Long = 8L << 30, isMeant: Boolean = true): Seq[TierNotice] =
      offered(value, "/tmp/job", memory, isMeant).unused
    val Seq(small) = unused("/dev/shm/job:/scratch/job", memory = 1000)
    assert(small.tier == "memory tmpfs" && small.event == TierNotice.NotUsed)
    assert(small.text.contains("/dev/shm/job isn't used: only 1000 bytes of memory"))
    assert(small.text.contains("memory.overhead") && small.text.contains("?capacity="))
    assert(unused("/ro/job").map(_.text).exists(_.contains("it can't be written to")))
    // That isn't lost, and a driver isn't given memory for files.
    assert(unused("/tmp/other").isEmpty && unused(
      "/dev/shm/job",
      memory = 0,
      isMeant = false
    ).isEmpty)
    assert(auto(Map("PBS_JOBFS" -> "/ro/a")).unused.isEmpty)
  }

  test("unasked: Spark's own directories, if they are on a shared file system") {
    def unasked(known: Option[FileSystemKind], own: String*): Option[ScratchPlan] =
      ScratchPlan.unasked(new FakeNode(Map.empty, usual), own.map(new File(_)), known)
    val one = unasked(None, "/scratch/me").get
    assert(places(one) == Seq("spark") && one.home == 0)
    assert(one.tiers.head.kind == FileSystemKind.Shared)
    assert(unasked(None, "/tmp", "/scratch/me").nonEmpty)
    assert(unasked(None, "/tmp").isEmpty && unasked(None, "/dev/shm").isEmpty)
    assert(unasked(Some(FileSystemKind.Shared), "/tmp") == unasked(
      None,
      "/tmp",
      "/scratch/me"
    ).map {
      plan => ScratchPlan(plan.tiers.map(_.copy(fileSystem = "overlay")))
    })
    assert(unasked(Some(FileSystemKind.Local), "/scratch/me").isEmpty)
  }

  private def listed(list: String): Either[String, ScratchPlan] =
    ScratchList.parse(list).flatMap(ScratchPlan.of(_, new FakeNode(Map.empty, usual)))

  test("a list: the home is the last disk, or else the last tier") {
    def home(list: String): Int = listed(list).toOption.get.home
    assert(home("memory:/dev/shm,local:/a,local:/b,global:/scratch/x") == 2)
    assert(home("memory:/dev/shm,global:/scratch/x") == 1)
    assert(home("memory:/dev/shm") == 0)
    // What calls itself local and is shared is no disk of the node.
    assert(home("local:/a,local:/scratch/x") == 0)
  }

  test("a list: memory that isn't in memory is refused, and global is believed") {
    assert(listed("memory:/a").swap.toOption.get.contains("/a is on overlay, not in memory; write"))
    val global = listed("global:/a").toOption.get.tiers.head
    assert(global.kind == FileSystemKind.Shared)
  }
}
