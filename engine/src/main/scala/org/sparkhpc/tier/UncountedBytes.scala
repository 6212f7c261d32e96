package org.sparkhpc.tier

import java.io.{File, IOException}
import java.nio.file.{FileVisitResult, Files, Path, SimpleFileVisitor}
import java.nio.file.attribute.BasicFileAttributes
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean

/** Counts the bytes that others wrote in the home tier's directories: Spark's own streams and Python.
  *
  * These bytes aren't counted as they are written, so the directories are scanned in the background: when
  * somebody asks and the last scan is [[UncountedBytes.Seconds]] seconds old. On a shared file system a scan
  * costs a request per file.
  *
  * @param isCounted whether a file of this name is in its tier's own count
  * @param inBackground runs a scan
  */
final class UncountedBytes(
    directories: => Seq[File],
    isCounted: String => Boolean,
    inBackground: Runnable => Unit,
    now: () => Long = () => System.nanoTime()
) {
  import UncountedBytes._

  private val isLooking = new AtomicBoolean
  @volatile private var answer = 0L
  @volatile private var lookedAt: Option[Long] = None

  /** The bytes as of the last scan; 0 before it. */
  def bytes: Long = {
    if (lookedAt.forall(now() - _ >= FreshNanos) && isLooking.compareAndSet(false, true)) {
      inBackground { () =>
        try look()
        finally isLooking.set(false)
      }
    }
    answer
  }

  /** Scans now, unless the last scan was less than a second ago. True if there are fewer bytes than before. */
  def isLess(): Boolean = {
    val before = answer
    if (lookedAt.forall(now() - _ >= MomentNanos)) look()
    answer < before
  }

  private def look(): Unit = {
    val sum = new Sum
    directories.foreach(directory => Files.walkFileTree(directory.toPath, sum))
    answer = sum.bytes
    lookedAt = Some(now())
  }

  /** Adds up the files that exist; some may be deleted meanwhile. */
  private final class Sum extends SimpleFileVisitor[Path] {
    var bytes = 0L

    override def visitFile(file: Path, attributes: BasicFileAttributes): FileVisitResult = {
      if (!isCounted(file.getFileName.toString)) bytes += attributes.size
      FileVisitResult.CONTINUE
    }

    override def visitFileFailed(file: Path, gone: IOException): FileVisitResult =
      FileVisitResult.CONTINUE

    override def postVisitDirectory(directory: Path, gone: IOException): FileVisitResult =
      FileVisitResult.CONTINUE
  }
}

object UncountedBytes {

  /** A count that scans in a thread of its own. */
  def apply(directories: => Seq[File], isCounted: String => Boolean): UncountedBytes =
    new UncountedBytes(
      directories,
      isCounted,
      look => {
        val thread = new Thread(look, "hpc-scratch-usage")
        thread.setDaemon(true)
        thread.start()
      }
    )

  val Seconds = 10L
  private val FreshNanos = TimeUnit.SECONDS.toNanos(Seconds)
  private val MomentNanos = TimeUnit.SECONDS.toNanos(1)
}
