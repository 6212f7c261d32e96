package org.apache.spark.shuffle.hpc

import java.io.{File, OutputStream}
import java.nio.ByteBuffer

import com.google.common.io.ByteStreams

import org.apache.spark.{SparkConf, TaskContext}
import org.apache.spark.executor.ShuffleWriteMetrics
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.{
  SHUFFLE_FILE_BUFFER_SIZE,
  SHUFFLE_SPILL_INITIAL_MEM_THRESHOLD
}
import org.apache.spark.memory.{MemoryConsumer, MemoryMode}
import org.apache.spark.serializer.DummySerializerInstance
import org.apache.spark.storage.{
  BlockId,
  BlockManager,
  DiskBlockObjectWriter,
  FileSegment,
  SpillInputStream
}
import org.apache.spark.util.Utils
import org.apache.spark.util.io.ChunkedByteBufferOutputStream

/** What a map task has for each of its reducers, as bytes in memory; when there is no memory, all of them
  * spill to one file. For its task's thread.
  *
  * A codec's stream goes on over spills: what was spilled of a bucket is the first part of its bytes.
  */
private[hpc] final class Buckets(
    partitions: Int,
    context: TaskContext,
    blocks: BlockManager,
    conf: SparkConf
) extends MemoryConsumer(
      context.taskMemoryManager(),
      context.taskMemoryManager().pageSizeBytes(),
      MemoryMode.ON_HEAP
    )
    with AutoCloseable
    with Logging {
  import Buckets._

  // As Spark's sorts, which ask for no memory before they have so much.
  private val free = conf.get(SHUFFLE_SPILL_INITIAL_MEM_THRESHOLD)
  private val bufferSize = (conf.get(SHUFFLE_FILE_BUFFER_SIZE) * 1024).toInt

  private val all = Array.fill(partitions)(new Bucket)
  private var spills = List.empty[File]
  private var granted = 0L
  private var held = 0L
  private var most = 0L

  def apply(partition: Int): Bucket = all(partition)

  /** Most bytes that were in memory. */
  def peak: Long = math.max(most, held)

  /** The bytes of one reducer. */
  final class Bucket extends OutputStream {
    // Of any length; null when there are none.
    private var bytes: ChunkedByteBufferOutputStream = _
    private var spilled = Vector.empty[(BlockId, FileSegment)]

    override def write(byte: Int): Unit = write(Array(byte.toByte), 0, 1)

    override def write(from: Array[Byte], offset: Int, count: Int): Unit = {
      makeRoom(count)
      if (bytes == null) bytes = new ChunkedByteBufferOutputStream(Chunk, ByteBuffer.allocate)
      bytes.write(from, offset, count)
    }

    /** Writes all of it, in the order in which it came; then it is empty. */
    def writeTo(out: OutputStream): Unit = {
      for ((blockId, segment) <- spilled) {
        val in = new SpillInputStream(segment.file)
        Utils.tryWithSafeFinally {
          in.getChannel.position(segment.offset)
          val limited = ByteStreams.limit(in, segment.length)
          ByteStreams.copy(blocks.serializerManager.wrapStream(blockId, limited), out): Unit
        }(in.close())
      }
      drainTo(out)
    }

    private[Buckets] def spillTo(blockId: BlockId, writer: DiskBlockObjectWriter): Unit =
      if (bytes != null) {
        drainTo(writer)
        spilled :+= blockId -> writer.commitAndGet()
      }

    private def drainTo(out: OutputStream): Unit =
      for (its <- Option(bytes)) {
        its.close()
        for (chunk <- its.toChunkedByteBuffer.getChunks())
          out.write(chunk.array, chunk.arrayOffset + chunk.position(), chunk.remaining)
        bytes = null
      }
  }

  private def makeRoom(count: Int): Unit = {
    if (held + count > free + granted) {
      val more = acquireMemory(math.max(count.toLong, Step))
      granted += more
      if (more < count && held > 0) spill()
    }
    held += count
  }

  /** Only when this task has no memory for more. */
  override def spill(size: Long, trigger: MemoryConsumer): Long =
    if (trigger eq this) spillAll() else 0

  private def spillAll(): Long = {
    val (blockId, file) = blocks.diskBlockManager.createTempShuffleBlock()
    logInfo(s"Task ${context.taskAttemptId()} spills ${Utils.bytesToString(held)} for shuffles")
    val metrics = new ShuffleWriteMetrics
    val serializer = DummySerializerInstance.INSTANCE
    val writer = blocks.getDiskWriter(blockId, file, serializer, bufferSize, metrics)
    spills ::= file
    try {
      all.foreach(_.spillTo(blockId, writer))
      writer.close()
    } catch {
      case failure: Throwable =>
        Utils.tryLogNonFatalError(writer.closeAndDelete())
        throw failure
    }
    context.taskMetrics().incMemoryBytesSpilled(held)
    context.taskMetrics().incDiskBytesSpilled(metrics.bytesWritten)
    release()
  }

  private def release(): Long = {
    most = peak
    held = 0
    val released = granted
    granted = 0
    freeMemory(released)
    released
  }

  override def close(): Unit = {
    release(): Unit
    for (file <- spills if file.exists() && !file.delete()) logWarning(s"$file couldn't be deleted")
    spills = Nil
  }
}

private object Buckets {

  /** Of what the task is asked for at a time. */
  private val Step = 1L << 20

  /** Bytes of a piece of a bucket; many buckets have few. */
  private val Chunk = 4096
}
