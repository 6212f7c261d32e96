package org.sparkhpc.tier

import java.nio.file.{FileAlreadyExistsException, Files, Path}
import java.util.concurrent.TimeUnit

import org.apache.commons.io.FileUtils
import org.scalatest.funsuite.AnyFunSuite

class DirectoryTokenSuite extends AnyFunSuite {
  private val second = TimeUnit.SECONDS.toNanos(1)

  private def below(test: Path => Unit): Unit = {
    val folder = Files.createTempDirectory("token")
    try test(folder)
    finally FileUtils.deleteDirectory(folder.toFile)
  }

  test("a token is seen where it was written, whole and with its own words only") {
    below { folder =>
      val token = DirectoryToken(folder.resolve("token"), "words")
      assert(!token.isSeen)
      token.write()
      assert(token.isSeen)
      assert(!token.copy(words = "others").isSeen && !token.copy(words = "wor").isSeen)
      Files.write(token.file, "wor".getBytes)
      assert(!token.isSeen)
    }
  }

  test("a file that somebody put there first isn't written to") {
    below { folder =>
      val token = DirectoryToken(Files.createFile(folder.resolve("token")), "words")
      intercept[FileAlreadyExistsException](token.write())
    }
  }

  /** Whether it is seen within ten seconds, and how many have passed then. */
  private def look(token: DirectoryToken)(eachSecond: Int => Unit): (Boolean, Int) = {
    var seconds = 0
    val pause = (_: Long) => {
      seconds += 1
      eachSecond(seconds)
    }
    val seen = DirectoryToken.within(10 * second, () => seconds * second, pause)(token.isSeen)
    (seen, seconds)
  }

  test("a token that is late by a second is waited for, one that never comes isn't for ever") {
    below { folder =>
      val token = DirectoryToken(folder.resolve("token"), "words")
      assert(look(token)(_ => ()) == ((false, 10)))
      assert(look(token)(seconds => if (seconds == 1) token.write()) == ((true, 1)))
      assert(look(token)(_ => ()) == ((true, 0)))
    }
  }
}
