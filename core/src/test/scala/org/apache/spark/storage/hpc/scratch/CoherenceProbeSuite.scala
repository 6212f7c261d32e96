package org.apache.spark.storage.hpc.scratch

import java.io.File
import java.nio.file.Files
import java.util.concurrent.TimeUnit

import org.apache.commons.io.FileUtils
import org.apache.spark.storage.hpc.channel.DriverChannel
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.tier.{Coherence, Coherences, MountTable}

/** Driver and executors with mounts of their own of one directory. */
class CoherenceProbeSuite extends AnyFunSuite {
  import CoherenceMessages._

  private var asked = Seq.empty[Any]

  private def process(kind: String, client: Int): Coherences =
    new Coherences(() => MountTable.parse(Seq(s"36 35 0:$client / / rw - $kind server rw")))

  /** What an executor knows in the end.
    *
    * @param change what becomes of a message on its way
    */
  private def found(kind: String, executor: Int, channel: DriverChannel, directory: File)(
      change: (Any, Any => Any) => Any
  ): Coherence = {
    val its = process(kind, executor)
    var waited = 0L
    def ask(message: Any): Any = {
      asked :+= message
      change(message, channel.receive)
    }
    val clock = () => TimeUnit.MILLISECONDS.toNanos(waited)
    new CoherenceProbe(Seq(directory.getPath), its, ask, "executor 1", clock, waited += _)
      .probe(directory.getPath)
    its.of(directory).coherence
  }

  /** Runs with the driver's channel and directory. All have left no file there in the end. */
  private def withDriver(kind: String)(use: (DriverChannel, File) => Unit): Unit = {
    val directory = Files.createTempDirectory("coherence").toFile
    asked = Nil
    try {
      val channel = new DriverChannel
      val juries = new CoherenceJuries(Seq(directory), process(kind, client = 1))
      juries.register(channel)
      assert(juries.measured == Seq(directory.getPath))
      use(channel, directory)
      assert(directory.list.isEmpty)
    } finally FileUtils.deleteDirectory(directory)
  }

  private def unchanged(message: Any, send: Any => Any): Any = send(message)

  private def rounds: Int = asked.count(_.isInstanceOf[Round])

  test("another node's executor measures, and the others are told") {
    withDriver("fuse.ceph-fuse") { (channel, directory) =>
      assert(found("fuse.ceph-fuse", 2, channel, directory)(unchanged) == Coherence.Observed)
      assert(rounds > 0)
      val before = rounds
      for (executor <- Seq(1, 2, 3))
        assert(
          found("fuse.ceph-fuse", executor, channel, directory)(unchanged) == Coherence.Observed
        )
      assert(rounds == before)
    }
  }

  test("executors with the driver's own client measure nothing, and ask few times") {
    withDriver("nfs4") { (channel, directory) =>
      assert(found("nfs4", 1, channel, directory)(unchanged) == Coherence.Unproven)
      assert(rounds == 0 && asked.size < 15, asked)
    }
    withDriver("lustre") { (channel, directory) =>
      assert(found("lustre", 1, channel, directory)(unchanged) == Coherence.Guaranteed)
    }
  }

  /** As if the driver's writes were still in its own node's cache. */
  private def unwritten(message: Any, send: Any => Any): Any = message match {
    case Round(_, _, round) if round > 3 => true
    case other => send(other)
  }

  test("a type that should be coherent, but isn't seen to be, gets the safe way on all nodes") {
    for (kind <- Seq("lustre", "fuse.mfs"))
      withDriver(kind) { (channel, directory) =>
        assert(found(kind, 2, channel, directory)(unwritten) == Coherence.Unproven)
        assert(rounds == 4)
        assert(found(kind, 3, channel, directory)(unchanged) == Coherence.Unproven)
        assert(rounds == 4)
      }
  }

  test("a driver that sees nothing, or that fails, proves nothing") {
    val blind = (message: Any, send: Any => Any) =>
      message match {
        case _: Begun => None
        case other => send(other)
      }
    val failing = (message: Any, send: Any => Any) =>
      message match {
        case _: Round => throw new IllegalStateException("as told")
        case other => send(other)
      }
    for ((way, coherence) <- Seq("nfs4" -> Coherence.Unproven, "lustre" -> Coherence.Guaranteed))
      for (change <- Seq(blind, failing))
        withDriver(way) { (channel, directory) =>
          assert(found(way, 2, channel, directory)(change) == coherence)
        }
  }

  test("without an answer the type decides") {
    withDriver("lustre") { (channel, directory) =>
      val none = (_: Any, _: Any => Any) => throw new IllegalStateException("as told")
      assert(found("lustre", 2, channel, directory)(none) == Coherence.Guaranteed)
      assert(found("nfs4", 2, channel, directory)(none) == Coherence.Unproven)
    }
  }
}
