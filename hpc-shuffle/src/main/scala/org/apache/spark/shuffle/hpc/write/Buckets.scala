package org.apache.spark.shuffle.hpc.write

import java.io.{File, IOException, OutputStream}
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
import org.apache.spark.storage.{BlockId, BlockManager, DiskBlockObjectWriter, FileSegment}
import org.apache.spark.storage.hpc.spill.SpillInputStream
import org.apache.spark.util.Utils
import org.apache.spark.util.io.ChunkedByteBufferOutputStream

/** Collects the serialized records of a map task in memory, in one bucket for each reducer. If there is no memory, all
  * buckets spill to one file.
  *
  * A codec's stream continues across spills: the spilled part of a bucket is the first part of its bytes. So the
  * buckets can spill between any two writes, even in the middle of a record.
  *
  * Only the task's thread writes. Any thread of the task can make the buckets spill, when another memory consumer of
  * the task needs the memory (PySpark computes records in a thread of its own). All state is guarded by the monitor of
  * the task's memory manager. A thread that requests a spill holds that monitor, so a second lock could deadlock.
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

  // Like Spark's sorters, the buckets request no memory before they have this much.
  private val free = conf.get(SHUFFLE_SPILL_INITIAL_MEM_THRESHOLD)
  private val bufferSize = (conf.get(SHUFFLE_FILE_BUFFER_SIZE) * 1024).toInt

  private val lock = context.taskMemoryManager()

  // Half of what Spark expects a task to have, so that buckets leave other tasks their share.
  private val mostGranted = PagesAtMost * lock.pageSizeBytes()

  private val all = Array.fill(partitions)(new Bucket)
  private var failed = Option.empty[Throwable]
  private var isClosed = false
  private var spills = List.empty[File]
  private var granted = 0L
  private var held = 0L
  private var most = 0L

  def apply(partition: Int): Bucket = all(partition)

  /** The most bytes that were in memory at any time. */
  def peak: Long = lock.synchronized(math.max(most, held))

  /** The bytes of one reducer. */
  final class Bucket extends OutputStream {
    // Not limited to the length of an array; null when the bucket has no bytes in memory.
    private var bytes: ChunkedByteBufferOutputStream = _
    private var spilled = Vector.empty[(BlockId, FileSegment)]

    override def write(byte: Int): Unit = write(Array(byte.toByte), 0, 1)

    override def write(from: Array[Byte], offset: Int, count: Int): Unit = lock.synchronized {
      if (!isClosed) {
        requireWhole()
        makeRoom(count)
        if (bytes == null) bytes = new ChunkedByteBufferOutputStream(Chunk, ByteBuffer.allocate)
        bytes.write(from, offset, count)
      }
    }

    /** Writes all bytes of the bucket in the order in which they came, and drops those in memory. */
    def writeTo(out: OutputStream): Unit = {
      val (segments, inMemory) = lock.synchronized {
        requireWhole()
        (spilled, take())
      }
      for ((blockId, segment) <- segments) {
        val in = new SpillInputStream(segment.file)
        Utils.tryWithSafeFinally {
          in.getChannel.position(segment.offset)
          val limited = ByteStreams.limit(in, segment.length)
          val unwrapped = blocks.serializerManager.wrapStream(blockId, limited)
          Utils.tryWithSafeFinally(ByteStreams.copy(unwrapped, out): Unit)(unwrapped.close())
        }(in.close())
      }
      write(inMemory, out)
    }

    private[Buckets] def spillTo(blockId: BlockId, writer: DiskBlockObjectWriter): Unit =
      if (bytes != null) {
        write(take(), writer)
        spilled :+= blockId -> writer.commitAndGet()
      }

    /** Removes and returns the bytes in memory. */
    private def take(): Array[ByteBuffer] =
      Option(bytes).fold(Array.empty[ByteBuffer]) { its =>
        its.close()
        bytes = null
        its.toChunkedByteBuffer.getChunks()
      }

    private def write(chunks: Array[ByteBuffer], out: OutputStream): Unit =
      for (chunk <- chunks)
        out.write(chunk.array, chunk.arrayOffset + chunk.position(), chunk.remaining)
  }

  /** Fails the task if a spill has lost its bytes. The consumer that requested the spill may continue without the
    * memory.
    */
  private def requireWhole(): Unit =
    failed.foreach(cause => throw new IOException("A spill of this map output failed", cause))

  private def makeRoom(count: Int): Unit = {
    if (held + count > free + granted) {
      val wanted = math.min(math.max(count.toLong, Step), mostGranted - granted)
      val more = if (wanted > 0) acquireMemory(wanted) else 0
      granted += more
      if (more < count && held > 0) spill()
    }
    held += count
  }

  /** Spills everything, whichever consumer requests the memory and however little it needs. */
  override def spill(size: Long, trigger: MemoryConsumer): Long = lock.synchronized {
    if (failed.isEmpty) {
      if (held > 0) spillAll()
      release()
    } else 0
  }

  private def spillAll(): Unit = {
    val (blockId, file) = blocks.diskBlockManager.createTempShuffleBlock()
    logInfo(s"Task ${context.taskAttemptId()} spills ${Utils.bytesToString(held)} of map output")
    val metrics = new ShuffleWriteMetrics
    val serializer = DummySerializerInstance.INSTANCE
    val writer = blocks.getDiskWriter(blockId, file, serializer, bufferSize, metrics)
    spills ::= file
    try {
      all.foreach(_.spillTo(blockId, writer))
      writer.close()
    } catch {
      case failure: Throwable =>
        failed = Some(failure)
        Utils.tryLogNonFatalError(writer.closeAndDelete())
        throw failure
    }
    context.taskMetrics().incMemoryBytesSpilled(held)
    context.taskMetrics().incDiskBytesSpilled(metrics.bytesWritten)
  }

  private def release(): Long = {
    most = peak
    held = 0
    val released = granted
    granted = 0
    freeMemory(released)
    released
  }

  /** Frees the memory and deletes the spills. Later writes are discarded, because streams that nobody needs any more
    * must still be closed.
    */
  override def close(): Unit = lock.synchronized {
    isClosed = true
    release(): Unit
    for (file <- spills if file.exists() && !file.delete()) logWarning(s"Cannot delete spill $file")
    spills = Nil
  }
}

private object Buckets {

  /** The least memory that is requested from the task at a time. */
  private val Step = 1L << 20

  /** Half of a task's memory: Spark expects a task to have memory for 16 pages (MemoryManager.pageSizeBytes). */
  private val PagesAtMost = 8

  /** The bytes of a chunk of a bucket. It is small because many buckets have few bytes. */
  private val Chunk = 4096
}
