package org.sparkhpc.apps

import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

import org.sparkhpc.retain.trace.{TraceBlock, TraceReader}
import org.sparkhpc.retain.trace.TraceEvent.Computed

/** How much of the scheduler's lineage executors saw: `CompareLineage NAME TRUTH TRACES`, the directory
  * of the only trace.
  *
  * Where an RDD and its parent have as many partitions, each block is to have read its own partition
  * of the parent; other pairs aren't compared.
  */
object CompareLineage {

  def main(args: Array[String]): Unit = {
    val Array(name, truth, traces) = args
    show(name, Paths.get(truth), Paths.get(traces))
  }

  private[apps] def show(name: String, truths: Path, traces: Path): Unit = {
    val truth = Files.readAllLines(truths).asScala.map(_.split(' ').map(_.toInt))
    val Seq(trace) = FilesBelow(traces)
    val in = Files.newInputStream(trace)
    val computed =
      try new TraceReader(in).collect { case Computed(block, _, reads) =>
          block -> reads.toSet
        }.toMap
      finally in.close()

    val pairs = for {
      Array(rdd, partitions, parent, ofParent) <- truth if partitions == ofParent
      partition <- 0 until partitions
      block = TraceBlock(rdd, partition) if computed.contains(block)
    } yield block -> TraceBlock(parent, partition)
    val (seen, missed) = pairs.partition { case (block, read) => computed(block)(read) }
    val known = truth.map { case Array(rdd, _, parent, _) => rdd -> parent }.toSet
    val others = for {
      (block, reads) <- computed.toSeq
      read <- reads if !known(block.rdd -> read.rdd)
    } yield block -> read

    Report.line(s"$name.computed", computed.size)
    Report.line(s"$name.seen", seen.size)
    Report.line(s"$name.missed", missed.size)
    Report.line(s"$name.others", others.size)
    for ((block, read) <- missed.take(10)) Report.line(s"$name.miss", s"$block $read")
    for ((block, read) <- others.take(10)) Report.line(s"$name.other", s"$block $read")
  }
}
