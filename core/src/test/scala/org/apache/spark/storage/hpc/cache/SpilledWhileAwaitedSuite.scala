package org.apache.spark.storage.hpc.cache

import java.io.RandomAccessFile
import java.lang.reflect.{InvocationHandler, Proxy}
import java.util.concurrent.{CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicBoolean

import scala.collection.JavaConverters._
import scala.concurrent.{Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration._

import org.apache.spark.storage.{BlockId, BlockInfoManager, RDDBlockId, ShortOfMemory}
import org.apache.spark.storage.hpc.disk.{DiskStoreClient, HpcDiskStore}
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

/** A task waits for the lock of a block while another task computes the block and spills it. */
class SpilledWhileAwaitedSuite extends AnyFunSuite with Eventually with ShortOfMemory {
  import SpilledWhileAwaitedSuite._

  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(60, Seconds))

  /** Cuts the file of the first block that is written, before anybody may read it. */
  private def cutFirst(): Unit = {
    val store = manager.diskStore.asInstanceOf[HpcDiskStore]
    val client = store.client
    val isFirst = new AtomicBoolean(true)
    store.attach(intercepting(client) { blockId =>
      if (isFirst.getAndSet(false)) {
        val file = new RandomAccessFile(manager.diskBlockManager.getFile(blockId), "rw")
        try file.setLength(file.length / 2)
        finally file.close()
      }
    })
  }

  /** The same client, but that `afterWritten` is called once it knows that a block was written. */
  private def intercepting(client: DiskStoreClient)(afterWritten: BlockId => Unit)
      : DiskStoreClient = {
    val handler: InvocationHandler = (_, method, arguments) => {
      val answer = method.invoke(client, Option(arguments).getOrElse(Array.empty[AnyRef]): _*)
      if (method.getName == "written") afterWritten(arguments(0).asInstanceOf[BlockId])
      answer
    }
    val kind = classOf[DiskStoreClient]
    kind.cast(Proxy.newProxyInstance(kind.getClassLoader, Array[Class[_]](kind), handler))
  }

  private def isAwaitingBlock(thread: Array[StackTraceElement]): Boolean =
    thread.exists(frame =>
      frame.getClassName == classOf[
        BlockInfoManager
      ].getName && frame.getMethodName == "lockForReading"
    )

  test("its reader sees a damaged file by the checksum, and computes the block again") {
    withContext("spark.master" -> "local[2]") { sc =>
      cutFirst()
      // More than there is memory for storage.
      val large = sc.parallelize(Seq(0), 1).flatMap { _ =>
        begun.countDown()
        assert(mayEnd.await(60, TimeUnit.SECONDS))
        Iterator.tabulate(Elements)(i => Array.fill(ShortOfMemory.BlockBytes)(i.toByte))
      }.cache()
      def read(): Future[Seq[Int]] = Future(large.map(_.head.toInt).collect().toSeq)
      val writer = read()
      assert(begun.await(60, TimeUnit.SECONDS))
      val reader = read()
      eventually(assert(Thread.getAllStackTraces.values.asScala.exists(isAwaitingBlock)))
      mayEnd.countDown()
      val found = Seq(writer, reader).map(Await.result(_, 60.seconds))
      assert(found == Seq.fill(2)(0 until Elements))
      assert(manager.cache.counts.unreadableBlocks.getCount >= 1)
      assert(manager.blockInfoManager.get(RDDBlockId(large.id, 0)).forall(_.readerCount == 0))
    }
  }
}

private object SpilledWhileAwaitedSuite {
  private val Elements = 40
  private val begun, mayEnd = new CountDownLatch(1)
}
