package org.apache.spark.hpc.profile

import java.nio.file.{Files, Paths}
import java.util.concurrent.ConcurrentLinkedQueue

import scala.collection.JavaConverters._

import org.apache.commons.lang3.SerializationUtils
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

import org.apache.spark.scheduler.{
  AccumulableInfo,
  SparkListener,
  SparkListenerEvent,
  SparkListenerTaskEnd
}
import org.apache.spark.storage.{LocalSpark, RDDBlockId}
import org.sparkhpc.file.FileFacts
import org.sparkhpc.request.RequestKind

/** What an application's listeners learn of its tasks. */
class ProfilingSuite extends AnyFunSuite with LocalSpark with Eventually {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(60.seconds, 50.millis)

  private final class Heard extends SparkListener {
    val tasks = new ConcurrentLinkedQueue[SparkListenerTaskEnd]
    val figures = new ConcurrentLinkedQueue[ExecutorFigures]

    override def onTaskEnd(event: SparkListenerTaskEnd): Unit = tasks.add(event): Unit

    private val ofDriver = new ConcurrentLinkedQueue[DriverRequests]

    override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
      case its: ExecutorFigures => figures.add(its): Unit
      case its: DriverRequests => ofDriver.add(its): Unit
      case _ =>
    }

    def requests: Seq[String] = ofDriver.asScala.toSeq.map(_.requests)

