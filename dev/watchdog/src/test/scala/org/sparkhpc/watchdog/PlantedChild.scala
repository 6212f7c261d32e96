package org.sparkhpc.watchdog

/** A program that starts a daemon, says its last word and waits for ever. */
class PlantedChild

object PlantedChild {

  def main(args: Array[String]): Unit = {
    new ProcessBuilder("sh", "-c", "sleep 1000 &").start().waitFor()
    println("the last word")
    waitForNobody()
  }

  private def waitForNobody(): Unit = synchronized(wait())
}
