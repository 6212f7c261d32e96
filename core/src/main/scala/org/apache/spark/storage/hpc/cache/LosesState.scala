package org.apache.spark.storage.hpc.cache

import scala.util.control.NoStackTrace

import org.apache.spark.storage.hpc.disk.Causes

/** Ends the serialization of a block of which the serializer would lose something without an error. */
private[storage] final class LosesState(why: String) extends RuntimeException(why) with NoStackTrace

private[storage] object LosesState {

  /** What would be lost, if that is what a failure comes from, however a serializer wrapped it. */
  def in(failure: Throwable): Option[String] =
    Causes.of(failure).collectFirst { case loses: LosesState => loses.getMessage }
}
