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
    case Requested(block, reader) =>
      write(RequestedCode, block)
      write(reader)
    case Needed(newcomer, asked, bytes) =>
      data.writeByte(NeededCode)
      write(newcomer)
      writeVLong(data, asked)
      writeVLong(data, bytes)
    case Computed(block, nanos, reads) =>
      write(ComputedCode, block)
      writeVLong(data, nanos)
      writeVInt(data, reads.size)
      reads.foreach(write)
    case Stored(block, bytes) =>
      write(StoredCode, block)
      writeVLong(data, bytes)
    case Referenced(pending) =>
      data.writeByte(ReferencedCode)
      writeVInt(data, pending.size)
      for ((rdd, count) <- pending.toSeq.sorted) {
        writeVInt(data, rdd)
        writeVInt(data, count)
      }
    case other => writeOfNumbers(other)
  }

  private def writeOfNumbers(event: TraceEvent): Unit = event match {
    case Memory(bytes) => writeNumbers(MemoryCode, bytes)
    case Forgotten(rdd) => writeNumbers(ForgottenCode, rdd)
    case Wrote(rdd, bytes, nanos) => writeNumbers(WroteCode, rdd, bytes, nanos)
    case Read(rdd, bytes, nanos) => writeNumbers(ReadCode, rdd, bytes, nanos)
    case Sampled(rdd, bytes, toWrite, toRead) =>
      writeNumbers(SampledCode, rdd, bytes, toWrite, toRead)
    case other => writeOfOneBlock(other)
  }

  private def writeOfOneBlock(event: TraceEvent): Unit = event match {
    case Evicted(block) => write(EvictedCode, block)
    case Written(block) => write(WrittenCode, block)
    case ReadBack(block) => write(ReadBackCode, block)
    case Released(block) => write(ReleasedCode, block)
    case other => throw new IllegalArgumentException(s"$other has another form")
  }

  def flush(): Unit = data.flush()

  override def close(): Unit = data.close()

  private def writeNumbers(code: Int, numbers: Long*): Unit = {
    data.writeByte(code)
    numbers.foreach(writeVLong(data, _))
  }

  private def write(code: Int, block: TraceBlock): Unit = {
    data.writeByte(code)
    write(block)
  }

  private def write(block: Option[TraceBlock]): Unit = {
    data.writeBoolean(block.nonEmpty)
    block.foreach(write)
  }

  private def write(block: TraceBlock): Unit = {
    writeVInt(data, block.rdd)
    writeVInt(data, block.partition)
  }
}
