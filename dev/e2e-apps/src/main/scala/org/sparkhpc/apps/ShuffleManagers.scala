package org.sparkhpc.apps

import org.apache.spark.{SparkContext, SparkEnv}

/** Names the shuffle manager of the driver and of the executors, which then shuffle: `ShuffleManagers [EXECUTORS]`,
  * of which there are at least so many, or two.
  */
object ShuffleManagers {

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    try {
      Report.line("driver", here)
      val executors = sc.range(0, 40, 1, 8).map { n =>
        Thread.sleep(20)
        (n % 3, (n, here))
      }.groupByKey(3)
        .map { case (key, values) => (key, values.map(_._1).sum, values.map(_._2).toSet + here) }
        .collect().sortBy(_._1)
      Report.line("sums", executors.map(_._2).mkString(" "))
      Report.line("executors", executors.flatMap(_._3).distinct.sorted.mkString(" "))
      Report.storageClasses(sc, args.headOption.fold(2)(_.toInt))
    } finally sc.stop()
  }

  private def here: String = SparkEnv.get.shuffleManager.getClass.getName
}
