package org.apache.spark.examples.hpc

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

class TeraSuite extends AnyFunSuite with Workloads with WrongAnswers with TemporaryFiles {

  private def generated(files: Int): Path = {
    val output = fresh("tera")
    assertRuns(TeraGen, "teragen", "records=300", "bytes=30000", s"files=$files")(
      s"--records 300 --files $files --seed 7 --output $output"
    )
    output
  }

  private lazy val unsorted = generated(files = 4)
  private lazy val sorted = {
    val output = fresh("sorted")
    assertRuns(TeraSort, "terasort", "records=300", "reduces=3")(
      s"--input $unsorted --output $output --reduces 3"
    )
    output
  }

  private def parts(directory: Path): Seq[Path] =
    directory.toFile.listFiles.filter(_.getName.startsWith("part-")).map(_.toPath).sorted.toSeq

  private def bytes(directory: Path): Array[Byte] =
    parts(directory).map(Files.readAllBytes).reduce(_ ++ _)

  /** A copy of the sorted files, without checksum files, its records changed by `spoil`. */
  private def spoiled(spoil: Seq[Array[Byte]] => Seq[Array[Byte]]): Path = {
    val copy = Files.createDirectory(fresh("spoiled"))
    parts(sorted).zipWithIndex.foreach { case (part, index) =>
      val records = Files.readAllBytes(part).grouped(TeraRecord.Length).toSeq
      val written = if (index == 1) spoil(records) else records
      Files.write(copy.resolve(part.getFileName), written.reduce(_ ++ _))
    }
    copy
  }

  private def assertInvalid(input: Path, words: String*): Unit =
    assertRefused(TeraValidate, 1, "wrong answer: " +: words: _*)(
      s"--input $input --source $unsorted"
    )

  test("generates the same bytes into any number of files") {
    assert(bytes(unsorted).length == 30000)
    assert(bytes(generated(files = 7)).sameElements(bytes(unsorted)))
  }

  test("sorts by the key's unsigned bytes, and loses nothing else of a record") {
    def records(directory: Path): Seq[Seq[Int]] =
      bytes(directory).grouped(TeraRecord.Length).map(_.map(_ & 0xff).toSeq).toSeq
    import scala.math.Ordering.Implicits._
    assert(records(sorted) == records(unsorted).sortBy(_.take(TeraRecord.KeyLength)))
    assertRuns(TeraValidate, "teravalidate", "records=300")(s"--input $sorted --source $unsorted")
  }

  test("a lost, a doubled, a damaged and a misplaced record are found") {
    assertInvalid(spoiled(_.drop(1)), "expected 300 records", "found 299 records")
    assertInvalid(spoiled(records => records.head +: records), "found 301 records")
    assertInvalid(
      spoiled(records => records.init :+ records.last.updated(99, 'z'.toByte)),
      "checksum"
    )
    assertInvalid(
      spoiled(records => records(1) +: records(0) +: records.drop(2)),
      "before a smaller one",
      "found 1"
    )
  }

  test("files in the wrong order are found") {
    val swapped = spoiled(identity)
    val all = parts(swapped)
    val first = Files.readAllBytes(all(0))
    Files.write(all(0), Files.readAllBytes(all(1)))
    Files.write(all(1), first)
    assertInvalid(swapped, "before a smaller one")
  }

  test("a file that TeraGen lost is found") {
    val options =
      TeraGenOptions(records = 300, files = 4, seed = 7, output = generated(4).toString)
    Files.delete(parts(java.nio.file.Paths.get(options.output)).head)
    val spark = org.apache.spark.sql.SparkSession.builder.getOrCreate()
    try assertWrong("expected 300 records", "found 225 records")(TeraGen.check(spark, options))
    finally spark.stop()
  }

  test("wrong options are refused") {
    assertRefused(TeraGen, 2, "--records", "--output")("")
    assertRefused(TeraGen, 2, "--records 0")(s"--records 0 --output ${fresh("x")}")
    assertRefused(TeraSort, 1, "--input", "no such file")(
      s"--input ${fresh("x")} --output ${fresh("y")}"
    )
    assertRefused(TeraSort, 1, "--output", "exists already")(
      s"--input $unsorted --output $unsorted"
    )
  }
}
