package org.apache.spark.hpc.weaver

import org.scalatest.funsuite.AnyFunSuite

class PortSuite extends AnyFunSuite {

  private val store = "public class Store { public void put() {} " +
    "public Runnable later() { return () -> System.out.print(1); } }"
  private val maker = "public class Maker { static Object one() { return new Store(); } }"
  private val ours =
    "public class Ours extends Store { public void put() {} public Runnable later() { return null; } }"

  private def port(other: String*)(check: Fixture.Outcome => Unit): Unit =
    Fixture(store, maker)(ours) { fixture =>
      fixture.weave("Maker one new Store Ours 1")
      Fixture(other: _*)() { release =>
        check(Fixture.run(Seq("port", "--patched", fixture.out, "--stock", release.stockJar)))
      }
    }

  test("a release that left our methods alone needs no reading") {
    port(store.replace("class Store {", "class Store {\n int added;"), maker) { outcome =>
      assert(outcome.code == 0 && outcome.out.contains("weaver: 0 of "), outcome)
    }
  }

  test("a changed, a moved and a removed method are named with our relation to them") {
    port(
      store.replace("put() {}", "put() { later(); }"),
      "public class Elsewhere { static Object one() { return new Store(); } }"
    ) { outcome =>
      assert(outcome.code == 1)
      assert(outcome.out.contains("overridden, changed: Store.put()V"))
      assert(outcome.out.contains("woven, gone: Maker.one()Ljava/lang/Object;"))
    }
  }

  test("a method whose lambda changed is changed") {
    port(store.replace("print(1)", "print(2)"), maker) { outcome =>
      assert(
        outcome.out.contains("overridden, changed: Store.later()Ljava/lang/Runnable;"),
        outcome
      )
    }
  }

  test("of a jar of ours that isn't woven, what it calls and overrides is compared, too") {
    val maker = "public class Maker { static Object one() { return new Store(); } }"
    val caller = "public class Caller extends Store { public void put() { later(); Maker.one(); } }"
    Fixture(store, maker)() { base =>
      Fixture(store.replace("put() {}", "put() { later(); }"))() { release =>
        Fixture(store, maker, caller)() { own =>
          val outcome = Fixture.run(
            Seq("port", "--own", own.stockJar, "--from", base.stockJar, "--to", release.stockJar)
          )
          assert(outcome.code == 1, outcome)
          assert(outcome.out.contains("overridden, changed: Store.put()V"), outcome)
          assert(outcome.out.contains("called, gone: Maker.one()Ljava/lang/Object;"), outcome)
          assert(!outcome.out.contains("Store.later()"), outcome)
        }
      }
    }
  }

  test("a jar that isn't patched is refused") {
    Fixture(store)() { fixture =>
      val outcome =
        Fixture.run(Seq("port", "--patched", fixture.stockJar, "--stock", fixture.stockJar))
      assert(outcome.code == 1 && outcome.err.contains("is not patched"))
    }
  }
}
