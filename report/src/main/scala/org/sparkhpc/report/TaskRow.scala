package org.sparkhpc.report

/** What the report needs of a task that has ended, successfully or not.
  *
  * @param profile how often a sample found the task's thread in each `PURPOSE/ACTIVITY`; empty in event logs of stock
  *   Spark
  * @param requests how many requests were made for it, by `KIND@BUCKET` ([[RequestFigures]])
  */
final case class TaskRow(
    stage: StageKey,
    executor: String,
    outcome: TaskOutcome,
    times: TaskTimes,
    bytes: TaskBytes = TaskBytes(),
    profile: Map[String, Int] = Map.empty,
    requests: Map[String, Int] = Map.empty
)

final case class StageKey(id: Int, attempt: Int)

/** Spark's measurements of a task, in milliseconds.
  *
  * @param duration from the launch to the end, by the driver's clock
  * @param gettingResult the time that the driver took to fetch a large result
  * @param run the executor's time for the task's own code, without `deserialize` and `serializeResult`
  */
final case class TaskTimes(
    duration: Long = 0,
    gettingResult: Long = 0,
    deserialize: Long = 0,
    run: Long = 0,
    serializeResult: Long = 0,
    cpu: Long = 0,
    gc: Long = 0,
    fetchWait: Long = 0,
    shuffleWrite: Long = 0
) {
  def +(other: TaskTimes): TaskTimes = TaskTimes(
    duration + other.duration,
    gettingResult + other.gettingResult,
    deserialize + other.deserialize,
    run + other.run,
    serializeResult + other.serializeResult,
    cpu + other.cpu,
    gc + other.gc,
    fetchWait + other.fetchWait,
    shuffleWrite + other.shuffleWrite
  )
}

/** The bytes that a task read and wrote. */
final case class TaskBytes(
    input: Long = 0,
    output: Long = 0,
    shuffleRead: Long = 0,
    shuffleWritten: Long = 0,
    spilled: Long = 0
) {
  def +(other: TaskBytes): TaskBytes = TaskBytes(
    input + other.input,
    output + other.output,
    shuffleRead + other.shuffleRead,
    shuffleWritten + other.shuffleWritten,
    spilled + other.spilled
  )
}

/** How a task ended. */
sealed trait TaskOutcome

object TaskOutcome {
  case object Succeeded extends TaskOutcome

  /** It could not read a map output. */
  case object FetchFailed extends TaskOutcome

  /** Its executor was lost. */
  case object ExecutorLost extends TaskOutcome

  /** Another attempt was faster, or its stage was given up. */
  case object Killed extends TaskOutcome

  case object Failed extends TaskOutcome
}
