package org.apache.spark.shuffle.hpc.read

import java.io.{FilterInputStream, IOException, InputStream}

import org.apache.spark.SparkConf
import org.apache.spark.internal.config.{IO_ENCRYPTION_ENABLED, SHUFFLE_COMPRESS}
import org.apache.spark.shuffle.FetchFailedException
import org.apache.spark.shuffle.hpc.place.KnownOutputs
import org.sparkhpc.container.Block

/** A block that a task reads as it is; where that can't be gone on with, its fetch has failed: then its map
  * task runs again, and not only this task, which would find the same.
  */
private[hpc] final class FetchedStream(in: InputStream, shuffle: Int, block: Block)
    extends FilterInputStream(in) {

  // Once a fetch has failed, this process may know none any more.
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

  /** Whether tasks read blocks as they are. Otherwise Spark, which decompresses or decrypts them, says that
    * a fetch failed, and first tries it once more.
    */
  def isNeeded(conf: SparkConf): Boolean =
    !conf.get(SHUFFLE_COMPRESS) && !conf.get(IO_ENCRYPTION_ENABLED)
}
