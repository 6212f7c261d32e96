package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

/** Tasks that only sleep: what their job takes above that is the engine's own. */
object Sleep extends WithoutFiles[SleepOptions] {
  import builder._

  override protected def label: String = "sleep"
  override protected def defaults: SleepOptions = SleepOptions()

  override private[hpc] def work(spark: SparkSession, o: SleepOptions, phases: Phases): Outcome = {
    val tasks = spark.sparkContext.range(0, o.tasks.toLong, numSlices = o.tasks)
    val found = phases("sleep")(slept(tasks, o.millis))
    check(o, found)
    Outcome.checked("tasks" -> o.tasks, "millis" -> o.millis)
  }

  private[hpc] def slept(tasks: RDD[Long], millis: Int): Checksum =
    Checksum.of(tasks.map { task =>
      Thread.sleep(millis.toLong)
      task
    })

  private[hpc] def check(o: SleepOptions, found: Checksum): Unit =
    Answer.equal("tasks that slept", Checksum.of(Iterator.range(0, o.tasks).map(_.toLong)), found)

  override protected val syntax: OParser[_, SleepOptions] = OParser.sequence(
    programName("Sleep"),
    head("Tasks that only sleep"),
    count("tasks", 1).action((x, o) => o.copy(tasks = x)).text("default 100"),
    count("millis", 0).action((x, o) => o.copy(millis = x)).text("of each; default 10"),
    help("help").text("print this")
  )
}

/** How many tasks sleep how long. */
final case class SleepOptions(tasks: Int = 100, millis: Int = 10)
