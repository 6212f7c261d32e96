package org.sparkhpc.report

import org.sparkhpc.report.Words.{percent, seconds}

/** The bottlenecks that are looked for. Each rule estimates by how much the run would be shorter without it: for a part of
  * the tasks' time, by that part divided by the number of cores.
  */
private[report] object Causes {
  type Cause = (Run, Totals) => Option[Finding]

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
  private def data: Cause = ofPart(Part.Read, Part.Write, Part.FetchFiles)(
    "data",
    "a file system's data servers or disks",
    "tasks wait for it to read or write data",
    "put scratch files on a faster file system (spark.hpc.scratch.tiers), or compress better " +
      "(spark.io.compression.codec=zstd)"
  )

  /** Files that continued in the next tier because one was full. What the next tier costs is not measured apart. */
  private def fullTier: Cause = (run, totals) => {
    val overflows = Tables.tiersOf(run.history).map { case (number, label) =>
      label -> run.history.sum(s"scratch.$number.$label.overflows")
    }
    overflows.find(_._2 > 0).flatMap { case (label, files) =>
      ofPart(Part.Read, Part.Write, Part.Spill, Part.Cache)(
        "fullTier",
        s"the scratch tier $label, which was full",
        s"${math.round(files)} files continued in a slower tier, and tasks wait for files",
        "give the tier more capacity (spark.hpc.scratch.tiers), use more nodes, or compress better " +
          "(spark.io.compression.codec=zstd)"
      )(run, totals)
    }
  }

  private def cache: Cause = ofPart(Part.Cache, Part.Recompute)(
    "cache",
    "memory that is too short for the cached data",
    "tasks write cached blocks to disk and read them back, or compute them again",
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

  private def fetches: Cause = ofPart(Part.FetchExecutors)(
    "fetch",
    "the transfer of shuffle data",
    "tasks wait for map outputs of other executors",
    "shuffle less: broadcast small tables, aggregate before joins, or use fewer and larger partitions"
  )

  /** Stages of many tasks that are short: what is around each task counts. */
  private def smallTasks: Cause = (run, totals) => {
    val small = run.stages.filter { stage =>
      stage.tasks > 4 * totals.cores && stage.times.run < ShortTaskMillis * stage.tasks
    }
    val sums = small.map(Sums.of).foldLeft(Sums())(_ + _)
    val around = Totals(sums, totals.use).of(Part.Scheduler, Part.Deserialize, Part.Result)
    val tasks = small.map(_.tasks).sum
    if (tasks == 0) None
    else
      Some(
        Finding(
          "smallTasks",
          "partitions that are too small",
          s"$tasks tasks ran ${small.map(_.times.run).sum / tasks} ms each, and " +
            s"${percent(around / totals.taskTime)} of the tasks' time is for starting such tasks",
          "use fewer partitions (spark.sql.shuffle.partitions, spark.default.parallelism, coalesce)",
          around / totals.cores
        )
      )
  }

  /** Stages that wait for one task that is much longer than the others. */
  private def skew: Cause = (run, totals) => {
    val skewed = for {
      stage <- run.stages
      took <- stage.duration
      (median, longest) <- stage.durations
      if stage.tasks > 1 && longest > SkewRatio * math.max(median, 1)
      ideal = math.max(stage.times.duration / totals.cores, median.toDouble)
    } yield (stage, median, longest, math.max(0, math.min(took.toDouble, longest) - ideal))
    if (skewed.isEmpty) None
    else {
      val (stage, median, longest, _) = skewed.maxBy(_._4)
      Some(
        Finding(
          "skew",
          "one partition that is much larger than the others",
          s"the longest task of stage ${stage.label} took ${seconds(longest)}, and the median task ${seconds(median)}",
          "spread the largest key over more partitions (spark.sql.adaptive.skewJoin.enabled, or a salt in the key)",
          skewed.map(_._4).sum
        )
      )
    }
  }

  /** Attempts of stages that could not read map outputs, and stages that succeeded and ran again to make these. */
  private def lostOutputs: Cause = (run, _) => {
    val failed = run.stages.filter(_.outcome(TaskOutcome.FetchFailed) > 0)
    val succeeded = run.stages.filter(_.failure.isEmpty).groupBy(_.key.id)
    val again = succeeded.values.flatMap(_.sortBy(_.key.attempt).drop(1)).toSeq
    if (failed.isEmpty) None
    else
      Some(
        Finding(
          "lostOutputs",
          "map outputs that were lost with their executors",
          s"${failed.map(_.outcome(TaskOutcome.FetchFailed)).sum} tasks could not read map outputs, " +
            s"${again.size} stages ran again to make them, and ${run.executorCounts._2} executors were removed",
          "find out why executors ended (spark-hpc logs), and keep map outputs where all nodes see them " +
            "(spark.hpc.shuffle.placement=global)",
          (failed.filter(_.failure.isDefined) ++ again).flatMap(_.duration).sum.toDouble
        )
      )
  }

  /** Jobs without a stage that runs: the driver works alone. */
  private def driver: Cause = (_, totals) => {
    val alone = totals.busy - totals.use.stages
    Some(
      Finding(
        "driver",
        "the driver",
        s"no stage ran in ${percent(alone.toDouble / totals.busy)} of the time of jobs",
        "move work from the driver to executors: collect less, list fewer files",
        alone.toDouble
      )
    )
  }

  private def ofPart(
      parts: Part*
  )(cause: String, what: String, figure: String, remedy: String): Cause = (_, totals) => {
    val millis = totals.of(parts: _*)
    val share = percent(millis / totals.taskTime)
    Some(Finding(cause, what, s"$figure in $share of their time", remedy, millis / totals.cores))
  }

  private val ShortTaskMillis = 100

  private val SkewRatio = 3.0
}
