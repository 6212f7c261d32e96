package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.util.random.XORShiftRandom

/** Tasks that only sleep: what their job takes above that is the engine's own. With blocks, each task
  * caches one, and each further pass reads it: the store under many tasks at once, on few cores.
  */
object Sleep extends WithoutFiles[SleepOptions] {
  import builder._

  override protected def label: String = "sleep"
  override protected def defaults: SleepOptions = SleepOptions()

  override private[hpc] def work(spark: SparkSession, o: SleepOptions, phases: Phases): Outcome = {
    val tasks = spark.sparkContext.range(0, o.tasks.toLong, numSlices = o.tasks)
    val kept = if (o.blockBytes == 0) tasks else cached(tasks, o.blockBytes)
    for (_ <- 1 to o.passes) check(o, phases("sleep")(slept(kept, o.millis, o.uneven)))
    Outcome.checked("tasks" -> o.tasks, "millis" -> o.millis, "passes" -> o.passes)
  }

  private def cached(tasks: RDD[Long], bytes: Int): RDD[Long] =
    tasks.map(task => (task, Array.fill(bytes)(task.toByte))).cache().map(_._1)

  private[hpc] def slept(tasks: RDD[Long], millis: Int, uneven: Boolean = false): Checksum =
    Checksum.of(tasks.map { task =>
      Thread.sleep(if (uneven) new XORShiftRandom(task).nextInt(2 * millis + 1).toLong
      else millis.toLong)
      task
    })

  private[hpc] def check(o: SleepOptions, found: Checksum): Unit =
    Answer.equal("tasks that slept", Checksum.of(Iterator.range(0, o.tasks).map(_.toLong)), found)

  override protected val syntax: OParser[_, SleepOptions] = OParser.sequence(
    programName("Sleep"),
    head("Tasks that only sleep"),
    count("tasks", 1).action((x, o) => o.copy(tasks = x)).text("default 100"),
    count("millis", 0).action((x, o) => o.copy(millis = x)).text("of each; default 10"),
    opt[Boolean]("uneven")
      .action((x, o) => o.copy(uneven = x))
      .text("each sleeps for another time, so long in the mean; default false"),
    count("passes", 1).action((x, o) => o.copy(passes = x)).text("over all tasks; default 1"),
    count("block-bytes", 0)
      .action((x, o) => o.copy(blockBytes = x))
      .text("that each task caches; default 0"),
    help("help").text("print this")
  )
}

/** How many tasks sleep how long, how often, and how much each caches. */
final case class SleepOptions(
    tasks: Int = 100,
    millis: Int = 10,
    uneven: Boolean = false,
    passes: Int = 1,
    blockBytes: Int = 0
)
