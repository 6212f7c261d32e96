package org.sparkhpc.e2e

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import com.fasterxml.jackson.databind.ObjectMapper

/** An emulated Lustre in `base`, of one node unless said otherwise: see docs/testbed.md. */
final class Pfs(base: Path, nodes: Int = 1, settings: Seq[String] = Nil) extends AutoCloseable {
  private val testbed = Testbed.Program

  Needs(
    Files.isWritable(base.getRoot) && Files.exists(base.getRoot.resolve("dev/fuse")),
    "root and FUSE for the emulated file system"
  )
  private val started =
    tell(Seq("start", "--nodes", nodes.toString, "--preset", "edison") ++ settings: _*)

  /** What stands before a command that is to run on a node; all see the file system at [[common]]. */
  def as(node: Int): Seq[String] =
    Seq(testbed, "pfs", "exec", "--base", base.toString, node.toString, "--")

  def common: Path = base.resolve("pfs")

  /** A command that has the file system stand still for a node, whose number is to follow. Kernels
    * have nothing of it in their page caches then: also what was read before is a request.
    */
  def stallOf(seconds: Int): Path = {
    val command = s"$testbed pfs drop --base $base && " +
      s"exec $testbed pfs stall --base $base $seconds --client"
    val script = base.resolveSibling("stall")
    Files.write(script, s"#!/bin/sh\n$command $$1\n".getBytes(UTF_8))
    assert(script.toFile.setExecutable(true))
    script
  }

  /** Where the only node sees the file system. */
  def mount: String = started.lines.last.split(' ').last

  /** How many times directories of this path class were listed. */
  def listings(pathClass: String): Int = {
    val counted = new ObjectMapper().readTree(tell("stats", "--json").out)
    counted.get("clients").elements().asScala.map(_.at(s"/counts/opendir/$pathClass").asInt).sum
  }

  /** Where the bytes are that [[mount]] has there, without a request. */
  def backing(path: Path): Path =
    base.resolve("backing").resolve(Path.of(mount).relativize(path).toString)

  /** Requests of the next so many seconds wait for their end. */
  def stall(seconds: Int): Unit = tell("stall", seconds.toString): Unit

  /** A setting of the file system, from now on: `mds.median_us=5000`. */
  def set(setting: String): Unit = tell("set", setting): Unit

  /** Requests fail from now on: `EIO --kind close`. */
  def fault(words: String*): Unit = tell("fault" +: words: _*): Unit

  /** The node's mount is dead from now on. */
  def kill(): Unit = tell("kill", "0"): Unit

  /** No fault is left. */
  def clear(): Unit = tell("clear"): Unit

  override def close(): Unit = tell("stop"): Unit

  private def tell(words: String*): Run = {
    val command = Seq(testbed, "pfs", words.head, "--base", base.toString) ++ words.tail
    val run = Run(command, base.getParent)
    assert(run.exit == 0, run)
    run
  }
}
