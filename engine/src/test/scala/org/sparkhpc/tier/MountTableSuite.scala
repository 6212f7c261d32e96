package org.sparkhpc.tier

import java.io.File
import java.nio.file.Files

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class MountTableSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def line(point: String, kind: String): String =
    s"36 35 98:0 / $point rw,noatime master:1 shared:2 - $kind source rw,errors=continue"

  private def table(mounts: (String, String)*): MountTable =
    MountTable.parse(mounts.map { case (point, kind) => line(point, kind) })

  test("the innermost mount holds a path, whole names alone count, and the last one hides others") {
    val mounts = table(
      "/" -> "ext4",
      "/no-such/a" -> "lustre",
      "/no-such/a/b" -> "tmpfs",
      "/no-such/a" -> "nfs4"
    )
    def kind(path: String): Option[String] = mounts.typeOf(new File(path))
    assert(kind("/no-such/a/b/c").contains("tmpfs"))
    assert(kind("/no-such/a/bc").contains("nfs4"))
    assert(kind("/no-such/a/b/../x").contains("nfs4"))
    assert(kind("/no-such/ab").contains("ext4"))
  }

  test("names are unescaped, optional fields may be missing, other lines are passed over") {
    val lines = Seq(
      "",
      "36 35 98:0 / / rw - ext4 /dev/root rw",
      """37 36 0:1 / /no-such/my\040scratch\134 rw - lustre mds:/scratch rw"""
    )
    assert(MountTable.parse(lines).typeOf(new File("/no-such/my scratch\\/x")).contains("lustre"))
    assert(MountTable.parse(Nil).typeOf(new File("/")).isEmpty)
  }

  test("a file system in user space may say what it is before its source") {
    def kind(source: String): Option[String] =
      MountTable.parse(Seq(s"38 36 0:52 / /no-such/m rw - fuse $source rw,user_id=0"))
        .typeOf(new File("/no-such/m/x"))
    assert(kind("""mfs\04310.77.0.1:9421""").contains("fuse.mfs"))
    assert(kind("archive").contains("fuse"))
  }

  test("a path through a symbolic link is where the link leads, also one that isn't there yet") {
    val folder = Files.createTempDirectory("mounts")
    val link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("target"))
    Files.createDirectory(folder.resolve("target"))
    val mounts = table("/" -> "ext4", folder.toRealPath() + "/target" -> "lustre")
    assert(mounts.typeOf(link.resolve("x/y").toFile).contains("lustre"))
    Seq(link, folder.resolve("target"), folder).foreach(Files.delete)
  }

  test("this machine's own table knows what is below / and /proc") {
    assert(MountTable.read().typeOf(new File("/proc/self")).contains("proc"))
    assert(MountTable.read().typeOf(new File("/")).nonEmpty)
  }

  private val names = Gen.oneOf("a", "b", "ab")
  private val paths =
    Gen.choose(1, 4).flatMap(Gen.listOfN(_, names)).map(_.mkString("/no-such/", "/", ""))

  test("it says what a walk up the path would find") {
    forAll(Gen.listOf(paths), paths) { (points, path) =>
      val mounts = points.zipWithIndex.map { case (point, i) => point -> s"type$i" }
      val parents = Iterator.iterate(new File(path))(_.getParentFile).takeWhile(_ != null)
      val naive = parents.flatMap(p => mounts.filter(_._1 == p.getPath).lastOption).map(_._2)
      assert(table(mounts: _*).typeOf(new File(path)) == naive.take(1).toList.headOption)
    }
  }

  test("kinds: memory, shared, and everything else is a disk of the node") {
    import FileSystemKind._
    assert(Seq("tmpfs", "ramfs").map(of).toSet == Set(Memory))
    assert(Seq("lustre", "gpfs", "nfs4", "fuse.mfs", "beegfs").map(of).toSet == Set(Shared))
    assert(Seq("ext4", "xfs", "overlay", "fuse.squashfuse").map(of).toSet == Set(Local))
  }
}
