package org.apache.spark.hpc.weaver

import java.nio.file.{Files, Paths}

import org.scalatest.funsuite.AnyFunSuite

/** Each refusal ends with exit code 1, one message that says what to mend, and no jar. */
class RefusalSuite extends AnyFunSuite {

  private val store =
    "public class Store { public Store(int n) {} public void put() {} private void own() { own(); } }"
  private val maker =
    "public class Maker { static Object one() { return new Store(1); } static void put(Store s) { s.put(); } }"
  private val ours =
    "public class Ours extends Store { public Ours(int n) { super(n); } public static void put(Store s) {} }"
  private val New = "Maker one new Store Ours 1"

  private def refused(stock: String*)(own: String*)(lines: String*)(message: String): Unit =
    Fixture(stock: _*)(own: _*) { fixture =>
      val outcome = fixture.weave(lines: _*)
      assert(outcome.code == 1, outcome.out)
      assert(
        outcome.err.startsWith("weaver: refused: ") && outcome.err.contains(message),
        outcome.err
      )
      assert(!Files.exists(fixture.out))
    }

  test("fewer or more places than the line says") {
    refused(store, maker)(ours)("Maker one new Store Ours 2")("Maker.one: 1 places match")
    val two = "public class Maker { static Object one() { new Store(1); return new Store(2); } }"
    refused(store, two)(ours)(New)("Maker.one: 2 places match")
    refused(store, maker)(ours)("Maker gone new Store Ours 1", New)("Maker.gone: 0 places match")
    refused(store, maker)(ours)("Maker gone prologue - Ours#put 1")("Maker.gone: 0 places match")
  }

  test("a class that isn't in the jar") {
    refused(store, maker)(ours)("Gone one new Store Ours 1", New)("stock.jar has no class Gone")
  }

  test("a place that the list forgot: construction, call, lambda, subclass, reflection") {
    def forgotten(other: String)(message: String): Unit =
      refused(store, maker, other)(ours)(New)(message)
    forgotten("public class Other { Object x = new Store(2); }")("Other.<init>()V constructs Store")
    forgotten("public class Other { java.util.function.IntFunction<Store> f = Store::new; }")(
      "Other.<init>()V holds a method handle that constructs Store"
    )
    forgotten("public class Other extends Store { Other() { super(1); } }")("Other extends Store")
    forgotten("public class Other { String s = \"Store\"; }")(
      "Other.<init>()V names Store in a string"
    )
    val call = "Maker put call Store#put()V Ours#put 1"
    refused(store, maker, "public class Other { void x(Store s) { s.put(); } }")(ours)(call)(
      "Other.x(LStore;)V calls Store#put()V"
    )
    refused(store, maker, "public class Other { Runnable x(Store s) { return s::put; } }")(ours)(
      call
    )("holds a method handle of Store#put()V")
  }

  test("a place that uses a JDK class is forgotten only in a class that the list names") {
    val reader =
      "public class Reader { public static Object one() { return new java.util.Random(1L); } " +
        "public static Object two() { return new java.util.Random(2L); } }"
    val another =
      "public class Another { public static Object one() { return new java.util.Random(3L); } }"
    val random = "public class Ours extends java.util.Random { public Ours(long n) { super(n); } }"
    val one = "Reader one new java.util.Random Ours 1"
    refused(reader, another)(random)(one)(
      "Reader.two()Ljava/lang/Object; constructs java.util.Random"
    )
    Fixture(reader, another)(random) { fixture =>
      val outcome = fixture.weave(one, "Reader two new java.util.Random - 1")
      assert(outcome.code == 0, outcome.err)
      assert(fixture.call("Reader", "one").getClass.getName == "Ours")
      assert(fixture.call("Reader", "two").getClass.getName == "java.util.Random")
      assert(fixture.call("Another", "one").getClass.getName == "java.util.Random")
    }
  }

  test("settings may be copied anywhere, and are looked for only in a class that the list names") {
    val settings = "package org.apache.spark; public class SparkConf { " +
      "public SparkConf copy() { return this; } }"
    val copy = "org.apache.spark.SparkConf"
    val context =
      s"public class Context { public static Object one() { return new $copy().copy(); } " +
        s"public static Object two() { return new $copy().copy(); } }"
    val another =
      s"public class Another { public static Object one() { return new $copy().copy(); } }"
    val ours = s"public class Ours { public static $copy of($copy users) { return null; } }"
    val target = s"call $copy#copy()L${copy.replace('.', '/')};"
    val one = s"Context one $target Ours#of 1"
    refused(settings, context, another)(ours)(one)(
      s"Context.two()Ljava/lang/Object; calls $copy#copy()"
    )
    Fixture(settings, context, another)(ours) { fixture =>
      val outcome = fixture.weave(one, s"Context two $target - 1")
      assert(outcome.code == 0, outcome.err)
      assert(fixture.call("Context", "one") == null)
      assert(fixture.call("Context", "two") != null && fixture.call("Another", "one") != null)
    }
  }

