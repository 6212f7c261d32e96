package org.sparkhpc.hadoop

import java.util.concurrent.{Executors, TimeUnit}

import com.google.common.util.concurrent.ThreadFactoryBuilder
import org.sparkhpc.file.{DescriptorLimit, SharedFileCounts, SharedFiles}

/** The applications' files that this process has open, for all of Hadoop's file systems in it. */
object ProcessFiles {

  // Long enough for the next query of a session, and short enough that the space of a file that another process has
  // deleted is soon free.
  private val IdleSeconds = 60L

  private[hadoop] lazy val files: SharedFiles = {
    val files = new SharedFiles(SharedFiles.defaultSize(DescriptorLimit.ofProcess))
    val threads = new ThreadFactoryBuilder().setDaemon(true).setNameFormat("hpc-idle-files").build()
    Executors.newSingleThreadScheduledExecutor(threads).scheduleWithFixedDelay(
      () => files.closeIdle(TimeUnit.SECONDS.toNanos(IdleSeconds)),
      IdleSeconds / 2,
      IdleSeconds / 2,
      TimeUnit.SECONDS
    )
    files
  }

  def counts: SharedFileCounts = files.counts
}
