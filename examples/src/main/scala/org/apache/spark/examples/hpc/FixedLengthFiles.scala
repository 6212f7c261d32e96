package org.apache.spark.examples.hpc

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.io.{BytesWritable, LongWritable, NullWritable}
import org.apache.hadoop.mapreduce.Job
import org.apache.hadoop.mapreduce.lib.input.{FileInputFormat, FileSplit, FixedLengthInputFormat}

import org.apache.spark.SparkContext
import org.apache.spark.rdd.{NewHadoopRDD, RDD}

/** Files that are records of one length and nothing else. */
object FixedLengthFiles {

  def read(sc: SparkContext, path: Path, length: Int): RDD[Array[Byte]] =
    bySplit(sc, path, length)((_, records) => records)

  /** What `use` makes of each split's records: `(file, offset)` says where the split is. */
  def bySplit[A: scala.reflect.ClassTag](sc: SparkContext, path: Path, length: Int)(
      use: ((String, Long), Iterator[Array[Byte]]) => Iterator[A]
  ): RDD[A] = {
    val job = Job.getInstance(sc.hadoopConfiguration)
    FileInputFormat.setInputPaths(job, path)
    FixedLengthInputFormat.setRecordLength(job.getConfiguration, length)
    rdd(sc, job.getConfiguration).mapPartitionsWithInputSplit { (split, records) =>
      val file = split.asInstanceOf[FileSplit]
      use((file.getPath.toString, file.getStart), records.map(_._2.copyBytes()))
    }
  }

  def write(records: RDD[Array[Byte]], path: Path): Unit =
    records
      .map(record => (NullWritable.get, new BytesWritable(record)))
      .saveAsNewAPIHadoopFile(
        path.toString,
        classOf[NullWritable],
        classOf[BytesWritable],
        classOf[FixedLengthOutputFormat]
      )

  private def rdd(
      sc: SparkContext,
      conf: Configuration
  ): NewHadoopRDD[LongWritable, BytesWritable] =
    sc.newAPIHadoopRDD(
      conf,
      classOf[FixedLengthInputFormat],
      classOf[LongWritable],
      classOf[BytesWritable]
    ).asInstanceOf[NewHadoopRDD[LongWritable, BytesWritable]]
}
