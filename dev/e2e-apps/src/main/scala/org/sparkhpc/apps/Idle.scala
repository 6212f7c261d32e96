package org.sparkhpc.apps

import org.apache.spark.SparkContext

/** Starts, and waits until it is killed. */
object Idle {

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    while (!sc.isStopped) Thread.sleep(1000)
  }
}
