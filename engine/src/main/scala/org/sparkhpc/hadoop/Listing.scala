package org.sparkhpc.hadoop

import java.io.InterruptedIOException
import java.nio.file.{NoSuchFileException, Path}
import java.util.concurrent.{Callable, ExecutionException, ExecutorService, Executors}

import scala.collection.JavaConverters._

import com.google.common.util.concurrent.ThreadFactoryBuilder
import org.sparkhpc.file.FileFacts
import org.sparkhpc.request.Requests

/** Asks a file system for the files of a directory. */
private[hadoop] object Listing {

  /** So many files are asked for one after the other. */
  val FewFiles = 64

  private val Threads = 8

  private lazy val pool: ExecutorService = Executors.newFixedThreadPool(
    Threads,
    new ThreadFactoryBuilder().setDaemon(true).setNameFormat("hpc-listing-%d").build()
  )

  /** What is known of each file, in the same order. A file that isn't there any more is left out; another failure is
    * thrown.
    *
    * @param isParallel whether threads ask for several files at once: on a shared file system each answer takes time
    */
  def facts(paths: Array[Path], isParallel: Boolean): Array[(Path, FileFacts)] =
    if (isParallel) inParallel(paths) else paths.flatMap(found)

  private def inParallel(paths: Array[Path]): Array[(Path, FileFacts)] = {
    // Many more parts than threads, so that one slow answer doesn't make all wait.
    val size = math.max(FewFiles / 2, paths.length / (Threads * 8))
    val watcher = Requests.watcher
    val parts = paths.grouped(size).map { part =>
      val ask: Callable[Array[(Path, FileFacts)]] = () => Requests.on(watcher)(part.flatMap(found))
      ask
    }
    try pool.invokeAll(parts.toList.asJava).asScala.flatMap(_.get).toArray
    catch {
      case failure: ExecutionException => throw failure.getCause
      case _: InterruptedException =>
        Thread.currentThread.interrupt()
        throw new InterruptedIOException("the listing was interrupted")
    }
  }

  private def found(path: Path): Option[(Path, FileFacts)] =
    try Some(path -> FileFacts.of(path))
    catch {
      case _: NoSuchFileException => None
      case failure: java.nio.file.FileSystemException => Failures.translated(path)(throw failure)
    }
}
