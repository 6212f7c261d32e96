package org.sparkhpc.container

import java.io.{Closeable, IOException, OutputStream, PrintStream}
import java.nio.file._

import scala.util.Try

import com.google.common.io.ByteStreams

/** The command `bin/hpc-container`: shows what a container holds and whether it is intact, from its bytes alone. */
object ContainerTool {

  private val Usage =
    """hpc-container ls FILE                          its map outputs
      |hpc-container verify FILE                      whether each of its bytes is as it was written
      |hpc-container cat FILE MAPTASK [PARTITION]     what a map output holds, or a partition of it""".stripMargin

  def main(arguments: Array[String]): Unit =
    System.exit(run(arguments.toList, System.out, System.err))

  /** Returns the exit code: 0, 1 for a file that is damaged or can't be read, 2 for arguments that make no sense. */
  def run(words: List[String], out: PrintStream, err: PrintStream): Int =
    try
      words match {
        case List("ls", file) => open(file)(list(_, out))
        case List("verify", file) => open(file)(verify(_, out))
        case List("cat", file, task) => open(file)(cat(_, task.toLong, None, out))
        case List("cat", file, task, part) => open(file)(cat(_, task.toLong, Some(part.toInt), out))
        case _ =>
          err.println(Usage)
          2
      }
    catch {
      case failure: IOException =>
        err.println(s"hpc-container: ${said(failure)}")
        1
      case wrong @ (_: NumberFormatException | _: InvalidPathException) =>
        err.println(s"hpc-container: ${wrong.getMessage}\n$Usage")
        2
    }

  private def said(failure: IOException): String = failure match {
    case missing: NoSuchFileException =>
      s"${missing.getFile}: no such file: name a *.container; each goes with its shuffle or its application"
    case denied: AccessDeniedException =>
      s"${denied.getFile}: permission denied: ask the user whose application wrote it"
    case other => Option(other.getMessage).getOrElse(other.toString)
  }

  private final class Open(path: Path) extends Closeable {
    val bytes = new FileBytes(path)
    lazy val index: ContainerIndex = ContainerIndex.read(bytes)

    def copy(output: MapOutput, start: Int, end: Int, to: OutputStream): Unit =
      new ContainerReader(bytes, index).copy(Block(output.mapTaskId, start, end), to)

    override def close(): Unit = bytes.close()
  }

  private def open(file: String)(use: Open => Int): Int = {
    val path = Paths.get(file)
    if (Files.isDirectory(path)) {
      throw new IOException(
        s"$path: a directory: name a file in it, of those that find $path -name '*.container' lists"
      )
    }
    val opened = new Open(path)
    try use(opened)
    finally opened.close()
  }

  private def list(file: Open, out: PrintStream): Int = {
    val outputs = file.index.all
    out.println(s"shuffle ${file.index.header.shuffle}, ${outputs.size} map outputs")
    for (output <- outputs) {
      val lengths = output.lengths(0, output.partitions)
      out.println(
        s"map task ${output.mapTaskId}: ${lengths.sum} bytes, ${lengths.count(_ > 0)} of " +
          s"${output.partitions} partitions, at ${output.extents.map(_.offset).mkString(", ")}"
      )
    }
    0
  }

  private def verify(file: Open, out: PrintStream): Int = {
    val outputs = file.index.all
    val damages = file.index.damage ++
      ContainerIndex.cut(file.index, file.bytes.length).map(why => s"${file.bytes.name}: $why") ++
      outputs.flatMap { output =>
        Try(file.copy(output, 0, output.partitions, ByteStreams.nullOutputStream())).failed.toOption
          .map(failure => s"map task ${output.mapTaskId}: ${failure.getMessage}")
      }
    damages.foreach(out.println)
    if (damages.isEmpty) out.println(s"intact: ${outputs.size} map outputs")
    if (damages.isEmpty) 0 else 1
  }

  private def cat(file: Open, mapTaskId: Long, part: Option[Int], out: PrintStream): Int = {
    val output = file.index.get(mapTaskId).getOrElse {
      throw new IOException(
        file.index.damage.getOrElse(s"${file.bytes.name} has no map task $mapTaskId")
      )
    }
    val (start, end) = part.fold((0, output.partitions))(part => (part, part + 1))
    file.copy(output, start, end, out)
    out.flush()
    0
  }
}
