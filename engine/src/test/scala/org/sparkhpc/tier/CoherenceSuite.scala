package org.sparkhpc.tier

import java.io.File

import org.scalatest.funsuite.AnyFunSuite

class CoherenceSuite extends AnyFunSuite {

  private def mounts(kind: String, device: String): MountTable =
    MountTable.parse(Seq(s"36 35 $device / /scratch rw master:1 - $kind server rw"))

  private def isGuaranteed(kind: String, device: String = "0:52"): Boolean =
    Coherence.isGuaranteed(new File("/scratch/somebody/spark"), mounts(kind, device))

  test("what has locks between its nodes, and what only one node sees, is coherent by its type") {
    assert(
      Seq("lustre", "gpfs", "fuse.wekafs", "tmpfs", "btrfs", "overlay").forall(isGuaranteed(_))
    )
    assert(isGuaranteed("xfs", device = "98:0"))
    assert(
      !Seq("nfs4", "fuse.mfs", "beegfs", "cifs", "fuse.glusterfs", "fuse.ceph-fuse").exists(
        isGuaranteed(_)
      )
    )
  }

  test("a type that nobody knows may be shared, unless it is on a block device") {
    assert(!Seq("9p", "fuse.sshfs", "fuse.nobodys", "nobodysfs").exists(isGuaranteed(_)))
    assert(isGuaranteed("nobodysfs", device = "259:3"))
  }

  test("without a mount table nothing is taken for coherent") {
    assert(!Coherence.isGuaranteed(new File("/scratch"), MountTable.parse(Nil)))
    val unknown = new Coherences(() => MountTable.parse(Nil)).of(new File("/scratch"))
    assert(unknown.coherence == Coherence.Unproven && unknown.client.isEmpty)
  }

  private def fileSystem(kind: String): Coherences.FileSystem =
    new Coherences(() => mounts(kind, "0:52")).of(new File("/scratch/somebody"))

  test("what nodes saw counts for types that guarantee nothing") {
    val unknown = fileSystem("fuse.mfs")
    assert(unknown.coherence == Coherence.Unproven)
    unknown.tell(sawAtOnce = true)
    assert(unknown.coherence == Coherence.Observed)
  }

  test("what nodes didn't see counts for all types") {
    for (kind <- Seq("lustre", "fuse.mfs")) {
      val found = fileSystem(kind)
      found.tell(sawAtOnce = false)
      assert(found.coherence == Coherence.Unproven)
    }
    val lustre = fileSystem("lustre")
    lustre.tell(sawAtOnce = true)
    assert(lustre.coherence == Coherence.Guaranteed)
  }

  test("directories of one mount are one file system, and those of two are two") {
    val all = new Coherences(() =>
      MountTable.parse(Seq(
        "36 35 0:52 / /scratch rw - nfs4 server rw",
        "37 35 0:53 / /home rw - nfs4 server rw"
      ))
    )
    def of(path: String): Coherences.FileSystem = all.of(new File(path))
    assert((of("/scratch/a") eq of("/scratch/b")) && !(of("/scratch/a") eq of("/home/a")))
    assert(of("/scratch/a").client.nonEmpty && of("/scratch/a").client != of("/home/a").client)
  }
}