  test(
    "a replacement that isn't ours, extends something else, is abstract or lacks the constructor"
  ) {
    def replacement(source: String)(message: String): Unit =
      refused(store, maker)(source)(New)(message)
    replacement("public class Another {}")("Ours is not among our classes")
    replacement("public class Ours { public Ours(int n) {} }")("Ours does not extend Store")
    replacement("public abstract class Ours extends Store { public Ours(int n) { super(n); } }")(
      "Ours is abstract"
    )
    replacement("public class Ours extends Store { public Ours() { super(1); } }")(
      "Ours has no public constructor (I)V, which Maker.one calls"
    )
    replacement("public class Ours extends Store { protected Ours(int n) { super(n); } }")(
      "Ours has no public constructor (I)V"
    )
  }

  test("a call's replacement that is missing, not static or of another shape") {
    def replacement(method: String)(message: String): Unit =
      refused(store, maker)(s"public class Ours { $method }")(
        "Maker put call Store#put()V Ours#put 1"
      )(message)
    replacement("")(
      "Ours#put is no public static method with descriptor (LStore;)V, which Maker.put needs"
    )
    replacement("public void put(Store s) {}")("no public static method")
    replacement("public static void put() {}")("no public static method")
    replacement("static void put(Store s) {}")("no public static method")
  }

  test("a super(...) call, which cannot construct another class") {
    val child = "public class Maker extends Store { public Maker() { super(1); new Store(2); } }"
    Fixture(store, child)(ours) { fixture =>
      val weaver = new ClassWeaver(
        java.util.Arrays.asList(Site.parse("Maker <init> new Store Ours 1")),
        Replacements.CHECKED_AT_BUILD
      )
      val refusal =
        intercept[WeaveException](weaver.weave(Entries.ofJar(fixture.stockJar).get("Maker.class")))
      assert(refusal.getMessage.contains("1 allocations but 2 constructor calls of Store"))
    }
  }

  test("a private or super method, for which a static method cannot stand in") {
    refused(store)("public class Ours { public static void own(Store s) {} }")(
      "Store own call Store#own()V Ours#own 1"
    )("as a super or private method")
  }

  test("a prologue before a constructor or where there is no body") {
    val shape = "public abstract class Shape { public abstract void draw(); }"
    refused(shape)("public class Ours { public static boolean draw(Shape s) { return true; } }")(
      "Shape draw prologue - Ours#draw 1"
    )("Shape.draw has no body")
    refused(store)(ours)("Store <init> prologue - Ours#put 1")("cannot stand before a constructor")
    refused(shape.replace("abstract void draw();", "void draw() {}"))(
      "public class Ours { public static void draw(Shape s) {} }"
    )("Shape draw prologue - Ours#draw 1")(
      "Ours#draw is no public static method with descriptor (LShape;)Z"
    )
  }

  test("a class of ours that would shadow one of Spark's") {
    refused(store, maker)(ours, maker)(New)("our Maker.class would shadow the one in stock.jar")
  }

  test("a jar that was woven from other inputs") {
    Fixture(store, maker)(ours) { fixture =>
      assert(fixture.weave(New).code == 0)
      val again = fixture.weaveJar(
        fixture.out,
        fixture.stockJar.resolveSibling("again.jar"),
        New,
        "Maker put call Store#put()V Ours#put 1"
      )
      assert(again.code == 1)
      assert(again.err.contains(
        "was woven already, by version [test-1] from other inputs: give the stock jar"
      ))
    }
  }

  test("a stock jar that is none leaves an earlier output as it was") {
    Fixture(store, maker)(ours) { fixture =>
      assert(fixture.weave(New).code == 0)
      val before = Files.readAllBytes(fixture.out).toSeq
      val broken = Files.write(fixture.stockJar.resolveSibling("broken.jar"), "no jar".getBytes)
      val outcome = fixture.weaveJar(broken, fixture.out, New)
      assert(
        outcome.code == 1 && outcome.err.contains("broken.jar is not a jar, or is empty"),
        outcome.err
      )
      assert(Files.readAllBytes(fixture.out).toSeq == before)
      assert(fixture.weaveJar(Paths.get("gone.jar"), fixture.out, New).err.contains(
        "weaver: cannot read or write: java.nio.file.NoSuchFileException: gone.jar"
      ))
    }
  }

  test("a command line that cannot be understood ends with exit code 2 and the usage") {
    for (
      (words, message) <- Seq(
        Seq("wave") -> "no such command: wave",
        Seq("weave", "--out") -> "--out needs a value",
        Seq("weave") -> "--sites is missing",
        Nil -> "no such command"
      )
    ) {
      val outcome = Fixture.run(words)
      assert(
        outcome.code == 2 && outcome.err.contains(message) && outcome.err.contains("usage: "),
        outcome.err
      )
    }
  }
}
