package org.apache.spark.examples.hpc

import org.apache.hadoop.fs.FSDataOutputStream
import org.apache.hadoop.io.{BytesWritable, NullWritable}
import org.apache.hadoop.mapreduce.{RecordWriter, TaskAttemptContext}
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat

/** Writes values one after the other with nothing in between; Hadoop has the reader for it only. */
final class FixedLengthOutputFormat extends FileOutputFormat[NullWritable, BytesWritable] {

  override def getRecordWriter(
      task: TaskAttemptContext
  ): RecordWriter[NullWritable, BytesWritable] = {
    val file = getDefaultWorkFile(task, "")
    val stream = file.getFileSystem(task.getConfiguration).create(file, false)
    new FixedLengthOutputFormat.Writer(stream)
  }
}

object FixedLengthOutputFormat {

  private final class Writer(stream: FSDataOutputStream)
      extends RecordWriter[NullWritable, BytesWritable] {

    override def write(key: NullWritable, value: BytesWritable): Unit =
      stream.write(value.getBytes, 0, value.getLength)

    override def close(task: TaskAttemptContext): Unit = stream.close()
  }
}
