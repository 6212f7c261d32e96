package org.apache.spark.storage

import java.io.{File, RandomAccessFile}
import java.util.concurrent.{Executors, TimeUnit}

import scala.collection.mutable.ArrayBuffer
import scala.util.{Failure, Random, Success, Try}

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.hpc.elements.Shape
import org.apache.spark.internal.config.Hpc
import org.apache.spark.storage.GeneratedCaches._
import org.apache.spark.storage.GeneratedCells.Cell

/** One run of a generated program: what was wrong with it, if anything.
  *
  * @param number tells it from others of this process
  */
private[storage] final class GeneratedCacheRun(sc: SparkContext, number: Int, program: Program) {
  import GeneratedCacheRun._

  private val expected = program.nodes.foldLeft(Seq.empty[Seq[Seq[Cell]]]) { (before, node) =>
    before :+ GeneratedCells.evaluated(node, before)
  }

  // Every read is compared with them.
  private lazy val shapes = expected.map(_.map(_.map(GeneratedCells.shape)))

  private val rdds =
    program.nodes.zipWithIndex.foldLeft(Seq.empty[org.apache.spark.rdd.RDD[Cell]]) {
      case (before, (node, i)) => before :+ GeneratedCells.rdd(sc, number, i, node, before)
    }

  /** Of files that were damaged. */
  val harmed = new ArrayBuffer[String]

  def wrong(): Option[String] =
    try {
      program.nodes.indices.foreach(persist)
      program.steps.iterator.flatMap(run).toStream.headOption
    } finally rdds.foreach(_.unpersist(blocking = true))

  private def persist(i: Int): Unit = {
    val level = StorageLevel.fromString(program.nodes(i).level)
    if (level != StorageLevel.NONE && rdds(i).getStorageLevel == StorageLevel.NONE) {
      rdds(i).persist(level): Unit
    }
  }

  private def run(step: Step): Option[String] = step match {
    case Read(nodes, spill) => inThreads(nodes.map(node => () => read(node, spill, Int.MaxValue)))
    case ReadSome(node, elements) => read(node, None, elements)
    case Unpersist(node) =>
      rdds(node).unpersist(blocking = true)
      None
    case Persist(node) =>
      persist(node)
      None
    case Fail(node, partition) =>
      GeneratedCells.fail(number, node, partition)
      None
    case Damage(what, node, seed) =>
      damage(what, node, new Random(seed))
      None
    case Press =>
      val other = sc.parallelize(0 until 20, 2).map(_ => new Array[Byte](50000)).cache()
      other.count()
      other.unpersist(blocking = true)
      None
  }

  private def inThreads(reads: Seq[() => Option[String]]): Option[String] =
    if (reads.size == 1) reads.head()
    else {
      val threads = Executors.newFixedThreadPool(reads.size)
      try
        reads.map(read => threads.submit(() => read()))
          .map(_.get(MostSeconds, TimeUnit.SECONDS)).collectFirst { case Some(wrong) => wrong }
      finally threads.shutdownNow(): Unit
    }

  private def read(node: Int, spill: Option[String], most: Int): Option[String] = {
    sc.setLocalProperty(Hpc.RETENTION_SPILL.key, spill.orNull)
    val found = Try(rdds(node).mapPartitions { rows =>
      Iterator(rows.take(most).map(GeneratedCells.shape).toArray)
    }.collect())
    val right = shapes(node).map(_.take(most))
    found match {
      case Failure(failure) => Some(s"reading RDD $node failed: $failure")
      case Success(found) if found.map(_.toSeq).toSeq == right => None
      case Success(found) => Some(difference(node, found, right))
    }
  }

  private def difference(node: Int, found: Array[Array[Int]], right: Seq[Seq[Int]]): String = {
    val partition = right.indices.find(part => found(part).toSeq != right(part)).get
    val elements = (found(partition), right(partition))
    val index = elements.zipped.toSeq.indexWhere { case (a, b) => a != b }
    s"RDD $node, partition $partition: ${found(partition).length} elements, not " +
      s"${right(partition).size}; element $index is not " +
      expected(node)(partition).lift(index).map(cell => Shape.of(cell.value).take(500))
  }

  /** Of a file of a level without disk; others are Spark's own business. */
  private def damage(what: String, node: Int, random: Random): Unit =
    if (program.nodes(node).level != "MEMORY_AND_DISK") {
      val manager = SparkEnv.get.blockManager
      val files = rdds(node).partitions.indices
        .map(part => manager.diskBlockManager.getFile(RDDBlockId(rdds(node).id, part)))
        .filter(file => file.length > 1)
      for (file <- random.shuffle(files).headOption) {
        harm(what, file, random)
        harmed += what
      }
    }

  private def harm(what: String, file: File, random: Random): Unit =
    if (what == "deleted") file.delete(): Unit
    else {
      val access = new RandomAccessFile(file, "rw")
      try {
        val at = random.nextInt(access.length.toInt)
        access.seek(at.toLong)
        if (what == "cut") access.setLength(at.toLong)
        else {
          val byte = access.read()
          access.seek(at.toLong)
          access.write(byte ^ (1 << random.nextInt(8)))
        }
      } finally access.close()
    }
}

private object GeneratedCacheRun {
  private val MostSeconds = 120L
}
