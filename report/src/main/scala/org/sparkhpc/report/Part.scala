package org.sparkhpc.report

/** A part of the time of a stage's tasks. The parts of a stage add up to the sum of its tasks' durations.
  *
  * @param name for tables
  * @param key for JSON
  */
sealed abstract class Part(val key: String, val name: String)

object Part {
  case object Compute extends Part("compute", "compute")
  case object Serialize extends Part("serialize", "serialize")
  case object FetchFiles extends Part("fetchFiles", "fetch wait (files)")
  case object FetchExecutors extends Part("fetchExecutors", "fetch wait (executors)")
  case object Metadata extends Part("metadata", "file open")
  case object Read extends Part("read", "file read")
  case object Write extends Part("write", "file write")
  case object Spill extends Part("spill", "spill")
  case object Cache extends Part("cache", "cache")
  case object Recompute extends Part("recompute", "compute again")
  case object Python extends Part("python", "Python")
  case object Network extends Part("network", "network")
  case object Memory extends Part("memory", "memory wait")
  case object OtherWait extends Part("wait", "other wait")
  case object Gc extends Part("gc", "GC")
  case object Deserialize extends Part("deserialize", "load task")
  case object Result extends Part("result", "send result")
  case object Scheduler extends Part("scheduler", "scheduler")

  /** In the order of tables. */
  val all: Seq[Part] = Seq(
    Compute,
    Serialize,
    FetchFiles,
    FetchExecutors,
    Metadata,
    Read,
    Write,
    Spill,
    Cache,
    Recompute,
    Python,
    Network,
    Memory,
    OtherWait,
    Gc,
    Deserialize,
    Result,
    Scheduler
  )

  /** The part that a sample of a task's thread belongs to. The first rule that matches holds.
    *
    * Waiting for a metadata server, for Python or for memory comes before what the thread does it for: each has a remedy
    * of its own.
    */
  def ofSample(purpose: String, activity: String): Part =
    rules
      .find { case (purposes, activities, _) =>
        (purposes.isEmpty || purposes(purpose)) && (activities.isEmpty || activities(activity))
      }
      .fold[Part](OtherWait)(_._3)

  /** @param cell `PURPOSE/ACTIVITY` */
  def ofCell(cell: String): Part = {
    val Array(purpose, activity) = cell.split('/')
    ofSample(purpose, activity)
  }

  // An empty set matches everything.
  private val any = Set.empty[String]

  private val rules: Seq[(Set[String], Set[String], Part)] = Seq(
    (any, Set("open", "metadata"), Metadata),
    (any, Set("python"), Python),
    (any, Set("memory"), Memory),
    (Set("recompute"), any, Recompute),
    (Set("spill"), any, Spill),
    (any, Set("compute"), Compute),
    (Set("cache"), any, Cache),
    (any, Set("direct"), FetchFiles),
    (Set("shuffleRead"), Set("network", "wait"), FetchExecutors),
    (any, Set("serialize"), Serialize),
    (any, Set("read"), Read),
    (any, Set("write", "disk"), Write),
    (any, Set("network"), Network)
  )
}