    def profiles: Seq[AccumulableInfo] =
      tasks.asScala.toSeq.flatMap(_.taskInfo.accumulables).filter(_.name.contains(TaskProfile.Name))
  }

  private def counts(profiles: Seq[AccumulableInfo]): Map[String, Int] =
    profiles
      .flatMap(_.update)
      .flatMap(_.toString.split(','))
      .map(_.split('='))
      .groupBy(_.head)
      .map { case (cell, counted) => cell -> counted.map(_.last.toInt).sum }

  test("what tasks do is counted, and stays out of the application's own accumulators") {
    withSpark(2, "spark.hpc.profile.interval" -> "5ms") { sc =>
      val heard = new Heard
      sc.addSparkListener(heard)
      val own = sc.longAccumulator("own")
      sc.parallelize(1 to 4, 4).foreach { _ =>
        own.add(1)
        Thread.sleep(500)
      }
      eventually(assert(heard.tasks.size == 4))
      assert(heard.profiles.size == 4)
      assert(heard.profiles.forall(info => info.internal && info.value.isEmpty))
      val slept = counts(heard.profiles).getOrElse("task/wait", 0)
      // 4 x 500 ms are 400 intervals. Each task is seen at least a tenth as often, however busy the machine is.
      assert(slept >= 40, heard.profiles)
      assert(own.value == 4)
    }
  }

  test("a task that fails or is killed is counted, too") {
    withSpark(1, "spark.hpc.profile.interval" -> "5ms") { sc =>
      val heard = new Heard
      sc.addSparkListener(heard)
      intercept[Exception](sc.parallelize(Seq(1), 1).foreach { _ =>
        Thread.sleep(500)
        throw new IllegalStateException("as it should")
      })
      eventually(assert(heard.profiles.size == 1))
    }
  }

  test("what computes a lost block again is told from what computes it first") {
    withSpark(1, "spark.hpc.profile.interval" -> "5ms") { sc =>
      val heard = new Heard
      sc.addSparkListener(heard)
      val slow = sc.parallelize(1 to 2, 1).map { n =>
        Thread.sleep(250)
        n
      }
      slow.cache().count()
      eventually(assert(heard.profiles.size == 1))
      assert(!counts(heard.profiles).keys.exists(_.startsWith(Purpose.Recompute)), heard.profiles)
      sc.env.blockManager.removeBlock(RDDBlockId(slow.id, 0))
      assert(slow.count() == 2)
      eventually(assert(heard.profiles.size == 2))
      // 500 ms are 100 intervals.
      val again = counts(heard.profiles).getOrElse(s"${Purpose.Recompute}/${Activity.Wait}", 0)
      assert(again >= 10, heard.profiles)
      eventually {
        val sent = heard.figures.asScala.flatMap(_.figures.get(s"rdd.${slow.id}.again"))
        assert(sent.sum == 1)
      }
    }
  }

  test("a task's requests to file systems are counted, by latency") {
    withSpark(1, "spark.hpc.profile.interval" -> "1h") { sc =>
      val heard = new Heard
      sc.addSparkListener(heard)
      val path = Files.createTempFile("requests", "").toString
      sc.parallelize(Seq(1), 1).foreach(_ => FileFacts.of(Paths.get(path)): Unit)
      eventually(assert(heard.tasks.size == 1))
      val requests = counts(heard.profiles).filterKeys(_.startsWith(RequestKind.Metadata.name))
      assert(requests.values.sum == 1, heard.profiles)
      Files.delete(Paths.get(path))
    }
  }

  test("a wait for map outputs is one for the route that was asked") {
    val profile = TaskProfile.ofTask()
    def wait(activity: String): Unit = profile.saw(Purpose.ShuffleRead, activity)
    profile.began(RequestKind.Direct)
    wait(Activity.Wait)
    wait(Activity.Read)
    profile.saw(Purpose.Broadcast, Activity.Network)
    profile.ended(RequestKind.Direct, 1)
    profile.began(RequestKind.Network)
    wait(Activity.Wait)
    profile.ended(RequestKind.Network, 1)
    wait(Activity.Wait)
    val cells = profile.value.split(',').filter(_.contains('/')).toSet
    val fetches = Set("direct", "read", "network", "wait").map(its => s"shuffleRead/$its=1")
    assert(cells == fetches + "broadcast/network=1")

    Seq(RequestKind.Direct, RequestKind.Network).foreach(profile.began(_))
    profile.reset()
    for (_ <- 1 to 1000) wait(Activity.Network)
    val shares = profile.value.split(',').map(_.split('=').last.toInt)
    assert(shares.length == 2 && shares.sum == 1000 && shares.forall(_ > 300))
  }

  test("the driver's requests are counted apart from those of tasks") {
    withSpark(1) { sc =>
      val heard = new Heard
      sc.addSparkListener(heard)
      val path = Files.createTempFile("requests", "").toString
      for (_ <- 1 to 3) FileFacts.of(Paths.get(path))
      sc.parallelize(Seq(1), 1).foreach(_ => FileFacts.of(Paths.get(path)): Unit)
      FileFacts.of(Paths.get(path))
      sc.parallelize(Seq(1), 1).count()
      def driver: Int = heard.requests.lastOption.toSeq.flatMap(_.split(','))
        .filter(_.startsWith("metadata@")).map(_.split('=').last.toInt).sum
      eventually(assert(driver == 4, heard.requests))
      Files.delete(Paths.get(path))
    }
  }

  test("a profile is sent with its counts, and without the many zeros") {
    val profile = TaskProfile.ofTask()
    val empty = SerializationUtils.serialize(profile).length
    for (_ <- 1 to 3) profile.add((Purpose.Task, Activity.Compute))
    profile.made(RequestKind.Open, 350000)
    val sent = SerializationUtils.clone(profile)
    assert(sent.value == profile.value && profile.value.startsWith("task/compute=3,open@"))
    assert(profile.copy().value == profile.value)
    assert(SerializationUtils.serialize(profile).length - empty < 20)
    profile.reset()
    assert(profile.isZero && !sent.isZero)
  }

  test("an executor's figures reach listeners, and come from its metrics and its process") {
    withSpark(2) { sc =>
      val heard = new Heard
      sc.addSparkListener(heard)
      sc.parallelize(1 to 1000, 4).groupBy(_ % 10).count()
      eventually(assert(heard.figures.size >= 2))
      val last = heard.figures.asScala.toSeq.last
      assert(last.executorId == "driver")
      assert(last.figures("patchedComponents") > 0)
      assert(last.figures("process.heap") > 0 && last.figures("process.rss") > 0)
      assert(last.figures("node.available") > 0)
      assert(last.figures.values.forall(_ != 0))
    }
  }

  test("with an interval of 0, nothing is watched") {
    withSpark(2, "spark.hpc.profile.interval" -> "0") { sc =>
      val heard = new Heard
      sc.addSparkListener(heard)
      sc.parallelize(1 to 2, 2).foreach(_ => Thread.sleep(200))
      eventually(assert(heard.tasks.size == 2))
      assert(heard.profiles.isEmpty && heard.figures.isEmpty)
      assert(!Thread.getAllStackTraces.keySet.asScala.exists(_.getName == "spark-hpc-profile"))
    }
  }

  test("threads that watch end with the application") {
    withSpark(2)(_.parallelize(1 to 2, 2).count())
    eventually {
      val names = Thread.getAllStackTraces.keySet.asScala.map(_.getName)
      assert(!names("spark-hpc-profile") && !names("spark-hpc-figures"))
    }
  }
}
