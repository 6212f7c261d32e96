package org.sparkhpc.tier

import org.scalatest.funsuite.AnyFunSuite

class TierNewsSuite extends AnyFunSuite {

  test("each kind of news of each tier is said once, whoever tells it first") {
    val news = new TierNews
    val full = TierNotice("memory tmpfs", TierNotice.Overflow, "files go on elsewhere")
    assert(news.of(full, "executor 1, n0").exists(said =>
      said.startsWith("files go on elsewhere") && said.contains("executor 1, n0")
    ))
    assert(news.of(full, "executor 2, n1").isEmpty)
    assert(news.of(full.copy(text = "with other figures"), "executor 3, n1").isEmpty)
    assert(news.of(full.copy(event = TierNotice.Slow), "executor 2, n1").nonEmpty)
    assert(news.of(full.copy(tier = "local xfs"), "executor 2, n1").nonEmpty)
  }
}
