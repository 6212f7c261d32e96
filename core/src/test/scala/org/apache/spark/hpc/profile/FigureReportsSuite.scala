package org.apache.spark.hpc.profile

import java.util.concurrent.TimeoutException
import java.util.concurrent.TimeUnit.{DAYS, MILLISECONDS, SECONDS}

import org.scalatest.funsuite.AnyFunSuite

class FigureReportsSuite extends AnyFunSuite {

  /** The ages at which an executor sends an event, for a day. */
  private def ages(pause: Long => Long): Seq[Long] =
    Iterator.iterate(0L)(age => age + MILLISECONDS.toNanos(pause(age)))
      .takeWhile(_ < DAYS.toNanos(1)).toSeq

  test("the event log keeps fewer than 200 events of an executor of a day") {
    assert(ages(FigureReports.keptMillis(_, 1)).size < 200)
    assert(FigureReports.keptMillis(0, 1) == 2000)
    assert(FigureReports.keptMillis(SECONDS.toNanos(100), 1) == 5000)
  }

  test("the driver gets at most 50 events a second, however many executors there are") {
    for (executors <- Seq(1, 100, 1000, 10000, 100000)) {
      val pauses =
        ages(FigureReports.pauseMillis(_, executors)).map(FigureReports.pauseMillis(_, executors))
      assert(pauses.forall(pause => executors * 1000L <= 50 * pause), executors)
    }
    // A few executors are seen each 15 seconds.
    assert(ages(FigureReports.pauseMillis(_, 10)).sliding(2).forall {
      case Seq(one, next) => next - one <= SECONDS.toNanos(15)
    })
  }

  test("each time that the driver has no answer, pauses double, within a bound") {
    def none: Int = throw new TimeoutException("the driver is busy")
    assert(FigureReports.answered(7)(100) == 100)
    val counts = Iterator.iterate(0)(FigureReports.answered(_)(none)).take(40).toSeq
    assert(counts.take(5) == Seq(0, 2, 4, 8, 16) && counts.last == (1 << 20))
    assertThrows[InterruptedException](FigureReports.answered(1)(throw new InterruptedException))
  }
}
