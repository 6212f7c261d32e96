package org.sparkhpc.report

import org.sparkhpc.report.Words.{percent, seconds}

/** The bottlenecks that are looked for. Each rule estimates by how much the run would be shorter without it: for a part of
  * the tasks' time, by that part divided by the number of cores.
  */
private[report] object Causes {
  type Cause = Run => Option[Finding]

  val all: Seq[Cause] =
    Seq(
      metadata,
      fullTier,
      data,
      cache,
      spills,
      python,
      collection,
      smallTasks,
      skew,
      lostOutputs,
      fetches,
      driver
    )

  private def metadata: Cause = ofPart(Part.Metadata)(
    "metadata",
    "the metadata server of a file system",
    "tasks wait for it to open, list or delete files",
    "use fewer and larger files: write with fewer tasks (coalesce), and keep scratch files in memory or on local disks " +
      "(spark.hpc.scratch.tiers)"
  )

  /** Reads and writes of files, and waiting for map outputs that are read straight from a shared file system. */
  private def data: Cause = run =>
    waiting(run, partOf(run, Part.Read, Part.Write) + fetchWait(run) * directShare(run))(
      "data",
      "a file system's data servers or disks",
      "tasks wait for it to read or write data",
      "put scratch files on a faster file system (spark.hpc.scratch.tiers), or compress better " +
        "(spark.io.compression.codec=zstd)"
    )

  /** Files that continued in the next tier because one was full. What the next tier costs is not measured apart. */
  private def fullTier: Cause = run => {
    val full = Tables.tiersOf(run.history).map { case (number, label) =>
      (label, run.history.sum(s"scratch.$number.$label.overflows"))
    }.filter(_._2 > 0)
    full.headOption.flatMap { case (label, overflows) =>
      ofPart(Part.Read, Part.Write, Part.Spill, Part.Cache)(
        "fullTier",
        s"the scratch tier $label, which was full",
        s"${math.round(overflows)} files continued in a slower tier, and tasks wait for files",
        "give the tier more capacity (spark.hpc.scratch.tiers), use more nodes, or compress better " +
          "(spark.io.compression.codec=zstd)"
      )(run).filter(_.gain > 0)
    }
  }

  private def cache: Cause = ofPart(Part.Cache)(
    "cache",
    "memory that is too short for the cached data",
    "tasks write cached blocks to disk and read them back",
    "give executors more memory (spark.executor.memory), or use more executors"
  )

  private def spills: Cause = ofPart(Part.Spill)(
    "spill",
    "memory that is too short for sorts and aggregations",
    "tasks write records to disk and read them back",
    "give executors more memory (spark.executor.memory), or use more partitions (spark.sql.shuffle.partitions)"
  )

  private def python: Cause = ofPart(Part.Python)(
    "python",
    "a Python function",
    "tasks wait for their Python workers",
    "use built-in functions of Spark SQL, or pandas UDFs, in place of the Python function"
  )

  private def collection: Cause = ofPart(Part.Gc)(
    "gc",
    "garbage collection",
    "executors collect garbage",
    "give executors more memory (spark.executor.memory), or fewer cores (spark.executor.cores)"
  )

  private def fetches: Cause = run =>
    waiting(run, fetchWait(run) * (1 - directShare(run)))(
      "fetch",
      "the transfer of shuffle data",
      "tasks wait for map outputs of other executors",
      "shuffle less: broadcast small tables, aggregate before joins, or use fewer and larger partitions"
    )

  private def fetchWait(run: Run): Double = partOf(run, Part.FetchWait)

  /** The share of the time of requests for map outputs in which the shared file system was read. */
  private def directShare(run: Run): Double = {
    def time(route: String) = run.history.last.values.map { figures =>
      def figure(name: String) = figures.getOrElse(s"shuffle.$route.requests.$name", 0.0)
      figure("count") * figure("median")
    }.sum
    val (direct, network) = (time("direct"), time("network"))
    if (direct == 0) 0 else direct / (direct + network)
  }

  /** Tasks so short that starting them takes longer than they run. */
  private def smallTasks: Cause = run => {
    val small = run.stages.filter { stage =>
      stage.tasks > 4 * run.cores && stage.times.run.toDouble / stage.tasks < ShortTaskMillis
    }
    val around = small.map(stage => stage.split).map { split =>
      Seq(Part.Scheduler, Part.Deserialize, Part.Result).map(split.getOrElse(_, 0.0)).sum
    }.sum
    val tasks = small.map(_.tasks).sum
    if (tasks == 0) None
    else
      Some(
        Finding(
          "smallTasks",
          "partitions that are too small",
          s"$tasks tasks ran ${small.map(_.times.run).sum / tasks} ms each, and ${percent(around / run.taskTime)} of the tasks' " +
            "time is for starting such tasks",
          "use fewer partitions (spark.sql.shuffle.partitions, spark.default.parallelism, coalesce)",
          around / run.cores
        )
      )
  }

  /** Stages that wait for one task that is much longer than the others. */
  private def skew: Cause = run => {
    val skewed = for {
      stage <- run.stages
      took <- stage.duration
      tasks = stage.sortedDurations
      if tasks.length > 1
      longest = tasks.last
      median = tasks((tasks.length - 1) / 2)
      if longest > SkewRatio * math.max(median, 1)
      ideal = math.max(stage.times.duration / run.cores, median.toDouble)
    } yield (stage, longest, median, math.max(0, math.min(took.toDouble, longest) - ideal))
    if (skewed.isEmpty) None
    else {
      val (stage, longest, median, _) = skewed.maxBy(_._4)
      Some(
        Finding(
          "skew",
          "one partition that is much larger than the others",
          s"the longest task of stage ${stage.key.id} took ${seconds(longest)}, and the median task ${seconds(median)}",
          "spread the largest key over more partitions (spark.sql.adaptive.skewJoin.enabled, or a salt in the key)",
          skewed.map(_._4).sum
        )
      )
    }
  }

  /** Attempts of stages that failed for want of map outputs, and stages that succeeded and ran again to make these. */
  private def lostOutputs: Cause = run => {
    val failedTasks = run.stages.map(_.outcome(TaskOutcome.FetchFailed)).sum
    val failed = run.stages.filter(_.failure.isDefined)
    val succeeded = run.stages.filter(_.failure.isEmpty).groupBy(_.key.id)
    val again = succeeded.values.flatMap(_.sortBy(_.key.attempt).drop(1)).toSeq
    val lost = run.executors.count(_.removed.isDefined)
    if (failedTasks == 0) None
    else
      Some(
        Finding(
          "lostOutputs",
          "map outputs that were lost with their executors",
          s"$failedTasks tasks could not read map outputs, ${again.size} stages ran again to make them, and " +
            s"$lost executors were lost",
          "find out why executors ended (spark-hpc logs), and keep map outputs where all nodes see them " +
            "(spark.hpc.shuffle.placement=global)",
          (failed ++ again).flatMap(_.duration).sum.toDouble
        )
      )
  }

  /** Cores that no task uses, while the driver works. */
  private def driver: Cause = run => {
    val alone = run.busy - Span.union(run.stages.flatMap(stage =>
      stage.submitted.map(from => Span(from, stage.completed).within(run.over))
    ))
    Some(
      Finding(
        "driver",
        "the driver",
        s"no stage ran in ${percent(alone.toDouble / run.busy)} of the time of jobs",
        "move work from the driver to executors: collect less, list fewer files",
        alone.toDouble
      )
    )
  }

  private def ofPart(
      parts: Part*
  )(cause: String, what: String, figure: String, remedy: String): Cause =
    run => waiting(run, partOf(run, parts: _*))(cause, what, figure, remedy)

  /** @param millis of tasks' time */
  private def waiting(run: Run, millis: Double)(
      cause: String,
      what: String,
      figure: String,
      remedy: String
  ): Option[Finding] = {
    val share = percent(millis / run.taskTime)
    Some(Finding(cause, what, s"$figure in $share of their time", remedy, millis / run.cores))
  }

  private def partOf(run: Run, parts: Part*): Double = {
    val split = run.split
    parts.map(split.getOrElse(_, 0.0)).sum
  }

  private val ShortTaskMillis = 100

  private val SkewRatio = 3.0
}
