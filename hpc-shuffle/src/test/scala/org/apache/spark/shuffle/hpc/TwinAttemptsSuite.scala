package org.apache.spark.shuffle.hpc

import java.util.concurrent.{CyclicBarrier, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.{MapOutputTrackerMaster, ShuffleDependency, SparkContext, SparkEnv}
import org.apache.spark.TaskContext
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.shuffle.ShuffleHandle
import org.apache.spark.storage.ShuffleBlockBatchId
import org.scalatest.funsuite.AnyFunSuite

/** Two attempts of one map task, as speculation starts them, that end at the same time. */
class TwinAttemptsSuite extends AnyFunSuite with ShuffleJobs {
  import ShuffleJobs.manager
  import TwinAttemptsSuite._

  private def tracker: MapOutputTrackerMaster =
    SparkEnv.get.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]

  private def content(shuffle: Int, status: MapStatus): Seq[Byte] = {
    val block = ShuffleBlockBatchId(shuffle, status.mapId, 0, Parts)
    val bytes = manager.shuffleBlockResolver.getBlockData(block, None).nioByteBuffer()
    Seq.fill(bytes.remaining)(bytes.get())
  }

  private def settings(placement: String, serializer: String): Seq[(String, String)] = Seq(
    "spark.local.dir" -> shared.resolve("local").toString,
    "spark.hpc.shuffle.placement" -> placement,
    "spark.hpc.shuffle.directory" -> shared.resolve("spark").toString,
    "spark.serializer" -> s"org.apache.spark.serializer.$serializer"
  )

  for (placement <- Seq("global", "fastest"); serializer <- Seq("JavaSerializer", "KryoSerializer"))
    test(s"$placement, $serializer: both have published, and either may win") {
      val mapTasks = new AtomicInteger
      withContext(settings(placement, serializer): _*) { sc =>
        val sums = sc.parallelize(records, 1).groupByKey(Parts).mapValues(_.sum)
        val dependency = sums.dependencies.head.rdd.dependencies.head
          .asInstanceOf[ShuffleDependency[Long, Long, _]]
        val shuffle = dependency.shuffleId
        tracker.registerShuffle(shuffle, 1, Parts)
        val statuses = attempts(sc, dependency.shuffleHandle)
        assert(statuses.map(_.mapId).distinct.size == 2)
        assert(manager.own.outputs.toSet == statuses.map(status => (shuffle, status.mapId)).toSet)
        val Seq(one, other) = statuses.map(content(shuffle, _))
        assert(one.nonEmpty && one == other)
        sc.addSparkListener(counting(mapTasks))
        for (winner <- statuses :+ statuses.head) {
          tracker.registerMapOutput(shuffle, 0, winner)
          assert(sums.collect().toMap == records.groupBy(_._1).mapValues(_.map(_._2).sum).toMap)
        }
      }
      assert(mapTasks.get == 0)
    }
}

private object TwinAttemptsSuite {
  private val Parts = 3

  private val records = (0L until 1000L).map(n => (n % 50, n))

  private val together = new CyclicBarrier(2)

  /** Tasks that write the same map output, and have all its records before either publishes. One is
    * killed then, too late.
    */
  private def attempts(sc: SparkContext, handle: ShuffleHandle): Seq[MapStatus] =
    sc.range(0, 2, 1, 2).mapPartitions { number =>
      val context = TaskContext.get()
      val writer = ShuffleJobs.manager.getWriter[Long, Long](
        handle,
        context.taskAttemptId(),
        context,
        context.taskMetrics().shuffleWriteMetrics
      )
      def meet(): Iterator[(Long, Long)] = {
        together.await(60, TimeUnit.SECONDS)
        Iterator.empty
      }
      writer.write(records.iterator ++ meet())
      val status = writer.stop(success = true).get
      if (number.next() == 1) writer.stop(success = false)
      Iterator(status)
    }.collect().toSeq
}
