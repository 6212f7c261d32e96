package org.apache.spark.hpc.agent

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}
import javax.tools.ToolProvider

import scala.collection.mutable.ListBuffer
import scala.sys.process.{Process, ProcessLogger}

import org.scalatest.funsuite.AnyFunSuite

/** The finished jar in JVMs of its own, in front of folders that look like a Spark to it. */
class AgentSuite extends AnyFunSuite {
  private val agent = sys.props("agent.jar")
  private val java = Paths.get(sys.props("java.home"), "bin", "java").toString
  private val version = "spark-version-info.properties"

  /** A class path entry with these resources. */
  private def withFolder[A](resources: (String, String)*)(test: Path => A): A = {
    val parent = Paths.get(sys.props("java.io.tmpdir"))
    Files.createDirectories(parent)
    val folder = Files.createTempDirectory(parent, "agent-")
    try {
      for ((name, text) <- resources) {
        val file = folder.resolve(name)
        Files.createDirectories(file.getParent)
        Files.write(file, text.getBytes(UTF_8))
      }
      test(folder)
    } finally scala.reflect.io.Directory(folder.toFile).deleteRecursively()
  }

  private def run(folder: Path, words: String*): (Int, String) = {
    val lines = ListBuffer.empty[String]
    val command = Seq(java, s"-javaagent:$agent", "-cp", folder.toString) ++ words
    val code = Process(command).!(ProcessLogger(line => lines.synchronized(lines += line)))
    (code, lines.mkString("\n"))
  }

  private def refusal(resources: (String, String)*): String =
    withFolder(resources: _*) { folder =>
      val (code, said) = run(folder, "-version")
      assert(code == 1, said)
      assert(said.startsWith("spark-hpc-agent: refused: ") && said.linesIterator.size == 1, said)
      said
    }

  test("a JVM without Spark is left alone") {
    withFolder() { folder =>
      val (code, said) = run(folder, "-version")
      assert(code == 0 && !said.contains("spark-hpc"), said)
    }
  }

  test("a Spark version that isn't verified is refused") {
    val said = refusal(version -> "version=3.4.1\n")
    assert(
      said.contains("is verified for Spark 3.5.5,3.5.6,3.5.7,3.5.8,3.5.9, this is Spark 3.4.1")
    )
  }

  test("a Spark that is patched already is refused") {
    val said = refusal(version -> "version=3.5.7\n", "META-INF/spark-hpc/weave.manifest" -> "")
    assert(said.contains("patched already: remove -javaagent"))
  }

  test("a site that doesn't match ends the JVM before stock code runs") {
    val source = "org/apache/spark/SparkEnv$.java"
    val main =
      "package org.apache.spark; public class SparkEnv$ { public static void create() {} " +
        "public static void main(String[] a) { System.out.println(\"stock code ran\"); } }"
    withFolder(version -> "version=3.5.7\n", source -> main) { folder =>
      val compiler = ToolProvider.getSystemJavaCompiler
      assert(compiler.run(null, null, null, folder.resolve(source).toString) == 0)
      val (code, said) = run(folder, "org.apache.spark.SparkEnv$")
      assert(code == 1, said)
      assert(said.contains("0 places match 'org.apache.spark.SparkEnv$ create new"), said)
      assert(!said.contains("stock code ran"), said)
    }
  }
}
