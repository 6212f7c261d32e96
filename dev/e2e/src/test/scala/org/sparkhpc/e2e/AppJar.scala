package org.sparkhpc.e2e

import java.nio.file.{Files, Path}
import java.util.jar.{JarEntry, JarOutputStream}

/** A user's jar: the applications in `org.sparkhpc.e2e.app`. */
object AppJar {

  private val classes = Seq("Echo", "Exits", "Throws").flatMap(name => Seq(name, name + "$"))

  def in(directory: Path): Path = {
    val jar = directory.resolve("app.jar")
    Closing(new JarOutputStream(Files.newOutputStream(jar))) { out =>
      for (name <- classes) {
        val entry = s"org/sparkhpc/e2e/app/$name.class"
        out.putNextEntry(new JarEntry(entry))
        Closing(getClass.getResourceAsStream("/" + entry))(_.transferTo(out))
      }
    }
    jar
  }
}
