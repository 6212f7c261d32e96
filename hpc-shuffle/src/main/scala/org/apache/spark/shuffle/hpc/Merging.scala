package org.apache.spark.shuffle.hpc

import org.apache.spark.TaskContext
import org.apache.spark.hpc.container.{ContainerWriter, MapOutput}

/** Hears of an executor's map outputs, so that it can have small blocks merged. */
private[hpc] trait Merging extends AutoCloseable {

  /** A map task of that shuffle begins. */
  def begins(shuffle: Int, task: TaskContext): Unit

  /** Another output is there. */
  def published(container: ContainerFile, writer: ContainerWriter, output: => MapOutput): Unit

  /** Nobody needs the containers of a shuffle any more. */
  def forget(shuffle: Int): Unit
}

private[hpc] object Merging {

  object Never extends Merging {
    override def begins(shuffle: Int, task: TaskContext): Unit = ()
    override def published(
        container: ContainerFile,
        writer: ContainerWriter,
        output: => MapOutput
    ): Unit = ()
    override def forget(shuffle: Int): Unit = ()
    override def close(): Unit = ()
  }
}
