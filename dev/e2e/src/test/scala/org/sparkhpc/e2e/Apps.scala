package org.sparkhpc.e2e

import java.nio.file.{Files, Path, Paths}

/** The programs of dev/e2e-apps, submitted as a user would. */
object Apps {

  def jar: Path = {
    val jar = Paths.get(Dist.property("apps.jar"))
    assert(Files.exists(jar), s"$jar isn't built: run mvn -pl dev/e2e-apps -am package -DskipTests")
    jar.toRealPath()
  }

  /** What the program printed as `name=value`. */
  def result(run: Run, name: String): String =
    run.lines.find(_.startsWith(s"$name=")).map(_.stripPrefix(s"$name=")).getOrElse(
      throw new AssertionError(s"no $name: $run")
    )
}
