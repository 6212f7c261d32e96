package org.sparkhpc.report

import org.scalatest.funsuite.AnyFunSuite

/** What a report says of the cached blocks of each RDD. */
class CachedRddsSuite extends AnyFunSuite {

  test("executors' increments are added up, by RDD, with the names that stages told") {
    val run = new Run()
    run.rdds.seen(3, "ranks")
    run.rdds.seen(7, "never short of memory")
    run.figures("1", 1, Map("rdd.3.written" -> 10.0, "rdd.12.again" -> 2.0, "pool.hits" -> 5.0))
    run.figures("2", 2, Map("rdd.3.written" -> 5.0, "rdd.3.readBack" -> 4.0))
    run.figures("1", 3, Map("rdd.3.readBack" -> 1.0, "rdd.x.again" -> 1.0))
    assert(run.rdds.short == Seq(
      RddFigures(3, "ranks", written = 15, readBack = 5),
      RddFigures(12, again = 2)
    ))
    // The same events are no figures of executors.
    assert(run.history.names("rdd.").isEmpty)
    val shown = Tables.of(run).find(_.title.startsWith("Cached RDDs")).map(_.rows)
    assert(shown == Some(Seq(
      Seq("ranks", "3", "15 B", "5 B", "0"),
      Seq("", "12", "0 B", "0 B", "2")
    )))
  }

  test("of too many RDDs the oldest are forgotten") {
    val rdds = new CachedRdds(most = 2)
    for (id <- 1 to 3) {
      rdds.seen(id, s"$id")
      rdds.add(Map(s"rdd.$id.written" -> 1.0))
    }
    assert(rdds.short.map(_.id) == Seq(2, 3))
  }

  test("an RDD's name is what the program gave it, and where it was made") {
    assert(CachedRdds.name("ranks", "map at Ranks.scala:12") == "ranks, map at Ranks.scala:12")
    assert(CachedRdds.name("EdgeRDD, EdgeRDD", "map at E.scala:1") == "EdgeRDD, map at E.scala:1")
    assert(CachedRdds.name("", "map at Ranks.scala:12") == "map at Ranks.scala:12")
  }
}
