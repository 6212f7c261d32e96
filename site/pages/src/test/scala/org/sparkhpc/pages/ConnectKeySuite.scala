package org.sparkhpc.pages

import java.nio.file.{Files, Path, Paths}
import java.nio.file.attribute.PosixFilePermissions.{fromString => permissions}

import scala.sys.process._

import org.scalatest.funsuite.AnyFunSuite
import org.sparkproject.connect.grpc.{Attributes, Metadata, MethodDescriptor, ServerCall}
import org.sparkproject.connect.grpc.{ServerCallHandler, Status}

class ConnectKeySuite extends AnyFunSuite {

  private val Right = "of this-server_"

  private def withFile[T](text: String)(use: Path => T): T = {
    // The JVM doesn't make it.
    val temporary = Files.createDirectories(Paths.get(System.getProperty("java.io.tmpdir")))
    val file = Files.createTempFile(temporary, "connect", ".key")
    try use(Files.write(file, text.getBytes("UTF-8")))
    finally Files.delete(file)
  }

  /** A call that remembers with what it was closed. */
  private final class Call extends ServerCall[String, String] {
    var closed: Option[Status] = None
    override def request(numMessages: Int): Unit = ()
    override def sendHeaders(headers: Metadata): Unit = ()
    override def sendMessage(message: String): Unit = ()
    override def close(status: Status, trailers: Metadata): Unit = closed = Some(status)
    override def isCancelled: Boolean = false
    override def getAttributes: Attributes = Attributes.EMPTY
    override def getMethodDescriptor: MethodDescriptor[String, String] = null
  }

  /** Whether a call with that header reached the server, and what it was closed with. */
  private def outcome(header: String, given: String*): (Boolean, Option[Status]) =
    withFile(Right + "\n") { file =>
      val headers = new Metadata
      given.foreach(headers.put(Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER), _))
      val call = new Call
      var reached = false
      val handler = new ServerCallHandler[String, String] {
        override def startCall(
            call: ServerCall[String, String],
            headers: Metadata
        ): ServerCall.Listener[String] = {
          reached = true
          new ServerCall.Listener[String] {}
        }
      }
      assert(new ConnectKey(file).interceptCall(call, headers, handler) != null)
      (reached, call.closed)
    }

  test("a call with the key reaches the server") {
    assert(outcome("x-spark-hpc-key", Right) == ((true, None)))
  }

  test("a call without it, or with another, is refused and told how") {
    Seq(
      outcome("x-spark-hpc-key"),
      outcome("x-spark-hpc-key", ""),
      outcome("x-spark-hpc-key", Right + "x"),
      outcome("authorization", Right)
    ).foreach { case (reached, closed) =>
      assert(!reached)
      assert(closed.map(_.getCode) == Some(Status.Code.UNAUTHENTICATED))
      assert(closed.get.getDescription.contains("end the address with ;x-spark-hpc-key=KEY"))
    }
  }

  private def assertRefused(file: Path, why: String): Unit = {
    val refused = intercept[IllegalArgumentException](new ConnectKey(file))
    assert(refused.getMessage.startsWith(s"spark.org.sparkhpc.pages.ConnectKey.file = $file: $why"))
  }

  test("without a key there is no server") {
    withFile(" \n")(assertRefused(_, "that file is empty"))
    withFile(Right)(file => assertRefused(file.resolveSibling("missing"), "there is no such file"))
  }

  test("a key that others know, or could have put there, isn't one") {
    withFile(Right) { file =>
      Seq("rw-r-----", "rw----r--", "rw--w----").foreach { mode =>
        Files.setPosixFilePermissions(file, permissions(mode))
        assertRefused(file, "that isn't a file which only you can read")
      }
      Files.setPosixFilePermissions(file, permissions("r--------"))
      new ConnectKey(file)
    }
  }

  test("nor is a link, whose end others may choose") {
    withFile(Right) { file =>
      val link = Files.createSymbolicLink(file.resolveSibling(s"${file.getFileName}.link"), file)
      try assertRefused(link, "that isn't a file which only you can read")
      finally Files.delete(link)
    }
  }

  test("nor is one in a directory where others can put another in its place") {
    withFile(Right) { file =>
      val directory = Files.createTempDirectory(file.getParent, "open")
      val moved = Files.move(file, directory.resolve("key"))
      try {
        Files.setPosixFilePermissions(directory, permissions("rwxrwx---"))
        assertRefused(moved, s"others can write in $directory")
        // As /tmp is: nobody takes away what isn't his.
        Files.setAttribute(directory, "unix:mode", Integer.valueOf(0x43ff))
        new ConnectKey(moved)
      } finally {
        Files.move(moved, file)
        Files.delete(directory)
      }
    }
  }

  test("nor is another user's") {
    assume("id -u".!!.trim == "0", "root is needed to give a file away")
    withFile(Right) { file =>
      Files.setAttribute(file, "unix:uid", Integer.valueOf(1))
      assertRefused(file, "that isn't a file which only you can read")
    }
  }
}
