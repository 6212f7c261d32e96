package org.apache.spark.hpc.weaver

import java.net.URLClassLoader
import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import org.scalatest.funsuite.AnyFunSuite

/** Tests jars woven with a patched jar's own list; the JVM verifies each class as it is loaded. */
class TestsWeaverSuite extends AnyFunSuite {

  private val store = "public class Store { final int n; public Store(int n) { this.n = n; } " +
    "public String name() { return \"stock\" + n; } public String end() { return \"end\"; } }"
  private val maker = "public class Maker { public static Object make() { return new Store(0); } }"
  private val ours = "public class Ours extends Store { public Ours(int n) { super(n); } " +
    "public String name() { return \"ours\" + n; } }"
  private val New = "Maker make new Store Ours 1"

  private val twice =
    "public class TwiceSuite { public static Object run() { return new Store(1).name() + other(); } " +
      "static String other() { return new Store(2).name(); } }"

  private def inTests(own: String, sites: String*)(tests: String*)(check: Tests => Unit): Unit =
    Fixture(store, maker)(own) { fixture =>
      val patched = fixture.weave(sites: _*)
      assert(patched.code == 0, patched.err)
      check(new Tests(fixture, fixture.compileTests(tests)))
    }

  private final class Tests(fixture: Fixture, jar: Path) {
    val overlay: Path = jar.resolveSibling("overlay")

    def weave(): Fixture.Outcome =
      Fixture.run(Seq("weave-tests", "--patched", fixture.out, "--out", overlay, jar))

    def run(suite: String): AnyRef = {
      val classPath = Array(overlay.toUri.toURL, jar.toUri.toURL, fixture.out.toUri.toURL)
      val loader = new URLClassLoader(classPath, null)
      try loader.loadClass(suite).getMethod("run").invoke(null)
      finally loader.close()
    }

    def report: Seq[String] = Files.readAllLines(overlay.resolve(TestsWeaver.REPORT)).asScala

    def refused(message: String): Unit = {
      val outcome = weave()
      assert(outcome.code == 1 && outcome.err.contains(message), outcome)
      assert(!Files.exists(overlay))
    }
  }

  test("every construction in a test is re-pointed, and counted by suite") {
    inTests(ours, New)(twice, "public class OtherSuite { }") { tests =>
      val outcome = tests.weave()
      assert(outcome.code == 0, outcome.err)
      assert(outcome.out.contains("weaver: TwiceSuite: 2 places"))
      assert(outcome.out.contains("2 constructions re-pointed, 0 subclasses re-parented"))
      assert(outcome.out.contains("1 of 2 test classes changed"))
      assert(tests.run("TwiceSuite") == "ours1ours2")
      assert(tests.report == Seq(
        "site TwiceSuite run()Ljava/lang/Object; new Store Ours 1",
        "site TwiceSuite other()Ljava/lang/String; new Store Ours 1",
        "suite TwiceSuite 2"
      ))
    }
  }

  test("only the changed classes are in the overlay") {
    inTests(ours, New)(twice, "public class OtherSuite { }") { tests =>
      tests.weave()
      assert(tests.overlay.toFile.list().toSet == Set("META-INF", "TwiceSuite.class"))
    }
  }

  test("a test's own subclass extends ours, and super calls reach it") {
    val anonymous = "public class AnonymousSuite { public static Object run() { " +
      "return new Store(3) { public String name() { return \"test+\" + super.name(); } }.name(); } }"
    inTests(ours, New)(anonymous) { tests =>
      val outcome = tests.weave()
      assert(outcome.code == 0, outcome.err)
      assert(outcome.out.contains("1 subclasses re-parented"))
      assert(tests.run("AnonymousSuite") == "test+ours3")
      assert(tests.report == Seq("subclass AnonymousSuite$1", "suite AnonymousSuite 1"))
    }
  }

  test("a subclass that constructs the target while it calls super is re-pointed in both") {
    val nested = "public class NestedSuite extends Store { final Store inner = new Store(8); " +
      "public NestedSuite() { super(new Store(7).name().length()); } " +
      "public static Object run() { NestedSuite s = new NestedSuite(); return s.name() + s.inner.name(); } }"
    inTests(ours, New)(nested) { tests =>
      val outcome = tests.weave()
      assert(outcome.code == 0, outcome.err)
      assert(tests.run("NestedSuite") == "ours5ours8")
      assert(tests.report.last == "suite NestedSuite 3")
    }
  }

