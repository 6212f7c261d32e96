package org.apache.spark.storage.hpc.cache

import scala.util.control.NoStackTrace

import org.apache.spark.storage.hpc.disk.Causes

/** Thrown to end the serialization of a block when the serializer would silently lose a part of an element. */
private[storage] final class LosesState(why: String) extends RuntimeException(why) with NoStackTrace

private[storage] object LosesState {

  /** What would be lost, if a [[LosesState]] is the cause of the failure, even if a serializer wrapped it. */
  def in(failure: Throwable): Option[String] =
    Causes.of(failure).collectFirst { case loses: LosesState => loses.getMessage }
}
