package org.sparkhpc.probe

import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.probe.ProbeJury._
import org.sparkhpc.probe.ProbeRounds.{Outcome, Seen, Unclear, Unseen}

class ProbeJurySuite extends AnyFunSuite {
  private var now = 0L
  private def jury(): ProbeJury = new ProbeJury("driver's", () => now)

  private def heard(outcomes: Outcome*): ProbeJury = {
    val its = jury()
    val clients = outcomes.indices.map(n => s"client $n")
    assert(clients.forall(its.ask(_) == Measure))
    for ((client, outcome) <- clients.zip(outcomes)) its.hear(client, outcome)
    its
  }

  test("the driver's own client never measures, whoever uses it") {
    val its = jury()
    assert(Seq.fill(20)(its.ask("driver's")).forall(_ == Wait))
  }

  test("one client that sees nothing outweighs all others, in any order") {
    for (outcomes <- Seq(Seen, Seen, Unseen(3)).permutations)
      assert(heard(outcomes: _*).ask("another") == Told(sawAtOnce = false))
  }

  test("nothing good is told before all that measure have ended") {
    val its = jury()
    assert(its.ask("one") == Measure && its.ask("two") == Measure)
    its.hear("one", Seen)
    assert(its.ask("three") == Wait && its.ask("driver's") == Wait)
    its.hear("two", Seen)
    assert(Seq("one", "three", "driver's").forall(its.ask(_) == Told(sawAtOnce = true)))
  }

  test("an unclear outcome decides nothing, and its client or another one measures") {
    val its = jury()
    assert(its.ask("one") == Measure && its.ask("one") == Wait)
    assert(!its.hear("one", Unclear("as told")))
    assert(its.ask("one") == Measure && its.ask("two") == Measure)
    assert(!its.hear("one", Unclear("as told")))
    assert(its.hear("two", Seen))
    assert(its.ask("one") == Told(sawAtOnce = true))
  }

  test("a client that is lost while it measures is waited for for a while") {
    val its = jury()
    assert(its.ask("lost") == Measure && its.ask("other") == Measure)
    its.hear("other", Seen)
    assert(its.ask("third") == Wait)
    now += LongestNanos + 1
    assert(its.ask("third") == Told(sawAtOnce = true))
    // It wasn't lost.
    assert(its.hear("lost", Unseen(1)))
    assert(its.ask("third") == Told(sawAtOnce = false))
  }

  test("of ten thousand clients a few measure, a few of them at a time") {
    val its = jury()
    val clients = (1 to 10000).map(_.toString)
    var begun = 0
    for (_ <- 1 to 5) {
      val measuring = clients.filter(its.ask(_) == Measure)
      assert(measuring.size <= MostAtOnce)
      begun += measuring.size
      measuring.foreach(its.hear(_, Unclear("as told")))
    }
    assert(begun == Most)
  }
}
