package org.sparkhpc.sim.cluster

/** A cluster: its hosts, and the executors on them.
  *
  * @param slots of each executor: tasks that it runs at a time
  */
final case class Machine(settings: Settings, executors: Int, slots: Int) {
  val hostCores: Int = settings("host.cores").toInt

  val hosts: Int = settings.get("host.count", 0).toInt match {
    case 0 => math.ceil(executors.toDouble * slots / hostCores).toInt
    case fixed => fixed
  }

  /** Whether tasks have to wait for a core. */
  val isOversubscribed: Boolean = executors.toLong * slots > hosts.toLong * hostCores

  def host(executor: Int): Int = (executor.toLong * hosts / executors).toInt

  /** As many threads serve an executor's blocks as it has slots, and at most eight: Spark's rule. */
  val serverThreads: Int = math.min(slots, 8)
}

/** A variant of the table: where an executor's files are, and how map outputs are laid out in them. */
final case class Variant(name: String, layout: String, place: Variant.Place)

object Variant {
  sealed trait Place

  /** The shared file system. */
  case object Lustre extends Place

  /** A file system in the node's memory. */
  case object Memory extends Place

  /** A file system of the node in a file on the shared one. */
  case object Mount extends Place

  val all: Seq[Variant] = Seq(
    Variant("stock", "stock", Lustre),
    Variant("pool", "pool", Lustre),
    Variant("ramdisk", "stock", Memory),
    Variant("lustremount", "stock", Mount),
    Variant("ours", "ours", Lustre),
    Variant("ours-global", "global", Lustre),
    Variant("ours-memory", "ours", Memory)
  )
}
