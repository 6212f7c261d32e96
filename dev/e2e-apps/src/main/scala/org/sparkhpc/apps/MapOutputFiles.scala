package org.sparkhpc.apps

import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.{NoSuchFileException, Path, Paths}
import java.nio.file.StandardOpenOption.{READ, WRITE}

/** The files of map outputs below a directory, stock Spark's and containers. */
private[apps] object MapOutputFiles {

  /** Changes a byte of each, and returns how many there were. Those of earlier shuffles may go meanwhile. */
  def damage(directory: String): Int =
    FilesBelow(Paths.get(directory)).filter(isOutput).count(change)

  private def isOutput(file: Path): Boolean = {
    val name = file.getFileName.toString
    name.endsWith(".data") || name.endsWith(".container")
  }

  /** In the last block, which the other bytes say the length of. False for a file that has gone. */
  private def change(path: Path): Boolean =
    try {
      val file = FileChannel.open(path, READ, WRITE)
      try {
        val at = file.size - 6
        val byte = ByteBuffer.allocate(1)
        file.read(byte, at)
        file.write(ByteBuffer.wrap(Array((~byte.get(0)).toByte)), at)
        true
      } finally file.close()
    } catch { case _: NoSuchFileException => false }
}
