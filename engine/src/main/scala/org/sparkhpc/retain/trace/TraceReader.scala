package org.sparkhpc.retain.trace

import java.io.{DataInputStream, EOFException, IOException, InputStream}
import java.util.zip.GZIPInputStream

import scala.util.Try

import org.apache.hadoop.io.WritableUtils.{readVInt, readVLong}

/** Reads what [[TraceWriter]] wrote.
  *
  * The trace of an executor that was killed is cut off: it is read as far as it goes, and [[isWhole]] is false
  * afterwards. For a file that isn't a trace, the constructor throws an IOException.
  */
final class TraceReader(in: InputStream) extends Iterator[TraceEvent] {
  import TraceEvent._
  import TraceFormat._

  private val data = new DataInputStream(new GZIPInputStream(in, BufferBytes))
  if (!Try(data.readInt()).toOption.contains(Magic))
    throw new IOException("This isn't a trace of Spark-HPC, or another version wrote it")

  private var following: Option[TraceEvent] = _
  private var whole = true

  def isWhole: Boolean = whole

  override def hasNext: Boolean = {
    if (following == null) following = read()
    following.nonEmpty
  }

  override def next(): TraceEvent = {
    if (!hasNext) throw new NoSuchElementException("The trace has ended")
    val event = following.get
    following = null
    event
  }

  private def read(): Option[TraceEvent] =
    try
      data.read() match {
        case -1 => None
        case code => Some(readEvent(code))
      }
    catch {
      case _: EOFException =>
        whole = false
        None
    }

  private def readEvent(code: Int): TraceEvent = code match {
    case RequestedCode => Requested(readBlock(), readOption())
    case NeededCode => Needed(readOption(), readLong(), readLong())
    case ComputedCode =>
      val block = readBlock()
      val nanos = readVLong(data)
      Computed(block, nanos, Seq.fill(readVInt(data))(readBlock()))
    case StoredCode => Stored(readBlock(), readVLong(data))
    case ReferencedCode =>
      Referenced(Seq.fill(readVInt(data))(readVInt(data) -> readVInt(data)).toMap)
    case _ if OfOneBlock.contains(code) => OfOneBlock(code)(readBlock())
    case other => readOfNumbers(other)
  }

  private def readOfNumbers(code: Int): TraceEvent = code match {
    case ForgottenCode => Forgotten(readVInt(data))
    case MemoryCode => Memory(readLong())
    case WroteCode => Wrote(readVInt(data), readLong(), readLong())
    case ReadCode => Read(readVInt(data), readLong(), readLong())
    case SampledCode => Sampled(readVInt(data), readLong(), readLong(), readLong())
    case _ => throw new IOException(s"The trace is damaged: unknown event code $code")
  }

  private def readOption(): Option[TraceBlock] =
    if (data.readBoolean()) Some(readBlock()) else None

  private def readLong(): Long = readVLong(data)

  private def readBlock(): TraceBlock = TraceBlock(readVInt(data), readVInt(data))
}
