package org.apache.spark.hpc.scale

import java.nio.file.Paths

import scala.concurrent.{Await, Future}
import scala.concurrent.duration._

import org.apache.spark.{MapOutputTracker, SparkConf, SparkEnv}
import org.apache.spark.rpc.{RpcAddress, RpcEndpointRef}
import org.apache.spark.scheduler.cluster.CoarseGrainedClusterMessages.{
  LaunchedExecutor,
  RegisterExecutor
}
import org.apache.spark.scheduler.cluster.CoarseGrainedSchedulerBackend
import org.apache.spark.shuffle.hpc.place.SharedPlaces
import org.apache.spark.storage.{BlockManagerId, BlockManagerMaster}
import org.apache.spark.storage.BlockManagerMessages.RegisterBlockManager

/** The process of all thin executors: `EXECUTORS REDUCERS [DIRECTORY]`, with the driver's settings as system properties.
  * They register and answer like executors of one core, over one connection, and run no tasks.
  *
  * DIRECTORY is the application's directory on the shared file system, if map outputs are there.
  */
object ThinNode {

  /** Executors of a node: only their hosts' names depend on it. */
  private val OfHost = 16

  def main(args: Array[String]): Unit = {
    val Array(executors, reducers) = args.take(2).map(_.toInt)
    val conf = new SparkConf
    val env = SparkEnv.createExecutorEnv(conf, "0", "localhost", 2, None, isLocal = false)
    val driver = new Driver(env, conf)
    val places = args.lift(2).map(path => new SharedPlaces(Paths.get(path)))
    val answers = new Answers(driver, reducers, places)
    for (number <- 1 to executors)
      driver.register(number.toString, s"node-${number / OfHost}", answers)
    println(s"registered=$executors")
    while (System.in.read() >= 0) ()
    println(s"statuses=${answers.statusBytes.get / 1000}kB")
    System.exit(0)
  }

  /** The driver's endpoints, as executors know them. */
  final class Driver(val env: SparkEnv, conf: SparkConf) {
    private def endpoint(name: String): RpcEndpointRef = env.rpcEnv.setupEndpointRef(
      RpcAddress(conf.get("spark.driver.host"), conf.get("spark.driver.port").toInt),
      name
    )

    val scheduler: RpcEndpointRef = endpoint(CoarseGrainedSchedulerBackend.ENDPOINT_NAME)
    val blocks: RpcEndpointRef = endpoint(BlockManagerMaster.DRIVER_ENDPOINT_NAME)
    val outputs: RpcEndpointRef = endpoint(MapOutputTracker.ENDPOINT_NAME)

    def register(id: String, host: String, answers: Answers): Unit = {
      val manager = BlockManagerId(id, host, 7337, None)
      val thin = new ThinExecutor(env.rpcEnv, id, manager, answers)
      val self = env.rpcEnv.setupEndpoint(s"thin-$id", thin)
      wait(blocks.ask[BlockManagerId](
        RegisterBlockManager(manager, Array.empty, 1L << 30, 0L, self, isReRegister = false)
      ))
      wait(scheduler.ask[Boolean](
        RegisterExecutor(id, self, host, 1, Map.empty, Map.empty, Map.empty, 0)
      ))
      scheduler.send(LaunchedExecutor(id))
    }

    private def wait(answer: Future[_]): Unit = Await.result(answer, 10.minutes): Unit
  }
}
