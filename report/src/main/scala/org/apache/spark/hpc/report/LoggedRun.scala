package org.apache.spark.hpc.report

import java.io.{BufferedReader, InputStream, InputStreamReader}
import java.nio.charset.StandardCharsets.UTF_8

import org.apache.hadoop.fs.{FileSystem, Path}

import org.apache.spark.{SparkConf, SparkIllegalArgumentException}
import org.apache.spark.deploy.SparkHadoopUtil
import org.apache.spark.deploy.history.EventLogFileReader
import org.apache.spark.util.Utils
import org.sparkhpc.report.{EventReader, Run}

/** Finds the event log of an application, and reads it: a file or a directory of rolled files, compressed or not, of an
  * application that has ended, still runs, or was killed.
  */
private[report] object LoggedRun {

  /** @param log the path of an event log, or the id of an application whose log is in `directory`
    * @throws LogRefused if there is no such log, or it has no events
    */
  def read(log: String, directory: Option[String]): Run = {
    val conf = SparkHadoopUtil.get.newConfiguration(new SparkConf)
    val places =
      new Path(log) +: directory.map(in => new Path(in, s"{,eventlog_v2_}$log{,.*,_*}")).toSeq
    val found = for {
      place <- places.iterator
      fs = place.getFileSystem(conf)
      // Of several attempts of an application, the last one.
      status <- Option(fs.globStatus(place)).toSeq.flatten.sortBy(-_.getModificationTime)
      reader <- EventLogFileReader(fs, status)
    } yield (fs, reader)
    if (!found.hasNext)
      throw new LogRefused(
        s"no event log at ${(log +: directory.map(in => s"$in/$log").toSeq).mkString(" or ")}: " +
          "give its path, or set event.log to the directory of logs"
      )
    val (fs, reader) = found.next()
    val run = new Run
    val events = new EventReader(run)
    reader.listEventLogFiles.foreach(file => lines(fs, file.getPath)(events.add))
    if (run.stages.isEmpty && run.started.isEmpty)
      throw new LogRefused(
        s"${reader.rootPath} has no events of an application: give the path of an event log"
      )
    run
  }

  private def lines(fs: FileSystem, file: Path)(use: String => Unit): Unit =
    Utils.tryWithResource(
      new BufferedReader(
        new InputStreamReader(open(fs, file), UTF_8),
        BufferBytes
      )
    ) { reader =>
      Iterator.continually(reader.readLine()).takeWhile(_ != null).foreach(use)
    }

  private def open(fs: FileSystem, file: Path): InputStream =
    try EventLogFileReader.openEventLog(file, fs)
    catch {
      // Spark takes the end of the name for a codec. This name is not Spark's.
      case _: SparkIllegalArgumentException => fs.open(file)
    }

  private val BufferBytes = 1 << 20
}

/** An event log can't be read; the message says what to do. */
private[report] final class LogRefused(message: String) extends RuntimeException(message)
