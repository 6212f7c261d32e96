package org.sparkhpc.e2e

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}

import org.scalatest.funsuite.AnyFunSuite

/** How the scripts find Spark, Java and the user's settings. */
class LaunchSuite extends AnyFunSuite with Scratch {

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))

  /** Prints the command that it runs, then a version: the quickest look at a launch. */
  private def version(submit: String, env: (String, String)*): Run =
    Run(Seq(submit, "--version"), scratch, Map("SPARK_PRINT_LAUNCH_COMMAND" -> "1") ++ env)

  private def write(file: Path, text: String): Unit = {
    Files.createDirectories(file.getParent)
    Files.write(file, text.getBytes(UTF_8))
  }

  /** A directory of links to the programs that scripts need, but Java. */
  private def pathWithoutJava: String = {
    val directory = scratch.resolve("no-java")
    if (Files.notExists(directory)) {
      Files.createDirectories(directory)
      for (name <- Seq("bash", "env", "dirname", "readlink", "id", "hostname")) {
        val program = sys.env("PATH").split(':').map(Paths.get(_, name)).find(Files.isExecutable(_))
        Files.createSymbolicLink(directory.resolve(name), program.get)
      }
    }
    directory.toString
  }

  /** It is our distribution, and says which two versions that is. */
  private def assertFound(run: Run): Unit = {
    assert(run.exit == 0, run)
    assert(run.err.contains(s"${dist.home}/jars/*"), run)
    val ours = run.err.linesIterator.filter(_.startsWith("Spark-HPC ")).toSeq
    assert(ours == Seq(s"Spark-HPC ${Dist.version} in ${dist.home}"), run)
    assert(run.err.contains(s"version ${Dist.sparkVersion}"), run)
  }

  test("a link to a script finds its distribution, with settings of its own and of the user's") {
    val direct = scratch.resolve("spark-submit")
    Files.createSymbolicLink(direct, Paths.get(dist.bin("spark-submit")))
    // Settings that spark-env.sh may have, too.
    val extra = Map("SPARK_DIST_CLASSPATH" -> "/a/b.jar", "SPARK_LAUNCHER_OPTS" -> "-Da=1 -Db=2")
    val others = version(direct.toString, extra.toSeq: _*)
    assertFound(others)
    assert(others.err.contains(":/a/b.jar"), others)

    // SPARK_CONF_DIR takes the place of conf/, with its spark-env.sh and spark-defaults.conf.
    val conf = scratch.resolve("my conf")
    write(
      conf.resolve("spark-env.sh"),
      "false\nSPARK_SUBMIT_OPTS=\"-Dmine=$NOT_SET_ANYWHERE.yes\"\n"
    )
    write(conf.resolve("spark-defaults.conf"), "spark.driver.memory 777m\n")
    val twice = scratch.resolve("spark")
    Files.createSymbolicLink(twice, direct.getFileName)
    val mine = version(twice.toString, "SPARK_CONF_DIR" -> conf.toString)
    assertFound(mine)
    assert(mine.err.contains("-Dmine=.yes"), mine)
    assert(mine.err.contains("-Xmx777m"), mine)
    assert(mine.err.contains(s"-cp $conf/:"), mine)
    assert(!mine.err.contains(s"${dist.home}/conf"), mine)
  }

  test("SPARK_HOME is honoured, and said when it is another distribution") {
    val other = Dist.patched.placedIn(scratch.resolve("other"))
    val run = version(dist.bin("spark-submit"), "SPARK_HOME" -> other.home.toString)
    assert(run.err.contains(s"${other.home}/jars/*"), run)
    assert(run.err.linesIterator.count(_.contains("using SPARK_HOME")) == 1, run)
    val same = version(dist.bin("spark-submit"), "SPARK_HOME" -> dist.home.toString)
    assert(same.err.contains(s"${dist.home}/jars/*"), same)
    assert(!same.err.contains("using SPARK_HOME"), same)
  }

  test("without Java one line says so") {
    for (
      (env, said) <- Seq(
        Map("JAVA_HOME" -> "", "PATH" -> pathWithoutJava) -> "no java: set JAVA_HOME",
        Map("JAVA_HOME" -> "/nowhere") -> "no java in JAVA_HOME=/nowhere"
      )
    ) {
      val run = Run(Seq(dist.bin("spark-submit"), "--version"), scratch, env)
      assert(run.exit == 1, run)
      assert(run.err.linesIterator.size == 1 && run.err.contains(said), run)
    }
  }

  test("words of the command line arrive as they are") {
    val words = Seq("a b", "", "*", "$HOME", "'\"", "line\nbreak", "failed", "0")
    val run = Run(
      Seq(dist.bin("spark-class"), "org.sparkhpc.e2e.app.Echo") ++ words,
      scratch,
      Map("SPARK_DIST_CLASSPATH" -> AppJar.in(scratch).toString)
    )
    assert(run.exit == 0, run)
    assert(run.out == words.map(word => s"[$word]").mkString, run)
  }

  test("a class that isn't there is exit code 1, no class at all is a usage line") {
    assert(Run(Seq(dist.bin("spark-class"), "nowhere.Nothing"), scratch).exit == 1)
    val none = Run(Seq(dist.bin("spark-class")), scratch)
    assert(none.exit == 1 && none.err.startsWith("Usage:"), none)
  }
}
