package org.apache.spark.sql.hpc.write

import org.apache.hadoop.fs.Path
import org.apache.hadoop.mapreduce.{JobContext, OutputCommitter, TaskAttemptContext}
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter
import org.apache.parquet.hadoop.ParquetOutputCommitter

import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage
import org.apache.spark.internal.io.FileNameSpec
import org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol
import org.sparkhpc.hadoop.PooledLocalFileSystem

/** Commits the files of a write on a shared file system with one rename for each file.
  *
  *  1. A task writes each of its files, under a name of its own, in the job's hidden staging directory. It tells the
  *     driver which files these are; nobody renames or lists anything when a task ends.
  *  1. The driver renames the files of one attempt of each task to their places, the ones whose message it received.
  *     Then it writes `_SUCCESS`, and deletes the staging directory with what other attempts left.
  *  1. A failed job deletes the staging directory; nothing of it was visible. If the driver dies during its renames, some
  *     files are there, as with Hadoop's `FileOutputCommitter` (version 1).
  *
  * Files whose place is said by an absolute path are committed so by Spark itself; this protocol says it of all files.
  * It leaves everything to Spark's protocol, file by file, on other file systems, with another committer than Spark's
  * own, and when partitions are overwritten dynamically.
  */
class StagedCommitProtocol(jobId: String, path: String, dynamicPartitionOverwrite: Boolean)
    extends SQLHadoopMapReduceCommitProtocol(jobId, path, dynamicPartitionOverwrite) {

  @transient private var staged: Option[StagedCommitter] = None

  override protected def setupCommitter(context: TaskAttemptContext): OutputCommitter = {
    val sparks = super.setupCommitter(context)
    staged = if (mayStage(sparks, context)) Some(new StagedCommitter(sparks)) else None
    staged.getOrElse(sparks)
  }

  override def newTaskTempFile(
      context: TaskAttemptContext,
      directory: Option[String],
      spec: FileNameSpec
  ): String =
    if (staged.isEmpty) super.newTaskTempFile(context, directory, spec)
    else {
      val its = directory.fold(new Path(path))(new Path(path, _))
      newTaskTempFileAbsPath(context, its.toString, spec)
    }

  override def commitJob(context: JobContext, tasks: Seq[TaskCommitMessage]): Unit = {
    super.commitJob(context, tasks)
    staged.foreach(_.finish(context))
  }

  private def mayStage(committer: OutputCommitter, context: TaskAttemptContext): Boolean =
    !dynamicPartitionOverwrite && path != null && {
      val its = committer.getClass
      its == classOf[FileOutputCommitter] || its == classOf[ParquetOutputCommitter]
    } && {
      val directory = new Path(path)
      directory.getFileSystem(context.getConfiguration) match {
        case ours: PooledLocalFileSystem => ours.isShared(directory)
        case _ => false
      }
    }
}

/** Spark's committer of a job whose files are staged: its tasks have nothing to commit.
  *
  * @param sparks makes and removes the directories of the job, and writes `_SUCCESS`
  */
private final class StagedCommitter(sparks: OutputCommitter) extends OutputCommitter {
  override def setupJob(context: JobContext): Unit = sparks.setupJob(context)
  override def setupTask(context: TaskAttemptContext): Unit = ()
  override def needsTaskCommit(context: TaskAttemptContext): Boolean = false
  override def commitTask(context: TaskAttemptContext): Unit = ()
  override def abortTask(context: TaskAttemptContext): Unit = ()

  /** Too early for `_SUCCESS`: Spark calls this before it renames the files. */
  override def commitJob(context: JobContext): Unit = ()

  /** To be called when the files are in their places. */
  def finish(context: JobContext): Unit = sparks.commitJob(context)

  override def abortJob(
      context: JobContext,
      state: org.apache.hadoop.mapreduce.JobStatus.State
  ): Unit =
    sparks.abortJob(context, state)
}
