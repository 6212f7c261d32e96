package org.apache.spark.hpc.weaver

import org.scalatest.funsuite.AnyFunSuite

/** What a patched class does when it runs; the JVM verifies each as it is loaded. */
class WeaveSuite extends AnyFunSuite {

  private val store = "public class Store { public String name() { return \"stock\"; } " +
    "public static int size(int a, long b) { return 1; } public int own(double d, String s) { return 2; } }"

  test("new: our subclass is constructed, arguments and all, where the target was") {
    Fixture(
      "public class Base { final String s; public Base(String s, long n) { this.s = s + n; } public String toString() { return s; } }",
      "public class Maker { public static String make() { try { Base b = Math.random() > 2 ? null : new Base(\"x\", 7L); return b.toString(); } finally { new Object(); } } }"
    )(
      "public class Ours extends Base { public Ours(String s, long n) { super(s, n); } public String toString() { return \"ours:\" + super.toString(); } }"
    ) {
      fixture =>
        val outcome = fixture.weave("Maker make new Base Ours 1")
        assert(outcome.code == 0, outcome.err)
        assert(outcome.out.contains("weaver: Maker.make: new Base -> Ours (1)"))
        assert(fixture.call("Maker", "make") == "ours:x7")
    }
  }

  test("call: a virtual, an interface and a static method are replaced by ours, receiver first") {
    Fixture(
      store,
      "public class User { public static String run() { java.util.List<String> l = new java.util.ArrayList<>(); " +
        "return new Store().name() + Store.size(3, 4L) + new Store().own(1.5, \"s\") + l.size(); } }"
    )(
      "public class Ours { public static String name(Store s) { return s.name() + \"+ours\"; } " +
        "public static int size(int a, long b) { return (int) (a * b); } " +
        "public static int own(Store s, double d, String t) { return 99; } " +
        "public static int listSize(java.util.List<?> l) { return -1; } }"
    ) { fixture =>
      val outcome = fixture.weave(
        "User run call Store#name()Ljava/lang/String; Ours#name 1",
        "User run call Store#size(IJ)I Ours#size 1",
        "User run call Store#own(DLjava/lang/String;)I Ours#own 1",
        "User run call java.util.List#size()I Ours#listSize 1"
      )
      assert(outcome.code == 0, outcome.err)
      assert(fixture.call("User", "run") == "stock+ours1299-1")
    }
  }

  test("prologue: the hook's answer is the method's, or it declines and Spark's body runs") {
    Fixture(
      "public class Body { static int ran; " +
        "public void nothing(int n) { while (n-- > 0) ran++; } " +
        "public String text(String s) { return \"stock \" + s; } " +
        "public static long sum(long a, int b) { return a + b; } " +
        "public char letter() { return 'a'; } public boolean yes() { return true; } public int one() { return 1; } " +
        "public static String run() { Body b = new Body(); b.nothing(5); b.nothing(-5); " +
        "return b.text(\"1\") + b.text(\"2\") + sum(1, 2) + sum(-1, 2) + b.letter() + b.yes() + b.one() + ran; } }"
    )(
      "public class Hook { " +
        "public static boolean nothing(Body b, int n) { return n < 0; } " +
        "public static String text(Body b, String s) { return s.equals(\"2\") ? \" ours\" : null; } " +
        "public static Long sum(long a, int b) { return a < 0 ? Long.valueOf(1000) : null; } " +
        "public static Character letter(Body b) { return 'z'; } " +
        "public static Boolean yes(Body b) { return false; } public static Integer one(Body b) { return null; } }"
    ) { fixture =>
      val methods = Seq("nothing", "text", "sum", "letter", "yes", "one")
      val outcome = fixture.weave(methods.map(m => s"Body $m prologue - Hook#$m 1"): _*)
      assert(outcome.code == 0, outcome.err)
      assert(outcome.out.contains("weaver: Body.text: prologue -> Hook#text (1)"))
      assert(fixture.call("Body", "run") == "stock 1 ours31000zfalse15")
    }
  }

  test("a descriptor picks one overload") {
    val calls =
      "public class User { public static String one(int i) { return new Store().name(); } " +
        "public static String one(long i) { return new Store().name(); } public static String run() { return one(1) + one(1L); } }"
    Fixture(store, calls)(
      "public class Ours extends Store { public String name() { return \"ours\"; } }"
    ) { fixture =>
      val outcome = fixture.weave(
        "User one(I)Ljava/lang/String; new Store Ours 1",
        "User one(J)Ljava/lang/String; new Store - 1"
      )
      assert(outcome.code == 0, outcome.err)
      assert(outcome.out.contains("weaver: User.one: new Store left alone (1)"))
      assert(fixture.call("User", "run") == "oursstock")
    }
  }
}
