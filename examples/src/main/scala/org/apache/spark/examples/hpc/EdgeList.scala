package org.apache.spark.examples.hpc

import org.apache.hadoop.fs.Path
import org.apache.hadoop.io.{LongWritable, Text}
import org.apache.hadoop.mapred.{FileInputFormat, FileSplit, InputSplit, JobConf, TextInputFormat}

import org.apache.spark.SparkContext
import org.apache.spark.graphx.Edge
import org.apache.spark.rdd.{HadoopRDD, RDD}

/** The edges of text files in SNAP format ([[EdgeLine]]), compressed or not.
  *
  * Lines that are no edges and should be are added to `bad` as the edges are computed: who uses
  * the edges looks there after the first job on them.
  */
object EdgeList {

  /** What is shown of a bad line; the whole could be gigabytes of a binary file. */
  private val shown = 60

  /** With `partitions` 0, as many as the input has, but at least the default parallelism. */
  def read(sc: SparkContext, path: Path, partitions: Int, bad: BadLines): RDD[Edge[Int]] = {
    val wanted = if (partitions > 0) partitions else sc.defaultParallelism
    val job = new JobConf(sc.hadoopConfiguration)
    FileInputFormat.setInputPaths(job, path)
    val edges = sc
      .hadoopRDD(job, classOf[TextInputFormat], classOf[LongWritable], classOf[Text], wanted)
      .asInstanceOf[HadoopRDD[LongWritable, Text]]
      .mapPartitionsWithInputSplit((split, lines) => parse(split, lines, bad))
    val given = edges.getNumPartitions
    if (partitions == 0 || partitions == given) edges
    else if (partitions < given) edges.coalesce(partitions)
    // Compressed files can't be split: spreading them takes a shuffle.
    else edges.repartition(partitions)
  }

  /** Refuses the input for its first bad line; to be called after a job that read all edges. */
  def check(bad: BadLines): Unit =
    bad.value.headOption.foreach { line =>
      val others = if (bad.count > 1) s" (and ${bad.count - 1} more such lines)" else ""
      throw Refusal.data(
        s"--input ${line.file}: at byte ${line.offset} stands '${line.text}'$others; each line " +
          "must be two vertex ids from 0 to 2^63-1, or a # comment"
      )
    }

  private def parse(
      split: InputSplit,
      lines: Iterator[(LongWritable, Text)],
      bad: BadLines
  ): Iterator[Edge[Int]] = {
    val line = new EdgeLine
    lines.flatMap { case (offset, text) =>
      line.read(text.getBytes, text.getLength) match {
        case EdgeLine.Edge => Iterator.single(Edge(line.source, line.target, 1))
        case EdgeLine.Nothing => Iterator.empty
        case EdgeLine.Malformed =>
          val prefix = new String(text.getBytes, 0, math.min(text.getLength, 4 * shown), "UTF-8")
          val file = split.asInstanceOf[FileSplit].getPath.toString
          bad.add(BadLine(file, offset.get, OneLine(prefix, shown)))
          Iterator.empty
      }
    }
  }
}
