package org.apache.spark.shuffle.hpc.read

import org.apache.spark.network.shuffle.DownloadFileManager
import org.apache.spark.shuffle.hpc.place.OutputPlace

/** A way in which a reducer gets map outputs that are on the shared file system.
  *
  * It answers for what it gets, and ends once: silently when that is all, or with a failure. It never
  * works in the caller's thread, since a file system or a node may be dead.
  */
private[hpc] trait Route {

  /** Gets the blocks that nobody has answered for yet. */
  def fetch(request: Route.Request)(otherwise: Throwable => Unit): Unit

  /** Nothing new is begun, and what was begun is answered for. */
  def stop(): Unit
}

private[hpc] object Route {

  /** Blocks of one place.
    *
    * @param downloads where those that are too large for memory go; null if none is
    */
  final class Request(
      val place: OutputPlace,
      val answers: AnsweredOnce,
      val downloads: DownloadFileManager
  )
}
