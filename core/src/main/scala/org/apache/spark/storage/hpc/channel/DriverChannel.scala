package org.apache.spark.storage.hpc.channel

import java.util.concurrent.CopyOnWriteArrayList

import scala.collection.JavaConverters._
import scala.reflect.ClassTag

/** Receives and answers executors' messages on the driver. Each feature registers the class of messages that it
  * handles; executors send messages through their plug-in context. All methods are thread-safe.
  */
private[spark] final class DriverChannel {
  private val answers = new CopyOnWriteArrayList[PartialFunction[Any, AnyRef]]

  /** Registers the handler of messages of class `M`; its answer is sent to the executor that asked. */
  def onAsk[M](answer: M => Any)(implicit kind: ClassTag[M]): Unit =
    answers.add { case kind(message) => answer(message).asInstanceOf[AnyRef] }: Unit

  /** Registers the handler of messages of class `M` that have no answer. */
  def onTell[M: ClassTag](hear: M => Unit): Unit = onAsk[M] { message =>
    hear(message)
    null
  }

  /** The answer to a message.
    *
    * @throws IllegalArgumentException if no feature registered its class
    */
  def receive(message: Any): AnyRef =
    answers.asScala.find(_.isDefinedAt(message)).getOrElse {
      throw new IllegalArgumentException(s"No part of Spark-HPC on the driver understands $message")
    }(message)
}
