package org.apache.spark.hpc.profile

import org.apache.spark.SparkContext
import org.apache.spark.annotation.DeveloperApi
import org.apache.spark.scheduler._
import org.sparkhpc.request.Requests

/** The requests to file systems that the driver's own threads have made since the application started: it lists input,
  * plans queries and commits output. Listeners get it, and the event log keeps it.
  *
  * @param time milliseconds since the epoch
  * @param requests `KIND@BUCKET=COUNT,...` as in [[TaskProfile]]
  */
@DeveloperApi
case class DriverRequests(time: Long, requests: String) extends SparkListenerEvent

/** Watches the driver's own threads, and posts [[DriverRequests]] when a job starts or ends and after each event of
  * another part of Spark, such as SQL, if the driver has made requests since it posted the last ones.
  */
private[profile] final class DriverRequestsListener(sc: SparkContext) extends SparkListener {
  // Of a profile, only the counts of requests are used.
  private val seen = new TaskProfile
  private var posted = ""

  Requests.watchOthers(seen)

  override def onJobStart(event: SparkListenerJobStart): Unit = post(event.time)

  override def onJobEnd(event: SparkListenerJobEnd): Unit = post(event.time)

  // SQL's commit of an output follows its last job, and an event of SQL follows the commit.
  override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
    case _: DriverRequests | _: ExecutorFigures | _: LiveFigures =>
    case _ => post(System.currentTimeMillis())
  }

  private def post(time: Long): Unit = {
    val now = seen.value
    if (now != posted) {
      posted = now
      sc.listenerBus.post(DriverRequests(time, now))
    }
  }
}
