package org.apache.spark.shuffle.hpc.read

import java.io.{FilterInputStream, IOException, InputStream}

import org.apache.spark.SparkConf
import org.apache.spark.internal.config.{IO_ENCRYPTION_ENABLED, SHUFFLE_COMPRESS}
import org.apache.spark.shuffle.FetchFailedException
import org.apache.spark.shuffle.hpc.place.KnownOutputs
import org.sparkhpc.container.Block

/** The stream of a block that a task reads without decompression or decryption. A read error fails the block's fetch,
  * so that Spark runs the map task again. Otherwise only this task would run again, and find the same error.
  */
private[hpc] final class FetchedStream(in: InputStream, shuffle: Int, block: Block)
    extends FilterInputStream(in) {

  // Looked up now: after a failed fetch, this process may know no outputs any more.
  private val known = new KnownOutputs(shuffle)

  override def read(): Int = orFailed(in.read())

  override def read(to: Array[Byte], from: Int, count: Int): Int =
    orFailed(in.read(to, from, count))

  override def skip(count: Long): Long = orFailed(in.skip(count))

  private def orFailed[A](read: => A): A =
    try read
    catch {
      case failure: IOException =>
        val (mapIndex, location) = known.find(block.mapTaskId).getOrElse(throw failure)
        throw new FetchFailedException(
          location,
          shuffle,
          block.mapTaskId,
          mapIndex,
          block.start,
          failure
        )
    }
}

private[hpc] object FetchedStream {

  /** Whether tasks read blocks without decompression and decryption. If Spark decompresses or decrypts blocks, it
    * reports the failed fetch itself, after a second try.
    */
  def isNeeded(conf: SparkConf): Boolean =
    !conf.get(SHUFFLE_COMPRESS) && !conf.get(IO_ENCRYPTION_ENABLED)
}
