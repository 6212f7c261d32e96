package org.apache.spark.hpc.weaver

import java.io.{ByteArrayOutputStream, PrintStream}
import java.net.{URI, URLClassLoader}
import java.nio.file.{Files, Path, Paths}
import java.util.Arrays.asList
import javax.tools.{JavaFileObject, SimpleJavaFileObject, ToolProvider}

import scala.collection.JavaConverters._
import scala.util.Random

/** A small Spark and a small side of ours, compiled from Java source in a folder of their own.
  *
  * `stock` and `own` are one compilation unit per string; the class name is the first after `class`,
  * `interface` or `enum`. Ours sees the stock classes.
  */
final class Fixture(folder: Path, stock: Seq[String], own: Seq[String]) {
  private val stockClasses = compile(folder.resolve("stock"), stock, classPath = Nil)
  val ownClasses: Path = compile(folder.resolve("own"), own, Seq(stockClasses))
  val stockJar: Path = folder.resolve("stock.jar")
  val out: Path = folder.resolve("patched.jar")

  Entries.write(Entries.ofFolder(stockClasses), stockJar)

  private def compile(to: Path, sources: Seq[String], classPath: Seq[Path]): Path = {
    Files.createDirectories(to)
    if (sources.nonEmpty) {
      val options = Seq("--release", "8", "-Xlint:-options", "-d", to.toString) ++
        (if (classPath.isEmpty) Nil else Seq("-cp", classPath.mkString(":")))
      val units: Seq[JavaFileObject] = sources.map(new Source(_))
      val complaints = new java.io.StringWriter
      val compiled = ToolProvider.getSystemJavaCompiler
        .getTask(complaints, null, null, options.asJava, null, units.asJava)
        .call()
      require(compiled, complaints.toString)
    }
    to
  }

  private final class Source(text: String)
      extends SimpleJavaFileObject(
        URI.create("string:///" + Fixture.className(text) + ".java"),
        JavaFileObject.Kind.SOURCE
      ) {
    override def getCharContent(ignoreErrors: Boolean): CharSequence = text
  }

  /** A jar of test classes, which see the stock ones. */
  def compileTests(sources: Seq[String]): Path = {
    val jar = folder.resolve("tests.jar")
    val classes = compile(folder.resolve("tests"), sources, Seq(stockClasses))
    Entries.write(Entries.ofFolder(classes), jar)
    jar
  }

  def sites(lines: String*): Path =
    Files.write(folder.resolve("test.sites"), asList(lines: _*))

  /** Runs the command as the build does. */
  def weave(lines: String*): Fixture.Outcome = weaveJar(stockJar, out, lines: _*)

  def weaveJar(from: Path, to: Path, lines: String*): Fixture.Outcome = Fixture.run(
    Seq("weave", "--stock", from, "--own", ownClasses, "--sites", sites(lines: _*)) ++
      Seq("--version", "test-1", "--out", to)
  )

  /** Calls a static method without arguments; the JVM verifies the patched classes as it loads them. */
  def call(className: String, method: String): AnyRef = {
    val loader = new URLClassLoader(Array(out.toUri.toURL), null)
    try loader.loadClass(className).getMethod(method).invoke(null)
    finally loader.close()
  }
}

object Fixture {

  /** What the command did: its exit code, stdout and stderr. */
  final case class Outcome(code: Int, out: String, err: String)

  def run(arguments: Seq[Any]): Outcome = {
    val out, err = new ByteArrayOutputStream
    val code =
      Main.run(arguments.map(_.toString).toArray, new PrintStream(out), new PrintStream(err))
    Outcome(code, out.toString, err.toString)
  }

  private val Declared = """(?:class|interface|enum) (\w+)""".r.unanchored

  private def className(source: String): String = source match {
    case Declared(name) => name
    case _ => throw new IllegalArgumentException(s"no class in: $source")
  }

  /** Runs `test` in a new folder below the build's own temporary one. */
  def inFolder[A](test: Path => A): A = {
    val parent = Paths.get(sys.props("java.io.tmpdir"))
    Files.createDirectories(parent)
    val folder = Files.createTempDirectory(parent, s"weaver-${Random.nextInt(1000)}-")
    try test(folder)
    finally scala.reflect.io.Directory(folder.toFile).deleteRecursively()
  }

  def apply[A](stock: String*)(own: String*)(test: Fixture => A): A =
    inFolder(folder => test(new Fixture(folder, stock, own)))
}
