package org.apache.spark.storage

import java.io.{File, RandomAccessFile}

import scala.sys.process._

import org.apache.spark.SparkEnv
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.hpc.disk.HpcDiskStore
import org.scalatest.Assertions
import org.scalatest.concurrent.Eventually

/** Has the disk hang for whoever writes blocks: in place of their files are named pipes, which nobody can
  * open while they aren't read.
  */
private[storage] trait HangingFiles extends Assertions with Eventually {

  /** During `body` no block of these is written that wasn't before. */
  def hanging[A](rdds: RDD[_]*)(body: => A): A = {
    val blocks =
      for (rdd <- rdds; i <- 0 until rdd.getNumPartitions) yield RDDBlockId(rdd.id, i)
    hangingIn(SparkEnv.get.blockManager, blocks)(body)
  }

  def hangingIn[A](manager: BlockManager, blocks: Seq[BlockId])(body: => A): A = {
    val store = manager.diskStore.asInstanceOf[HpcDiskStore]
    val pipes = blocks.map(id => new File(manager.diskBlockManager.getFile(id).getPath))
      .filterNot(_.exists)
    assert(("mkfifo" +: pipes.map(_.getPath)).! == 0)
    try body
    finally {
      // Whoever opens one for both neither waits nor lets others wait.
      val opened = pipes.filter(_.exists).map(new RandomAccessFile(_, "rw"))
      pipes.foreach(_.delete())
      eventually(assert(store.requestsUnderWay == 0))
      opened.foreach(_.close())
    }
  }
}
