package org.sparkhpc.request

/** A kind of request that a task makes to a file system or to another executor.
  *
  * @param name in event logs, tables and JSON
  */
sealed abstract class RequestKind(val name: String)

object RequestKind {

  /** Opens or creates a file. */
  case object Open extends RequestKind("open")

  /** Any other request to a metadata server but for closing a file: status, list, rename, delete, make a directory. */
  case object Metadata extends RequestKind("metadata")

  case object Read extends RequestKind("read")
  case object Write extends RequestKind("write")

  /** Gets map outputs of one container from the shared file system, with all requests to the file system that this takes. */
  case object Direct extends RequestKind("direct")

  /** Gets map outputs of one executor from this executor. */
  case object Network extends RequestKind("network")

  val all: Seq[RequestKind] = Seq(Open, Metadata, Read, Write, Direct, Network)
}
