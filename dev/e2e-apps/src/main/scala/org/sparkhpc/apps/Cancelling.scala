package org.sparkhpc.apps

import org.apache.spark.SparkContext

/** Cancels the jobs of this thread's group. */
private[apps] object Cancelling {

  /** Once `isTime`, if `jobs` aren't over before. */
  def when[A](sc: SparkContext, isTime: => Boolean)(jobs: => A): A = {
    val group = sc.getLocalProperty("spark.jobGroup.id")
    val watch = new Thread(() =>
      try {
        while (!isTime) Thread.sleep(50)
        sc.cancelJobGroup(group)
      } catch { case _: InterruptedException => }
    )
    watch.start()
    try jobs
    finally {
      watch.interrupt()
      watch.join()
    }
  }
}
