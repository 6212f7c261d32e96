package org.apache.spark.graphx.hpc

import java.io.InputStream
import java.nio.charset.StandardCharsets.UTF_8

import org.apache.hadoop.fs.Path
import org.apache.hadoop.io.Text
import org.apache.hadoop.io.compress.{CompressionCodecFactory, SplittableCompressionCodec}
import org.apache.hadoop.util.LineReader

import org.apache.spark.util.SerializableConfiguration

/** Which line of a text file begins at an offset. Reads the file up to there, so it is for errors. */
private[hpc] final class LineNumbers(conf: SerializableConfiguration) extends Serializable {

  /** `line 7`, or `a line after byte 900` where a file's offsets aren't those of its text. */
  def of(path: Path, offset: Long): String = {
    val codec = Option(new CompressionCodecFactory(conf.value).getCodec(path))
    if (codec.exists(_.isInstanceOf[SplittableCompressionCodec])) s"a line after byte $offset"
    else {
      val file = path.getFileSystem(conf.value).open(path)
      val text = codec.fold[InputStream](file)(_.createInputStream(file))
      // Hadoop's setting, for lines that end otherwise.
      val end = Option(conf.value.get("textinputformat.record.delimiter"))
      val reader = new LineReader(text, end.map(_.getBytes(UTF_8)).orNull)
      try s"line ${number(reader, offset)}"
      finally reader.close()
    }
  }

  private def number(reader: LineReader, offset: Long): Long = {
    val text = new Text
    var at, line = 0L
    while (at < offset) {
      val bytes = reader.readLine(text)
      // Where the file has become shorter, its end.
      at = if (bytes == 0) offset else at + bytes
      line += 1
    }
    line + 1
  }
}
