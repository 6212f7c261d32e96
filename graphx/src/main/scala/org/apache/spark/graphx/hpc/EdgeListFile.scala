package org.apache.spark.graphx.hpc

import org.apache.hadoop.io.{LongWritable, Text}
import org.apache.hadoop.mapred.{FileSplit, InputSplit, TextInputFormat}

import org.apache.spark.SparkContext
import org.apache.spark.graphx.PartitionID
import org.apache.spark.graphx.impl.EdgePartition
import org.apache.spark.rdd.{HadoopRDD, RDD}
import org.apache.spark.util.SerializableConfiguration
import org.apache.spark.util.collection.PrimitiveVector

/** An edge list in text files, in the partitions that `GraphLoader.edgeListFile` makes of it. */
private[hpc] object EdgeListFile {

  /** @param isCanonical whether each edge leads from the smaller to the larger vertex id
    * @param partitions  their number; as Spark decides, if it isn't positive
    */
  def read(
      context: SparkContext,
      path: String,
      isCanonical: Boolean,
      partitions: Int
  ): RDD[(PartitionID, EdgePartition[Int, Int])] = {
    val least = if (partitions > 0) partitions else context.defaultMinPartitions
    val file = context.hadoopFile[LongWritable, Text, TextInputFormat](path, least)
      .asInstanceOf[HadoopRDD[LongWritable, Text]]
    val lines = new LineNumbers(new SerializableConfiguration(context.hadoopConfiguration))
    val ids = file.mapPartitionsWithInputSplit(
      (split: InputSplit, records: Iterator[(LongWritable, Text)]) =>
        Iterator.single(parsed(split, records, isCanonical, lines))
    )
    val parts = if (partitions > 0) ids.coalesce(partitions) else ids
    parts.mapPartitionsWithIndex((index, lists) => Iterator(index -> SortedEdges.of(lists.toArray)))
  }

  /** The ids of sources and destinations in turn. */
  private def parsed(
      split: InputSplit,
      records: Iterator[(LongWritable, Text)],
      isCanonical: Boolean,
      lines: LineNumbers
  ): Array[Long] = {
    val ids = new PrimitiveVector[Long]()
    val line = new EdgeLine
    records.foreach { case (offset, text) =>
      val hasEdge =
        try line.read(text)
        catch {
          case failure: IllegalArgumentException =>
            throw refused(split, offset.get, text, lines, failure)
        }
      if (hasEdge) {
        val isTurned = isCanonical && line.source > line.destination
        ids += (if (isTurned) line.destination else line.source)
        ids += (if (isTurned) line.source else line.destination)
      }
    }
    ids.trim().array
  }

  private def refused(
      split: InputSplit,
      offset: Long,
      text: Text,
      lines: LineNumbers,
      failure: IllegalArgumentException
  ): IllegalArgumentException = {
    val where = split match {
      case file: FileSplit => s"${file.getPath}, ${lines.of(file.getPath, offset)}"
      case other => s"$other, at byte $offset"
    }
    val wanted = "each line wants two vertex ids, whole numbers of 64 bits, with blanks between"
    new IllegalArgumentException(
      s"$where isn't an edge: ${text.toString.take(100)} (${failure.getMessage}); $wanted"
    )
  }
}
