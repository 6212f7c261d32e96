package org.apache.spark.hpc.profile

import java.util.concurrent.TimeUnit.{DAYS, MILLISECONDS, SECONDS}

import org.scalatest.funsuite.AnyFunSuite

class FigureReportsSuite extends AnyFunSuite {

  test("the event log keeps fewer than 200 events of an executor of a day") {
    val times =
      Iterator.iterate(0L)(age => age + MILLISECONDS.toNanos(FigureReports.keptMillis(age)))
    assert(times.takeWhile(_ < DAYS.toNanos(1)).size < 200)
    assert(
      FigureReports.keptMillis(0) == 2000 && FigureReports.keptMillis(SECONDS.toNanos(100)) == 5000
    )
  }
}
