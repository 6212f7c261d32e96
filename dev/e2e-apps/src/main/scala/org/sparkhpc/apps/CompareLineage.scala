package org.sparkhpc.apps

import java.nio.file.{Files, Paths}

import scala.collection.JavaConverters._

import org.sparkhpc.retain.trace.{TraceBlock, TraceReader}
import org.sparkhpc.retain.trace.TraceEvent.Computed

/** How much of the scheduler's lineage executors saw: `CompareLineage TRUTH TRACE`.
  *
  * Where an RDD and its parent have as many partitions, each block is to have read its own partition
  * of the parent; other pairs aren't compared.
  */
object CompareLineage {

  def main(args: Array[String]): Unit = {
    val truth = Files.readAllLines(Paths.get(args(0))).asScala.map(_.split(' ').map(_.toInt))
    val in = Files.newInputStream(Paths.get(args(1)))
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

    Report.line("computed", computed.size)
    Report.line("seen", seen.size)
    Report.line("missed", missed.size)
    Report.line("others", others.size)
    for ((block, read) <- missed.take(10)) Report.line("miss", s"$block $read")
    for ((block, read) <- others.take(10)) Report.line("other", s"$block $read")
  }
}
