package org.sparkhpc.tier

import java.io.File
import java.nio.file.Files
import java.util.concurrent.TimeUnit

import org.apache.commons.io.FileUtils
import org.scalatest.funsuite.AnyFunSuite

class ScratchRoomSuite extends AnyFunSuite {
  private var time = 0L

  private def inRoom[A](test: (ScratchRoom, File) => A): A = {
    val directory = Files.createTempDirectory("room").toFile
    try test(new ScratchRoom(Seq(directory), reserve = Some(0), () => time), directory)
    finally FileUtils.deleteQuietly(directory): Unit
  }

  test("what was written counts at once, though the file system is asked once a second") {
    inRoom { (room, _) =>
      assert(room.inWords.isEmpty)
      val before = room.left
      room.took(1000)
      assert(room.left == before - 1000)
      assert(room.inWords.contains(s"${before - 1000} bytes free besides the reserve"))
    }
  }

  test("a directory that is gone has no room, and the reason says so instead of a full disk") {
    inRoom { (room, directory) =>
      assert(room.left > 0)
      FileUtils.deleteDirectory(directory)
      time += TimeUnit.SECONDS.toNanos(1)
      assert(room.left == 0)
      assert(room.inWords.contains(s"$directory is gone"))
    }
  }
}
