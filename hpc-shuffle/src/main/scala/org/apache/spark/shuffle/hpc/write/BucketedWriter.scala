package org.apache.spark.shuffle.hpc.write

import java.io.OutputStream

import scala.util.control.NonFatal

import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.internal.config.SHUFFLE_SPILL_NUM_ELEMENTS_FORCE_SPILL_THRESHOLD
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.serializer.SerializationStream
import org.apache.spark.shuffle.{BaseShuffleHandle, ShuffleWriteMetricsReporter, ShuffleWriter}
import org.apache.spark.shuffle.api.{ShuffleExecutorComponents, ShuffleMapOutputWriter}
import org.apache.spark.storage.{ShuffleBlockId, TimeTrackingOutputStream}
import org.apache.spark.util.Utils

/** Writes a map output for few reducers: it serializes each record to its reducer's bytes in [[Buckets]].
  *
  * It serves the shuffles for which Spark makes a file for each reducer (BypassMergeSortShuffleWriter): those with at
  * most `spark.shuffle.sort.bypassMergeThreshold` reducers and without aggregation by map tasks.
  */
private[hpc] final class BucketedWriter[K, V](
    handle: BaseShuffleHandle[K, V, _],
    mapId: Long,
    context: TaskContext,
    metrics: ShuffleWriteMetricsReporter,
    outputs: ShuffleExecutorComponents
) extends ShuffleWriter[K, V] {
  import BucketedWriter._

  private val dependency = handle.dependency
  private val partitioner = dependency.partitioner
  private val partitions = partitioner.numPartitions
  private val env = SparkEnv.get
  private val mostRecords = env.conf.get(SHUFFLE_SPILL_NUM_ELEMENTS_FORCE_SPILL_THRESHOLD)

  private var lengths: Array[Long] = _
  private var status: Option[MapStatus] = None

  override def write(records: Iterator[Product2[K, V]]): Unit = {
    val output = outputs.createMapOutputWriter(handle.shuffleId, mapId, partitions)
    val buckets = new Buckets(partitions, context, env.blockManager, env.conf)
    // One stream for each reducer that has records; null for other reducers, and once a stream is closed.
    val streams = new Array[Serializing](partitions)
    try {
      fill(buckets, streams, records)
      for (partition <- 0 until partitions; stream <- Option(streams(partition))) {
        stream.close()
        streams(partition) = null
        move(buckets(partition), output, partition)
      }
      lengths = output.commitAllPartitions(Array.emptyLongArray).getPartitionLengths
      metrics.incBytesWritten(lengths.sum)
      context.taskMetrics().incPeakExecutionMemory(buckets.peak)
      status = Some(MapStatus(env.blockManager.shuffleServerId, lengths, mapId))
    } catch {
      case failure: Throwable =>
        try output.abort(failure)
        catch { case NonFatal(another) => failure.addSuppressed(another) }
        throw failure
    } finally {
      buckets.close()
      // A codec may hold memory that garbage collection doesn't free.
      for (stream <- streams if stream != null) Utils.tryLogNonFatalError(stream.close())
    }
  }

  private def fill(
      buckets: Buckets,
      streams: Array[Serializing],
      records: Iterator[Product2[K, V]]
  ): Unit = {
    val serializer = dependency.serializer.newInstance()
    def open(partition: Int): Unit = {
      val blockId = ShuffleBlockId(handle.shuffleId, mapId, partition)
      val codec = env.serializerManager.wrapStream(blockId, buckets(partition))
      streams(partition) = closingIfItFails(codec) {
        new Serializing(serializer.serializeStream(codec), codec)
      }
    }
    var unspilled = 0
    while (records.hasNext) {
      val record = records.next()
      val partition = partitioner.getPartition(record._1)
      if (streams(partition) == null) open(partition)
      streams(partition).objects.writeKey[Any](record._1).writeValue[Any](record._2)
      metrics.incRecordsWritten(1)
      unspilled += 1
      if (unspilled >= mostRecords) {
        buckets.spill()
        unspilled = 0
      }
    }
  }

  private def move(bucket: Buckets#Bucket, output: ShuffleMapOutputWriter, partition: Int): Unit = {
    val out = new TimeTrackingOutputStream(
      metrics,
      output.getPartitionWriter(partition).openStream()
    )
    try bucket.writeTo(out)
    finally out.close()
  }

  override def stop(success: Boolean): Option[MapStatus] = status.filter(_ => success)

  override def getPartitionLengths(): Array[Long] = lengths
}

private object BucketedWriter {

  /** Closes the codec if closing the serializer fails. Kryo doesn't close its output when its last write fails. */
  private final class Serializing(val objects: SerializationStream, codec: OutputStream) {
    def close(): Unit = closingIfItFails(codec)(objects.close())
  }

  private def closingIfItFails[A](codec: OutputStream)(action: => A): A =
    try action
    catch {
      case failure: Throwable =>
        Utils.tryLogNonFatalError(codec.close())
        throw failure
    }
}
