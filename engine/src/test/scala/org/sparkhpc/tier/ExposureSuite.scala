package org.sparkhpc.tier

import java.io.IOException
import java.nio.file.{Files, Path, Paths}
import java.nio.file.attribute.PosixFilePermissions

import scala.sys.process._

import org.apache.commons.io.FileUtils
import org.scalatest.funsuite.AnyFunSuite

class ExposureSuite extends AnyFunSuite {
  import Exposure._

  /** A directory that is its user's alone, and all on the way to it. */
  private def below(test: Path => Unit): Unit = {
    val temporary = Files.createDirectories(Paths.get(System.getProperty("java.io.tmpdir")))
    val folder = Files.createTempDirectory(temporary, "exposure").toRealPath()
    try test(folder)
    finally FileUtils.deleteDirectory(folder.toFile)
  }

  private def directory(path: Path, mode: String): Path = {
    Files.createDirectories(path)
    assert(Seq("chmod", mode, path.toString).! == 0)
    path
  }

  private def found(path: Path): Seq[(Path, Whom)] = of(path).map(its => its.directory -> its.to)

  private def needsRoot(): Unit =
    assume("id -u".!!.trim == "0", "root is needed to give a directory away")

  private def give(path: Path, to: String): Unit =
    assert(Seq("chown", "-h", to, path.toString).! == 0)

  test("what only its user and root may write in is no exposure, nor is a sticky one") {
    below { folder =>
      assert(found(directory(folder.resolve("a/b"), "755")).isEmpty)
      directory(folder.resolve("a"), "1777")
      assert(found(folder.resolve("a/b")).isEmpty)
    }
  }

  test("one that everybody may write in is, wherever on the way it stands") {
    below { folder =>
      val bottom = directory(folder.resolve("a/b/c"), "700")
      for (open <- Seq("a", "a/b", "a/b/c").map(folder.resolve(_))) {
        directory(open, "777")
        assert(found(bottom) == Seq(open -> Everybody))
        directory(open, "755")
      }
    }
  }

  test("the error has path, mode, owner and remedy") {
    below { folder =>
      directory(folder, "777")
      val owner = Files.getOwner(folder)
      val Some(said) = refusal(folder)
      assert(said.startsWith("everybody can replace what is in "))
      assert(said.contains(s"$folder (mode 777, owner $owner, group "))
      assert(said.endsWith(": chmod o-w or chmod +t it, or name another directory"))
      assert(warning(folder).isEmpty)
    }
  }

  test("links are followed, the directories that they lead through looked at") {
    below { folder =>
      val open = directory(folder.resolve("open"), "777")
      val target = directory(open.resolve("target"), "700")
      val links = directory(folder.resolve("links"), "700")
      Files.createSymbolicLink(links.resolve("absolute"), target)
      Files.createSymbolicLink(links.resolve("relative"), Paths.get("../open/target"))
      Files.createSymbolicLink(links.resolve("twice"), Paths.get("relative"))
      for (name <- Seq("absolute", "relative", "twice"))
        assert(found(links.resolve(name)) == Seq(open -> Everybody), name)
      Files.createSymbolicLink(open.resolve("back"), links)
      assert(found(open.resolve("back")) == Seq(open -> Everybody))
      Files.createSymbolicLink(links.resolve("round"), links.resolve("round"))
      assert(found(links.resolve("round")).isEmpty)
    }
  }

  test("what a group may write in is let be, with a warning, as project directories are") {
    needsRoot()
    below { folder =>
      val project = directory(folder.resolve("project"), "2775")
      assert(found(project).isEmpty)
      give(project, "0:12345")
      assert(found(project) == Seq(project -> ItsGroup))
      val Some(said) = warning(project)
      assert(said.contains(s"group 12345 can replace what is in $project (mode 2775, "), said)
      assert(refusal(project).isEmpty)
      directory(project, "3775")
      assert(found(project).isEmpty)
    }
  }

  test(
    "one that is another user's is let be, with a warning; one of an unknown user's isn't told"
  ) {
    needsRoot()
    below { folder =>
      val others = directory(folder.resolve("others"), "755")
      give(others, "12345:0")
      assert(found(others) == Seq(others -> ItsOwner))
      assert(warning(others).exists(_.contains(s"user 12345 can replace what is in $others")))
      give(others, "65534:0")
      assert(found(others).isEmpty)
    }
  }

  test("a link of another user's where everybody may make one is as good as an open directory") {
    needsRoot()
    below { folder =>
      val sticky = directory(folder.resolve("sticky"), "1777")
      val target = directory(folder.resolve("target"), "700")
      val link = Files.createSymbolicLink(sticky.resolve("link"), target)
      assert(found(link).isEmpty)
      give(link, "12345:12345")
      assert(found(link) == Seq(sticky -> Everybody))
    }
  }

  test("what isn't there yet is as good as the directory that it will be in") {
    below { folder =>
      val open = directory(folder.resolve("open"), "777")
      assert(found(open.resolve("new/one")) == Seq(open -> Everybody))
    }
  }

  test("a directory that is made is writable by its user alone, whatever the umask") {
    below { folder =>
      val made = folder.resolve("a")
      ScratchDirectory.parent(made)
      val mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(made))
      assert(!mode.substring(3).contains('w'), mode)
    }
  }

  test("a directory isn't made where its parent isn't there: the name may be mistyped") {
    below { folder =>
      val failure = intercept[IOException](ScratchDirectory.parent(folder.resolve("a/b")))
      assert(failure.getMessage.startsWith(s"$folder/a is no directory: make it"))
      assert(!Files.exists(folder.resolve("a")))
    }
  }
}
