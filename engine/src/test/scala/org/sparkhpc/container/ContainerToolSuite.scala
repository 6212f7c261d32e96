package org.sparkhpc.container

import java.io.{ByteArrayOutputStream, PrintStream}
import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

class ContainerToolSuite extends AnyFunSuite with ContainerFixture {

  private val outputs = Seq(
    Seq("hello, ".getBytes, Array.emptyByteArray, "reducers\n".getBytes),
    Seq(Array.emptyByteArray, Array.emptyByteArray, "again".getBytes)
  )

  private def run(words: String*): (Int, String, String) = {
    val out, err = new ByteArrayOutputStream
    val exit = ContainerTool.run(words.toList, new PrintStream(out), new PrintStream(err))
    (exit, out.toString, err.toString)
  }

  test("ls names the outputs, cat gives what they hold, verify says that all is well") {
    val file = written(outputs).toString
    assert(
      run("ls", file) == ((
        0,
        """shuffle 3, 2 map outputs
          |map task 0: 16 bytes, 2 of 3 partitions, at 16777216
          |map task 1: 5 bytes, 1 of 3 partitions, at 16777240
          |""".stripMargin,
        ""
      ))
    )
    assert(run("cat", file, "0") == ((0, "hello, reducers\n", "")))
    assert(run("cat", file, "1", "2") == ((0, "again", "")))
    assert(run("verify", file) == ((0, "intact: 2 map outputs\n", "")))
  }

  test("what can't be is one line, and its exit code says so") {
    val file = written(outputs).toString
    val missing = directory.resolve("missing").toString
    val remedy = "name a *.container; each goes with its shuffle or its application"
    assert(run("ls", missing) == ((1, "", s"hpc-container: $missing: no such file: $remedy\n")))
    val list = s"find $directory -name '*.container' lists"
    assert(run("ls", directory.toString) == ((
      1,
      "",
      s"hpc-container: $directory: a directory: name a file in it, of those that $list\n"
    )))
    val (exit, _, said) = run("cat", file, "5")
    assert(exit == 1 && said.endsWith(s"$file has no map task 5\n"))
    val other = Files.write(directory.resolve("other"), new Array[Byte](100)).toString
    assert(run("verify", other)._3 == s"hpc-container: $other: header: this is no container\n")
    assert(run("cat", file, "one")._1 == 2 && run()._1 == 2)
  }
}
