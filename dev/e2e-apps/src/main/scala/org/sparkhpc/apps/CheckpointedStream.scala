package org.sparkhpc.apps

import java.util.concurrent.{CountDownLatch, TimeUnit}

import scala.annotation.nowarn

import org.apache.spark.{SparkConf, SparkEnv}
import org.apache.spark.rdd.RDD
import org.apache.spark.streaming.{Seconds, StreamingContext, Time}
import org.apache.spark.streaming.dstream.InputDStream

/** Counts for ever: `CheckpointedStream BATCHES STREAM...`, each stream in an application of its own, from
  * its checkpoint if there is one, until so many batches more are counted.
  *
  * A stream is `NAME CHECKPOINT KEY=VALUE...`, with settings for one that has no checkpoint yet.
  */
@nowarn("cat=deprecation") // so are these streams, which programs have nevertheless
object CheckpointedStream {

  // Of this process: what a checkpoint holds has been serialized.
  private var left: CountDownLatch = _
  @volatile private var counts: Seq[(Int, Long)] = _

  def main(args: Array[String]): Unit =
    for (stream <- args.tail) {
      val name +: checkpoint +: settings = stream.split(' ').toSeq
      count(name, args.head.toInt) {
        StreamingContext.getOrCreate(checkpoint, () => create(checkpoint, Settings.of(settings)))
      }
    }

  private def count(name: String, batches: Int)(begin: => StreamingContext): Unit = {
    left = new CountDownLatch(batches)
    val streams = begin
    streams.start()
    Report.line(s"$name.manager", SparkEnv.get.shuffleManager.getClass.getName)
    val isDone = left.await(5, TimeUnit.MINUTES)
    streams.stop(stopSparkContext = true, stopGracefully = true)
    Report.line(s"$name.done", isDone)
    Report.line(s"$name.counts", counts.map(_._2).mkString(" "))
  }

  private def create(checkpoint: String, settings: Seq[(String, String)]): StreamingContext = {
    val streams = new StreamingContext(new SparkConf().setAll(settings), Seconds(1))
    streams.checkpoint(checkpoint)
    new Numbers(streams).map(n => (n % 3, 1L))
      .updateStateByKey[Long]((more: Seq[Long], sum: Option[Long]) =>
        Some(sum.getOrElse(0L) + more.sum)
      )
      .checkpoint(Seconds(1))
      .foreachRDD(counted(_))
    streams
  }

  private def counted(sums: RDD[(Int, Long)]): Unit = {
    counts = sums.collect().toSeq.sorted
    left.countDown()
  }

  /** The same nine in each batch. */
  private final class Numbers(streams: StreamingContext) extends InputDStream[Int](streams) {
    override def start(): Unit = ()
    override def stop(): Unit = ()
    override def compute(time: Time): Option[RDD[Int]] =
      Some(context.sparkContext.parallelize(0 until 9, 2))
  }
}
