package org.apache.spark.hpc.weaver

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import org.scalatest.funsuite.AnyFunSuite

class JarWeaverSuite extends AnyFunSuite {

  private val store =
    "public class Store { public void put() {} public String name() { return \"s\"; } }"
  private val maker = "public class Maker { static Object one() { return new Store(); } }"
  private val bystander = "public class Bystander { int n = 4; }"
  private val ours =
    "public class Ours extends Store { public String name() { put(); return \"o\"; } }"
  private val New = "Maker one new Store Ours 1"

  private def bytes(file: Path): Seq[Byte] = Files.readAllBytes(file).toSeq

  private def manifest(jar: Path): WeaveManifest =
    WeaveManifest.parse(Entries.ofJar(jar).get(WeaveManifest.ENTRY))

  test("entries without a site keep their bytes, ours are added, nothing is lost") {
    Fixture(store, maker, bystander)(ours) { fixture =>
      fixture.weave(New)
      val stock = Entries.ofJar(fixture.stockJar).asScala
      val patched = Entries.ofJar(fixture.out).asScala
      assert(patched.keySet == stock.keySet ++ Set("Ours.class", WeaveManifest.ENTRY))
      val changed = stock.keys.filter(entry => !stock(entry).sameElements(patched(entry)))
      assert(changed.toSeq == Seq("Maker.class"))
    }
  }

  test("entries of folders are kept: a resource that is a folder is found through them") {
    Fixture(store, maker)(ours) { fixture =>
      val folder = fixture.stockJar.resolveSibling("with-folder.jar")
      val entries = Entries.ofJar(fixture.stockJar)
      entries.put("static/", Array.emptyByteArray)
      Entries.write(entries, folder)
      assert(fixture.weaveJar(folder, fixture.out, New).code == 0)
      val loader = new java.net.URLClassLoader(Array(fixture.out.toUri.toURL), null)
      try assert(loader.getResource("static/") != null)
      finally loader.close()
    }
  }

  test("weaving a woven jar again changes nothing") {
    Fixture(store, maker)(ours) { fixture =>
      fixture.weave(New)
      val first = bytes(fixture.out)
      val inPlace = fixture.weaveJar(fixture.out, fixture.out, New)
      assert(
        inPlace.code == 0 && inPlace.out.contains("woven from the same inputs already"),
        inPlace.err
      )
      assert(bytes(fixture.out) == first)
      val copy = fixture.out.resolveSibling("copy.jar")
      assert(fixture.weaveJar(fixture.out, copy, New).code == 0)
      assert(bytes(copy) == first)
    }
  }

  test(
    "our classes may come out of a patched jar, by its manifest; one that isn't patched is refused"
  ) {
    Fixture(store, maker)(ours) { fixture =>
      fixture.weave(New)
      val again = fixture.out.resolveSibling("again.jar")
      def weave(own: Path): Fixture.Outcome = Fixture.run(
        Seq("weave", "--stock", fixture.stockJar, "--own", own, "--sites", fixture.sites(New)) ++
          Seq("--version", "test-1", "--out", again)
      )
      assert(weave(fixture.out).code == 0)
      assert(bytes(again) == bytes(fixture.out))
      assert(weave(fixture.stockJar).err.contains(
        "stock.jar is not patched: there is no META-INF/spark-hpc/"
      ))
    }
  }

  test("the same inputs make the same bytes, and only the jar is left behind") {
    Fixture(store, maker)(ours) { fixture =>
      fixture.weave(New)
      val first = bytes(fixture.out)
      val before = fixture.out.getParent.toFile.list().toSet
      fixture.weave(New)
      assert(bytes(fixture.out) == first)
      assert(fixture.out.getParent.toFile.list().toSet == before)
    }
  }

  test("the manifest names sites, hashes before and after, and the Spark methods we stand on") {
    Fixture(store, maker)(ours) { fixture =>
      fixture.weave(New)
      val written = manifest(fixture.out)
      assert(written.of("version").asScala == Seq("test-1"))
      assert(written.of("site").asScala == Seq(New))
      val before = Sha256.of(Entries.ofJar(fixture.stockJar).get("Maker.class"))
      val after = Sha256.of(Entries.ofJar(fixture.out).get("Maker.class"))
      assert(written.of("class").asScala == Seq(s"Maker.class $before $after") && before != after)
      assert(written.of("stock").asScala == Seq(
        s"stock.jar ${Sha256.of(Files.readAllBytes(fixture.stockJar))}"
      ))
      val methods = written.of("method").asScala.map(_.split(" ").take(3).mkString(" "))
      assert(
        methods == Seq(
          "called Store <init>()V",
          "called Store put()V",
          "overridden Store name()Ljava/lang/String;",
          "woven Maker one()Ljava/lang/Object;"
        )
      )
    }
  }

  test("a Spark method's hash changes with its body, not with its line numbers or its neighbours") {
    def hashOfName(source: String): String = Fixture(source, maker)(ours) { fixture =>
      fixture.weave(New)
      manifest(fixture.out).of("method").asScala.find(_.startsWith("overridden")).get
    }
    val stock = hashOfName(store)
    assert(hashOfName(store.replace(
      "class Store {",
      "class Store {\n\n int added; void neighbour() {} "
    )) == stock)
    assert(hashOfName(store.replace("\"s\"", "\"t\"")) != stock)
  }

  test("scan finds forgotten places in other jars") {
    Fixture(store, maker)(ours) { fixture =>
      val sites = fixture.sites("Elsewhere one new Store Ours 1")
      val outcome = Fixture.run(Seq("scan", "--sites", sites, fixture.stockJar))
      assert(outcome.code == 1)
      assert(outcome.out.contains("stock.jar: Maker.one()Ljava/lang/Object; constructs Store"))
      assert(Fixture.run(Seq("scan", "--sites", fixture.sites(New), fixture.stockJar)).code == 0)
    }
  }
}
