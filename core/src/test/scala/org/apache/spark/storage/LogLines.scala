package org.apache.spark.storage

import java.util.concurrent.ConcurrentLinkedQueue

import scala.collection.JavaConverters._

import org.apache.logging.log4j.LogManager
import org.apache.logging.log4j.core.{LogEvent, Logger}
import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.Property

/** What is logged, for a while. */
final class LogLines private
    extends AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
  private val lines = new ConcurrentLinkedQueue[String]

  override def append(event: LogEvent): Unit =
    lines.add(event.getMessage.getFormattedMessage): Unit

  def count(part: String): Int = lines.asScala.count(_.contains(part))
}

object LogLines {

  def during[A](body: LogLines => A): A = {
    val root = LogManager.getRootLogger.asInstanceOf[Logger]
    val lines = new LogLines
    lines.start()
    root.addAppender(lines)
    try body(lines)
    finally root.removeAppender(lines)
  }
}
