package org.apache.spark.hpc.tier

import java.io.IOException
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Path

import com.google.common.io.ByteStreams

/** Over how many object storage targets of Lustre the new files of a directory are spread. */
object Stripes {

  /** An IOException with what the command says if it doesn't do it.
    *
    * @param count of targets; -1 for all
    */
  def set(directory: Path, count: Int, lfs: String = "lfs"): Unit = {
    val command = Seq(lfs, "setstripe", "-c", count.toString, directory.toString)
    val process = new ProcessBuilder(command: _*).redirectErrorStream(true).start()
    process.getOutputStream.close()
    val said = new String(ByteStreams.toByteArray(process.getInputStream), UTF_8).trim
    val code = process.waitFor()
    if (code != 0) {
      val oneLine = said.linesIterator.map(_.trim).mkString(" ")
      throw new IOException(s"'${command.mkString(" ")}' ended with $code: $oneLine")
    }
  }
}
