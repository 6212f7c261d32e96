package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

/** Class data of a distribution, which dev/tests/lib/testing/class_data.py has made: it halves the start of a
  * process. Without it, or with jars that are newer, processes start as ever.
  */
final class ClassData private (jar: Path, archive: Path) {

  /** What the class path has to begin with. */
  def classPath: String = jar.toString

  // Off: where an archive doesn't suit, nothing is wrong.
  def options: String = s"-XX:SharedArchiveFile=$archive -Xshare:auto -Xlog:cds=off"

  /** Of an application, for driver and executors. */
  def settings: Seq[(String, String)] = Seq("driver", "executor").flatMap { process =>
    Seq(
      s"spark.$process.extraClassPath" -> classPath,
      s"spark.$process.defaultJavaOptions" -> s"${Run.CompileQuickly} $options"
    )
  }
}

object ClassData {

  /** Of dist/, dist-stock/, and those that only link to the jars of one. */
  def of(dist: Dist): Option[ClassData] = {
    val home = dist.home.resolve("jars").toRealPath().getParent
    val folder = Dist.root.resolve("target/tests/class-data")
    val Seq(jar, archive) =
      Seq("jar", "jsa").map(end => folder.resolve(s"${home.getFileName}.$end"))
    if (home.getParent == Dist.root && Files.exists(archive)) Some(new ClassData(jar, archive))
    else None
  }
}
