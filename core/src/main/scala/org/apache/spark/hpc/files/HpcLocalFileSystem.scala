package org.apache.spark.hpc.files

import java.util.{Collections, Set => JSet}

import com.google.common.collect.MapMaker

import org.apache.spark.TaskContext
import org.sparkhpc.hadoop.{PooledLocalFileSystem, Readers}

/** The file system for `file:` of a Spark process: a [[PooledLocalFileSystem]] whose readers are Spark's tasks. */
final class HpcLocalFileSystem extends PooledLocalFileSystem(Tasks)

/** The tasks of this process, as readers of files. */
private object Tasks extends Readers {

  private val known: JSet[TaskContext] =
    Collections.newSetFromMap(new MapMaker().weakKeys().makeMap[TaskContext, java.lang.Boolean]())

  override def current(onEnd: AnyRef => Unit): AnyRef = {
    val task = TaskContext.get
    if (task != null && known.add(task)) {
      task.addTaskCompletionListener[Unit](_ => onEnd(task))
    }
    task
  }
}
