package org.sparkhpc.e2e

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import scala.concurrent.duration._

/** A real parallel file system of the testbed that each of two nodes has mounted: see docs/testbed.md.
  *
  * @param kind `cephfs`, `glusterfs` or `moosefs`
  * @param options of the testbed's `start`
  */
final class SharedMounts(kind: String, base: Path, options: String*) extends AutoCloseable {
  private val testbed = Testbed.Program

  private val missing = Run(Seq(testbed, kind, "require"), base.getParent)
  Needs(missing.exit == 0, missing.err.trim)
  tell(Seq("start", "--nodes", "2") ++ options: _*)
  Files.createDirectories(from(0)): Unit

  /** What stands before a command that is to run on a node, which is 0 or 1. */
  def as(node: Int): Seq[String] =
    Seq(testbed, kind, "exec", "--base", base.toString, node.toString, "--")

  /** A directory at the same path on both nodes. */
  def shared: Path = base.resolve(kind).resolve("shared")

  /** What a node has at [[shared]], for processes that are on no node. */
  def from(node: Int): Path = base.resolve(s"nodes/$node/shared")

  /** The files below [[shared]], as a node sees them, as relative paths. */
  def files(node: Int): Seq[Path] = FilesBelow(from(node)).map(from(node).relativize)

  /** Takes all room that is left. */
  def fill(): Unit = tell("fill")

  /** Gives back what [[fill]] has taken. */
  def clear(): Unit = tell("clear")

  /** A command for `Loss`: when all servers run, it kills one for so many seconds. It only stops it for them if its second
    * word is `stall`.
    */
  def faultOf(server: String, seconds: Int): Path = {
    val command = s"$testbed $kind"
    script(
      s"fault-$server",
      s"""until $command status --base $base >/dev/null 2>&1; do sleep 0.2; done
         |case $$2 in
         |  stall) exec $command stall --base $base $server $seconds ;;
         |  *) exec $command kill --base $base $server --back $seconds ;;
         |esac""".stripMargin
    )
  }

  /** A command for `Loss`: it crashes a node with all processes on it. */
  def crashOf(node: Int): Path =
    script(s"crash-$node", s"exec $testbed $kind crash --base $base $node")

  private def script(name: String, commands: String): Path = {
    val file = base.resolveSibling(name)
    Files.write(file, s"#!/bin/sh\n$commands\n".getBytes(UTF_8))
    assert(file.toFile.setExecutable(true))
    file
  }

  /** Waits until all servers run, and both mounts reach each: a client of GlusterFS finds its server seconds later. */
  def awaitServers(): Unit =
    Patience.until(s"all servers of $kind", 2.minutes)(
      Some(asked("status")).filter(_.exit == 0 && (0 to 1).forall(reachesAll))
    )(""): Unit

  /** One brick lists its files without the other, but new names are spread over both. */
  private def reachesAll(node: Int): Boolean = {
    val write = "cd \"$0\" && touch .answers-{1..20} && rm .answers-*"
    Run(as(node) ++ Seq("bash", "-c", write, shared.toString), base.getParent).exit == 0
  }

  override def close(): Unit = tell("stop")

  private def tell(words: String*): Unit = {
    val run = asked(words: _*)
    assert(run.exit == 0, run)
  }

  private def asked(words: String*): Run =
    Run(Seq(testbed, kind, words.head, "--base", base.toString) ++ words.tail, base.getParent)
}
