package org.sparkhpc.pages

import java.nio.file.{Files, Path, Paths}

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

  test("without a key there is no server") {
    withFile(" \n") { file =>
      val refused = intercept[IllegalArgumentException](new ConnectKey(file))
      assert(refused.getMessage.contains(s"$file: that file is empty"))
    }
  }
}