  test("a suite counts the places of the class that it extends") {
    val base = "public abstract class Base { Store make() { return new Store(4); } }"
    val heir =
      "public class HeirSuite extends Base { public static Object run() { return new HeirSuite().make().name(); } }"
    inTests(ours, New)(base, heir) { tests =>
      tests.weave()
      assert(tests.run("HeirSuite") == "ours4")
      assert(tests.report.filter(_.startsWith("suite")) == Seq("suite HeirSuite 1"))
    }
  }

  test("a method handle that constructs a target is refused") {
    val handle = "public class HandleSuite { public static Object run() { " +
      "java.util.function.IntFunction<Store> f = Store::new; return f.apply(5).name(); } }"
    inTests(ours, New)(handle)(
      _.refused("HandleSuite.run()Ljava/lang/Object; holds a method handle")
    )
  }

  test("a subclass that overrides what is final in ours is refused") {
    val last = ours.replace("public String name", "public final String name")
    val anonymous =
      "public class FinalSuite { Store s = new Store(6) { public String name() { return \"test\"; } }; }"
    inTests(last, New)(anonymous)(
      _.refused("FinalSuite$1 overrides name()Ljava/lang/String;, which is final in Ours")
    )
  }

  test("a target that becomes two of ours is refused") {
    val other = "public class Twin { public static Object make() { return new Store(9); } }"
    val second = "public class Second extends Store { public Second(int n) { super(n); } }"
    Fixture(store, maker, other)(ours, second) { fixture =>
      assert(fixture.weave(New, "Twin make new Store Second 1").code == 0)
      new Tests(fixture, fixture.compileTests(Seq(twice)))
        .refused("Store becomes Ours at one site and Second at another")
    }
  }

  test("a test that constructs a class of the JDK keeps it") {
    val reader = "public class Reader { static Object one() { return new java.util.Random(1L); } }"
    val random = "public class Mine extends java.util.Random { public Mine(long n) { super(n); } }"
    val both = "public class BothSuite { public static Object run() { " +
      "return new Store(1).name() + new java.util.Random(2L).getClass().getName(); } }"
    Fixture(store, maker, reader)(ours, random) { fixture =>
      val patched = fixture.weave(New, "Reader one new java.util.Random Mine 1")
      assert(patched.code == 0, patched.err)
      val tests = new Tests(fixture, fixture.compileTests(Seq(both)))
      assert(tests.weave().code == 0)
      assert(tests.run("BothSuite") == "ours1java.util.Random")
    }
  }

  private val conf =
    "package org.apache.spark; public class SparkConf { public final boolean loads; " +
      "public SparkConf(boolean loads) { this.loads = loads; } }"
  private val closed =
    "package org.apache.spark; public class ClosedSuite { public static Object run() { " +
      "return new SparkConf(System.nanoTime() == 0).loads + \" \" + new SparkConf(true).loads; } }"

  test("on demand a SparkConf that loads no settings loads them, without any patched jar") {
    Fixture(conf)() { fixture =>
      val jar = fixture.compileTests(Seq(closed))
      val overlay = jar.resolveSibling("overlay")
      val outcome =
        Fixture.run(Seq("weave-tests", "--settings", "reach", "--out", overlay, jar))
      assert(outcome.code == 0, outcome.err)
      assert(outcome.out.contains("settings reach 1 test classes that shut them off"))
      val classPath = Array(overlay, jar, fixture.stockJar).map(_.toUri.toURL)
      val loader = new URLClassLoader(classPath, null)
      try {
        val suite = loader.loadClass("org.apache.spark.ClosedSuite")
        assert(suite.getMethod("run").invoke(null) == "true true")
      } finally loader.close()
      val report = Files.readAllLines(overlay.resolve(TestsWeaver.REPORT)).asScala
      assert(report == Seq("settings org.apache.spark.ClosedSuite 2"))
    }
  }

  test("neither sites nor settings to change is a mistake on the command line") {
    Fixture(store)() { fixture =>
      val arguments = Seq("--out", fixture.out.resolveSibling("overlay"), fixture.stockJar)
      assert(Fixture.run("weave-tests" +: arguments).code == 2)
    }
  }

  test("a jar that isn't patched, and an overlay that isn't empty, are refused") {
    inTests(ours, New)(twice) { tests =>
      tests.weave()
      val again = tests.weave()
      assert(again.code == 1 && again.err.contains("isn't empty"), again)
    }
    Fixture(store, maker)(ours) { fixture =>
      val arguments =
        Seq("--patched", fixture.stockJar, "--out", fixture.out.resolveSibling("overlay"))
      val outcome = Fixture.run("weave-tests" +: arguments :+ fixture.stockJar)
      assert(outcome.code == 1 && outcome.err.contains("it isn't a patched jar"), outcome)
    }
  }
}
