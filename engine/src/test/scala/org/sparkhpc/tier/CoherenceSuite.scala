package org.sparkhpc.tier

import java.io.File

import org.scalatest.funsuite.AnyFunSuite

class CoherenceSuite extends AnyFunSuite {

  private def isCoherent(kind: String): Boolean = {
    val mounts = MountTable.parse(Seq(s"36 35 98:0 / /scratch rw master:1 - $kind server rw"))
    Coherence.of(new File("/scratch/somebody/spark"), mounts)
  }

  test(
    "what has locks between its nodes, and what only one node sees, is coherent; others aren't"
  ) {
    assert(Seq("lustre", "gpfs", "fuse.wekafs", "tmpfs", "xfs", "overlay").forall(isCoherent))
    assert(!Seq("nfs4", "fuse.mfs", "beegfs", "cifs", "fuse.glusterfs").exists(isCoherent))
  }

  test("without a mount table nothing is taken for coherent") {
    assert(!Coherence.of(new File("/scratch"), MountTable.parse(Nil)))
  }
}
