package org.apache.spark.storage.hpc.disk

import java.util.concurrent.TimeUnit

import com.codahale.metrics.Timer
import io.netty.util.concurrent.FastThreadLocalThread

import org.apache.spark.SparkConf
import org.apache.spark.internal.config.Hpc
import org.sparkhpc.file.{DescriptorLimit, FilePool, IdleOrder}
import org.sparkhpc.tier.{TierOperations, Tiers}

/** The pool of open files that a process reads its blocks and spills through. */
private[storage] object BlockFilePool {

  /** None if it is switched off. */
  def of(conf: SparkConf, tiers: Option[Tiers]): Option[FilePool] =
    if (conf.get(Hpc.POOL_ENABLED)) {
      val size =
        conf.get(Hpc.POOL_SIZE).getOrElse(FilePool.defaultSize(DescriptorLimit.ofProcess))
      val order = IdleOrder.all.find(_.name == conf.get(Hpc.POOL_POLICY)).get
      val timeout = TimeUnit.MILLISECONDS.toNanos(conf.get(Hpc.POOL_TIMEOUT))
      def timer(path: String, kind: TierOperations => Timer): Option[Timer] =
        tiers.map(tiers => kind(tiers.of(path).operations))
      Some(new FilePool(
        size,
        order,
        timeout,
        () => !isEventLoop(Thread.currentThread),
        path => {
          val timing = timer(path, _.open).map(_.time())
          val channel = FilePool.openForReading(path)
          timing.foreach(_.stop())
          channel
        },
        (path, nanos) => timer(path, _.read).foreach(_.update(nanos, TimeUnit.NANOSECONDS))
      ))
    } else {
      None
    }

  /** Whether this is a network thread: a wait would delay all of its connections. */
  private def isEventLoop(thread: Thread): Boolean = thread.isInstanceOf[FastThreadLocalThread]
}
