package org.sparkhpc.hadoop

import java.io.{File, FileOutputStream, IOException, OutputStream}

import org.apache.hadoop.fs.{StreamCapabilities, Syncable}
import org.apache.hadoop.fs.impl.StoreImplementationUtils
import org.apache.hadoop.fs.statistics.{IOStatistics, IOStatisticsSource, StreamStatisticNames}
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding
import org.sparkhpc.request.{RequestKind, Requests}

/** Writes a file from its beginning; what the file had is lost. A failed write throws `FSError`, as in Hadoop's own
  * local file system. Unlike that one's stream, it sets no permissions: its creator does, if that is needed.
  */
private[hadoop] final class LocalOutputStream(file: File)
    extends OutputStream
    with StreamCapabilities
    with Syncable
    with IOStatisticsSource {

  private val out = Requests.make(RequestKind.Open)(new FileOutputStream(file))

  private val counts = IOStatisticsBinding.iostatisticsStore()
    .withCounters(
      StreamStatisticNames.STREAM_WRITE_BYTES,
      StreamStatisticNames.STREAM_WRITE_EXCEPTIONS
    )
    .build()

  override def write(byte: Int): Unit = write(Array(byte.toByte), 0, 1)

  override def write(bytes: Array[Byte], from: Int, count: Int): Unit =
    try {
      Requests.make(RequestKind.Write)(out.write(bytes, from, count))
      counts.incrementCounter(StreamStatisticNames.STREAM_WRITE_BYTES, count.toLong): Unit
    } catch {
      case failure: IOException =>
        counts.incrementCounter(StreamStatisticNames.STREAM_WRITE_EXCEPTIONS)
        throw Failures.broken(failure)
    }

  override def hflush(): Unit = flush()

  override def hsync(): Unit = out.getFD.sync()

  override def hasCapability(name: String): Boolean =
    name.equalsIgnoreCase(StreamCapabilities.IOSTATISTICS) ||
      StoreImplementationUtils.isProbeForSyncable(name)

  override def getIOStatistics: IOStatistics = counts

  override def close(): Unit = out.close()
}
