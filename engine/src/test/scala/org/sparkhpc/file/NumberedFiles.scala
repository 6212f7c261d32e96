package org.sparkhpc.file

import java.nio.ByteBuffer
import java.nio.file.{Files, Path, Paths, StandardCopyOption}

import scala.collection.JavaConverters._
import scala.reflect.io.Directory
import scala.util.Try

/** Files whose bytes say what they should be, and those of them that this process has open. */
trait NumberedFiles {
  import NumberedFiles._

  /** Runs `test` in a folder of its own. */
  def inFolder[A](test: Path => A): A = {
    val folder = Files.createTempDirectory("pool")
    try test(folder)
    finally Directory(folder.toFile).deleteRecursively(): Unit
  }

  def write(folder: Path, number: Int, bytes: Int = Size): String = {
    val file = folder.resolve(number.toString)
    Files.write(file, Array.tabulate(bytes)(at => byte(number, at))).toString
  }

  /** Reads some bytes of a file and says whether they are that file's, or those of number `as`. */
  def isRight(pool: FilePool, folder: Path, number: Int, at: Int = 0, as: Int = -1): Boolean = {
    val to = ByteBuffer.allocate(10)
    val count = pool.read(folder.resolve(number.toString).toString, to, at.toLong)
    val content = if (as < 0) number else as
    count == math.min(10, Size - at) && to.position() == count &&
    (0 until count).forall(index => to.get(index) == byte(content, at + index))
  }

  /** A new file of that name takes the place of the old one. */
  def replace(folder: Path, number: Int, by: Int): Unit = {
    val other = Paths.get(write(Files.createDirectories(folder.resolve("new")), by))
    val name = folder.resolve(number.toString)
    Files.move(other, name, StandardCopyOption.REPLACE_EXISTING): Unit
  }

  /** The names below the folder that this process has open, as the kernel says; a deleted file's name
    * ends so.
    */
  def openBelow(folder: Path): Seq[String] = {
    val descriptors = Files.list(Paths.get("/proc/self/fd"))
    try descriptors.iterator.asScala.toList
        .flatMap(link => Try(Files.readSymbolicLink(link)).toOption)
        .filter(_.startsWith(folder)).map(_.getFileName.toString).sorted
    finally descriptors.close()
  }
}

object NumberedFiles {
  val Size: Int = 1000

  def byte(number: Int, at: Int): Byte = (number * 31 + at * 7 + at / 256).toByte
}
