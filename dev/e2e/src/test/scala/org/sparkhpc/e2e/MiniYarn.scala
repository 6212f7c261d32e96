package org.sparkhpc.e2e

import java.nio.file.{Files, Paths}

import org.apache.hadoop.yarn.conf.YarnConfiguration
import org.apache.hadoop.yarn.server.MiniYARNCluster

/** A resource manager and a node manager in this process, until standard input ends: so they die
  * with the process that started them. Ports are ephemeral; files are below the working directory.
  *
  * Argument: the directory that gets `yarn-site.xml`, once both run; the directory is then ready to
  * be someone's HADOOP_CONF_DIR.
  */
object MiniYarn {

  def main(args: Array[String]): Unit =
    try run(args)
    catch {
      case failure: Throwable => failure.printStackTrace()
    } finally Runtime.getRuntime.halt(1) // Threads that aren't daemons may be left.

  private def run(args: Array[String]): Unit = {
    val cluster = new MiniYARNCluster("yarn", 1, 1, 1)
    cluster.init(settings)
    cluster.start()
    val directory = Paths.get(args(0))
    Files.createDirectories(directory)
    val written = Files.createTempFile(directory, "yarn-site", ".part")
    Closing(Files.newOutputStream(written))(cluster.getConfig.writeXml(_))
    Files.move(written, directory.resolve("yarn-site.xml"))
    while (System.in.read() >= 0) {}
    cluster.stop()
  }

  private def settings: YarnConfiguration = {
    val conf = new YarnConfiguration()
    conf.setInt(YarnConfiguration.YARN_MINICLUSTER_NM_PMEM_MB, 4096)
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256)
    // What a JVM reserves isn't what it uses.
    conf.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false)
    // A queue that gives one application after another all of the node.
    val capacity = "yarn.scheduler.capacity"
    conf.set(s"$capacity.root.queues", "default")
    conf.set(s"$capacity.root.default.capacity", "100")
    conf.set(s"$capacity.maximum-am-resource-percent", "1.0")
    // An executor that ends removes its scratch; Spark's SIGTERM comes beside that.
    conf.setLong(YarnConfiguration.NM_SLEEP_DELAY_BEFORE_SIGKILL_MS, 10000)
    // The disk is a developer's, and may be fuller than YARN likes.
    conf.set("yarn.nodemanager.disk-health-checker.enable", "false")
    conf
  }
}
