package org.sparkhpc.report

import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.request.{LatencyBucket, RequestKind}

class RequestFiguresSuite extends AnyFunSuite {

  private def of(updates: String*): RequestFigures = {
    val made = new RequestFigures
    updates.foreach(update => made.add(RequestFigures.parse(update)))
    made
  }

  test("requests are told from samples, and from what is no cell") {
    val update = "task/compute=3,open@7=2,open@8=1,read@0=4,unheard of@3=1,open@99=5,open@x=1,junk"
    val figures = of(update)
    assert(RequestKind.all.map(figures.count) == Seq(3, 0, 4, 0, 0, 0))
    assert(Samples.parse(update) == Map("task/compute" -> 3))
  }

  test("the median, the 99th percentile and the longest are those of all tasks") {
    val fast = LatencyBucket.of(300000)
    val slow = LatencyBucket.of(80000000)
    val figures = of(s"open@$fast=98", s"open@$slow=2")
    def near(share: Double, millis: Double): Boolean =
      math.abs(figures.latency(RequestKind.Open, share) / millis - 1) < 0.2
    assert(near(0.5, 0.3) && near(0.98, 0.3) && near(0.99, 80) && near(1, 80))
    assert(figures.latency(RequestKind.Read, 0.5) == 0)
    assert(math.abs(figures.millis / (98 * 0.3 + 2 * 80) - 1) < 0.2)
  }

  test("the table has the driver, the stages that waited longest, and the sum of all of them") {
    def stage(id: Int, cells: (String, Int)*): StageFigures = {
      val made = new StageFigures(StageKey(id, 0))
      made.name = s"stage $id"
      made.add(TaskRow(made.key, "1", TaskOutcome.Succeeded, TaskTimes(), requests = cells.toMap))
      made
    }
    val (driver, nobody) = (new RequestFigures, new RequestFigures)
    driver.add(Map("open@3" -> 7))
    val stages = Seq(stage(0), stage(1, "open@0" -> 1), stage(2, "open@20" -> 5))
    val table = RequestTable.of(stages, driver)
    assert(table.header == Seq("stage", "id", "open"))
    assert(table.rows.map(_.take(2)) == Seq(
      Seq("all", ""),
      Seq("the driver", ""),
      Seq("stage 2", "2"),
      Seq("stage 1", "1")
    ))
    assert(table.rows.map(_.last.takeWhile(_ != ':')) == Seq("13", "7", "5", "1"))
    assert(RequestTable.of(Seq(stage(0)), nobody).rows.isEmpty)
  }
}
