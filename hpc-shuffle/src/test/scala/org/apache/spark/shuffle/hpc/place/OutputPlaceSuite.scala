package org.apache.spark.shuffle.hpc.place

import org.apache.spark.storage.BlockManagerId
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class OutputPlaceSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val places = for {
    executor <- Gen.oneOf(Gen.oneOf("driver", "hpc", ""), Gen.numStr, Gen.identifier)
    shuffle <- Gen.chooseNum(0, Int.MaxValue)
    container <- Gen.numStr
    host <- Gen.oneOf("127.0.0.1", "node-17.cluster", "[fe80::1:2]", "hpc")
    port <- Gen.chooseNum(1, 65535)
  } yield OutputPlace(executor, shuffle, container, host, port)

  test("a place comes back from its marker, and from what a fetch sees of it") {
    forAll(places) { place =>
      assert(OutputPlace.of(place.marker) == Some(place))
      assert(OutputPlace.of(place.marker.executorId, place.marker.port) == Some(place))
    }
  }

  test("two places have one marker only if they are one") {
    forAll(places, places) { (one, other) =>
      assert((one.marker == other.marker) == (one == other))
    }
  }

  test("losing a node or an executor never means a marker") {
    forAll(places) { place =>
      assert(place.marker.host != place.host)
      assert(place.marker.executorId != place.executor)
    }
  }

  test("an executor of Spark's is no place") {
    forAll(
      Gen.oneOf(Gen.numStr.suchThat(_.nonEmpty), Gen.const("driver")),
      Gen.chooseNum(1, 65535)
    ) {
      (executor, port) =>
        assert(OutputPlace.of(BlockManagerId(executor, "node-17", port)).isEmpty)
    }
  }
}
