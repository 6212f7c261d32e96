package org.apache.spark.storage.hpc.scratch

import java.io.{Closeable, File, IOException}
import java.util.concurrent.{
  Callable,
  ConcurrentHashMap,
  ExecutionException,
  TimeUnit,
  TimeoutException
}

import org.apache.spark.internal.Logging
import org.apache.spark.storage.hpc.channel.DriverChannel
import org.apache.spark.util.ThreadUtils
import org.sparkhpc.probe.{ProbeFile, ProbeJury, ProbeRounds}
import org.sparkhpc.tier.{Coherence, Coherences}

/** The driver's part of [[CoherenceProbe]]: its side of each measurement, and what executors are told.
  *
  * @param directories the driver's directories on shared file systems
  */
private[storage] final class CoherenceJuries(directories: Seq[File], coherences: Coherences)
    extends Logging {
  import CoherenceJuries._
  import CoherenceMessages._

  private val juries = (for {
    directory <- directories
    client <- coherences.of(directory).client
  } yield directory.getPath -> new ProbeJury(client)).toMap

  private val sides = new ConcurrentHashMap[(String, String), Side]
  // It ends when it has had nothing to do for a minute.
  private val thread = ThreadUtils.newDaemonCachedThreadPool("hpc-coherence", 1)
  @volatile private var isHung = false

  /** The directories whose file systems executors may measure. */
  def measured: Seq[String] = juries.keys.toSeq

  def register(channel: DriverChannel): Unit = {
    channel.onAsk[Question](asked => juries(asked.directory).ask(asked.client))
    channel.onAsk[Begun](begun => inTime(begin(begun)))
    channel.onAsk[Round](its => inTime(sides.get((its.directory, its.client)).sees(its.round)))
    channel.onAsk[Ended](end)
  }

  private def begin(begun: Begun): Option[Named] = {
    val theirs = begun.file.open(begun.directory)
    val own = if (theirs.sees(0)) Some(create(begun.directory)) else None
    for (file <- own) sides.put((begun.directory, begun.client), new Side(file, theirs)): Unit
    if (own.isEmpty) theirs.close()
    own.map(named)
  }

  private def end(ended: Ended): Unit = {
    val isNews = juries(ended.directory).hear(ended.client, ended.outcome)
    val directory = new File(ended.directory)
    val fileSystem = coherences.of(directory)
    val what = s"$fileSystem, ${directory.getParent}: ${ended.where} and the driver"
    ended.outcome match {
      case ProbeRounds.Seen if isNews => logInfo(s"$what see at once what the other writes")
      case ProbeRounds.Unseen(round) if isNews =>
        val found =
          s"$what don't see at once what the other writes (round $round), so map outputs " +
            "there are synchronized before they are reported"
        if (fileSystem.coherence == Coherence.Guaranteed)
          logWarning(s"$found. On this type of file system they should: ask for its mount options")
        else logInfo(found)
      case ProbeRounds.Unclear(why) => logInfo(s"$what couldn't measure its coherence: $why")
      case _ =>
    }
    Option(sides.remove((ended.directory, ended.client))).foreach(side => inTime(side.close()))
  }

  /** Works with files. If the file system hangs, executors must still be answered. */
  private def inTime[A](work: => A): A = {
    if (isHung) throw new IOException("the driver's file system doesn't answer")
    val task = thread.submit((() => work): Callable[A])
    try task.get(LongestSeconds, TimeUnit.SECONDS)
    catch {
      case failed: ExecutionException => throw failed.getCause
      case late: TimeoutException =>
        isHung = true
        throw late
    }
  }
}

private object CoherenceJuries {
  private val LongestSeconds = 5L

  /** The driver's side of one measurement. */
  private final class Side(own: ProbeFile, theirs: ProbeFile.Reader) extends Closeable {

    def sees(round: Int): Boolean = {
      val isSeen = theirs.sees(round)
      own.write(round)
      isSeen
    }

    override def close(): Unit = {
      theirs.close()
      own.close()
    }
  }
}
