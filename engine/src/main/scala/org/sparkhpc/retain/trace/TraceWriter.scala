package org.sparkhpc.retain.trace

import java.io.{Closeable, DataOutputStream, OutputStream}
import java.util.zip.GZIPOutputStream

import org.apache.hadoop.io.WritableUtils.{writeVInt, writeVLong}

/** Writes a trace: gzip of [[TraceFormat.Magic]], then for each event its code and its numbers,
  * in Hadoop's variable-length form. Not thread-safe.
  */
final class TraceWriter(out: OutputStream) extends Closeable {
  import TraceEvent._
  import TraceFormat._

  // The `true` makes a flush write all events so far.
  private val data = new DataOutputStream(new GZIPOutputStream(out, BufferBytes, true))
  data.writeInt(Magic)

  def write(event: TraceEvent): Unit = event match {
    case Requested(block) =>
      data.writeByte(RequestedCode)
      write(block)
    case Computed(block, nanos, reads) =>
      data.writeByte(ComputedCode)
      write(block)
      writeVLong(data, nanos)
      writeVInt(data, reads.size)
      reads.foreach(write)
    case Stored(block, bytes) =>
      data.writeByte(StoredCode)
      write(block)
      writeVLong(data, bytes)
    case Forgotten(rdd) =>
      data.writeByte(ForgottenCode)
      writeVInt(data, rdd)
    case Referenced(pending) =>
      data.writeByte(ReferencedCode)
      writeVInt(data, pending.size)
      for ((rdd, count) <- pending.toSeq.sorted) {
        writeVInt(data, rdd)
        writeVInt(data, count)
      }
  }

  def flush(): Unit = data.flush()

  override def close(): Unit = data.close()

  private def write(block: TraceBlock): Unit = {
    writeVInt(data, block.rdd)
    writeVInt(data, block.partition)
  }
}
