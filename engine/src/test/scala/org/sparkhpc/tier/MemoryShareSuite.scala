package org.sparkhpc.tier

import java.io.File
import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

class MemoryShareSuite extends AnyFunSuite {

  private def share(limit: Long, directory: Option[File] = None): MemoryShare =
    new MemoryShare(limit, isCounted => new UncountedBytes(directory.toSeq, isCounted, _.run()))

  test("bytes are taken up to the limit, and given back with their file") {
    val memory = share(100)
    assert(memory.take("a", 60) && memory.take("a", 20) && memory.take("b", 20))
    assert(!memory.hasRoom && !memory.take("b", 1))
    assert(memory.used == 100)
    memory.giveBack("a")
    memory.giveBack("a")
    assert(memory.used == 20 && memory.hasRoom)
    assert(memory.take("c", 80))
  }

  test("files that others have there count, what is taken doesn't count twice") {
    val directory = Files.createTempDirectory("share").toFile
    try {
      Files.write(new File(directory, "others").toPath, new Array[Byte](30))
      Files.write(new File(directory, "mine").toPath, new Array[Byte](50))
      val memory = share(100, Some(directory))
      // Found by the look that this begins, which here is over before its answer.
      assert(!memory.take("mine", 80))
      assert(memory.used == 0)
    } finally {
      directory.listFiles.foreach(_.delete())
      directory.delete(): Unit
    }
  }

  test("nothing fits in no memory") {
    assert(!share(0).hasRoom && !share(0).take("a", 1))
  }
}
