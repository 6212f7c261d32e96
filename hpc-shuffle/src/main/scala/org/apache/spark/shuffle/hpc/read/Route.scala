package org.apache.spark.shuffle.hpc.read

import org.apache.spark.network.shuffle.DownloadFileManager
import org.apache.spark.shuffle.hpc.place.OutputPlace

/** A way to get map outputs that are on the shared file system to a reducer.
  *
  * A route answers for each block that it gets, and ends once: silently if it got all blocks, otherwise with a failure.
  * It never works in the caller's thread, because a file system or a node may be dead.
  */
private[hpc] trait Route {

  /** Fetches the blocks that have no answer yet. If it can't get all, it calls `otherwise`. */
  def fetch(request: Route.Request)(otherwise: Throwable => Unit): Unit

  /** Begins no new requests. Those that were begun are still answered. */
  def stop(): Unit
}

private[hpc] object Route {

  /** A request for blocks of one place.
    *
    * @param downloads makes files for the blocks that are too large for memory; null if there are none
    */
  final class Request(
      val place: OutputPlace,
      val answers: AnsweredOnce,
      val downloads: DownloadFileManager
  )
}
