package org.apache.spark.storage.hpc.scratch

import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.tier.TierNotice

class TierNoticesSuite extends AnyFunSuite {

  test("who listens is told what came before as well, once") {
    val notices = new TierNotices
    def notice(text: String): TierNotice = TierNotice("memory tmpfs", TierNotice.Overflow, text)
    notices.tell(notice("before"))
    var told = Seq.empty[String]
    notices.listen(its => told :+= its.text)
    notices.tell(notice("after"))
    assert(told == Seq("before", "after"))
  }
}
