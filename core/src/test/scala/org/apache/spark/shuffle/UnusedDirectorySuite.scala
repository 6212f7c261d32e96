package org.apache.spark.shuffle

import org.apache.spark.storage.{LogLines, Scratchful}
import org.scalatest.funsuite.AnyFunSuite

class UnusedDirectorySuite extends AnyFunSuite with Scratchful {

  private def warnings(settings: (String, String)*): Int = LogLines.during { log =>
    withoutList(settings: _*)(_ => ())
    log.count(
      "spark.hpc.shuffle.directory isn't used, since spark.hpc.shuffle.placement isn't global"
    )
  }

  test("a shared directory without the placement that uses it is warned of") {
    below { folder =>
      assert(warnings("spark.hpc.shuffle.directory" -> folder.toString) == 1)
      assert(warnings() == 0)
    }
  }
}
