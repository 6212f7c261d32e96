package org.sparkhpc.apps

import java.io.RandomAccessFile
import java.nio.file.{Path, Paths}

/** The files of map outputs below a directory, stock Spark's and containers. */
private[apps] object MapOutputFiles {

  /** Changes a byte of each, and returns how many there were. */
  def damage(directory: String): Int = {
    val outputs = FilesBelow(Paths.get(directory)).filter(isOutput)
    outputs.foreach(damage)
    outputs.size
  }

  private def isOutput(file: Path): Boolean = {
    val name = file.getFileName.toString
    name.endsWith(".data") || name.endsWith(".container")
  }

  /** In the last block, which the other bytes say the length of. */
  private def damage(path: Path): Unit = {
    val file = new RandomAccessFile(path.toFile, "rw")
    try {
      val at = file.length - 6
      file.seek(at)
      val byte = file.read()
      file.seek(at)
      file.write(~byte)
    } finally file.close()
  }
}
