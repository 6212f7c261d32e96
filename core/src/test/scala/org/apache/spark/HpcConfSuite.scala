package org.apache.spark

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, ObjectInputStream, ObjectOutputStream}

import org.apache.spark.internal.config.PLUGINS
import org.apache.spark.internal.plugin.PluginContainer
import org.scalatest.funsuite.AnyFunSuite

class HpcConfSuite extends AnyFunSuite {

  private val written = new SparkConf(false).set("spark.app.name", "its name").set("a", "user's")

  private def running: SparkConf = {
    val conf = HpcConf.of(written)
    HpcConf.setOwn(conf, "a", "ours")
    HpcConf.setOwn(conf, "b", "ours, too")
    conf
  }

  private def list(conf: SparkConf): Seq[(String, String)] = conf.getAll.toSeq.sorted

  private val users = list(written)

  test("what is asked for is ours, what is listed or copied is the user's") {
    val conf = running
    assert(conf.get("a") == "ours" && conf.getOption("b").contains("ours, too"))
    assert(list(conf) == users && list(conf.clone) == users)
    assert(conf.clone.getClass == classOf[SparkConf])
    assert(HpcConf.all(conf).toSet == users.toSet - ("a" -> "user's") ++ Seq(
      "a" -> "ours",
      "b" -> "ours, too"
    ))
    assert(list(written) == users)
  }

  test("a value of ours that changes is still ours") {
    val conf = running
    HpcConf.setOwn(conf, "a", "ours again")
    assert(conf.get("a") == "ours again" && list(conf) == users)
  }

  test("what is set later is the user's, with or without a value of ours before") {
    val conf = running.set("a", "another").set("c", "new").remove("b").remove("spark.app.name")
    assert(list(conf) == Seq("a" -> "another", "c" -> "new"))
    assert(list(conf.clone) == list(conf) && HpcConf.all(conf).toSeq.sorted == list(conf))
    assert(!conf.contains("b"))
  }

  test("what Spark sets for our plugin is found, and isn't copied") {
    val key =
      s"${PluginContainer.EXTRA_CONF_PREFIX}org.apache.spark.storage.hpc.patch.HpcPlugin.version"
    val conf = running.set(key, "1")
    assert(conf.get(key) == "1" && HpcConf.all(conf).toMap.get(key).contains("1"))
    assert(list(conf) == users && list(conf.clone) == users)
    val others = running.set(s"${PluginContainer.EXTRA_CONF_PREFIX}a.Users.version", "1")
    assert(list(others.clone).size == users.size + 1)
  }

  test("it is of Spark's own class, by which shuffle managers look for a constructor") {
    assert(running.getClass == classOf[SparkConf])
  }

  test("a default for a key doesn't replace ours, nor make it the user's") {
    val conf = running.setIfMissing("b", "default").setIfMissing("c", "default")
    assert(conf.get("b") == "ours, too" && list(conf) == (users :+ ("c" -> "default")).sorted)
  }

  test("what is serialized is a copy of Spark's own class") {
    val bytes = new ByteArrayOutputStream
    new ObjectOutputStream(bytes).writeObject(running)
    val in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray))
    val read = in.readObject().asInstanceOf[SparkConf]
    assert(read.getClass == classOf[SparkConf] && list(read) == users)
  }

  test("the environment and copies are those of the user's own class") {
    final class Its extends SparkConf(false) {
      override private[spark] def getenv(name: String): String = s"its $name"
      override def clone: SparkConf = new Its().setAll(getAll)
    }
    val conf = HpcConf.of(new Its)
    assert(conf.getenv("X") == "its X" && conf.clone.getenv("X") == "its X")
  }

  test("what isn't a context's has our values as any others") {
    val conf = written.clone
    HpcConf.setOwn(conf, "a", "ours")
    assert(conf.getAll.toSet == HpcConf.all(conf).toSet && conf.clone.get("a") == "ours")
  }

  test("a context has such settings, and its plugin in them alone") {
    val sc = new SparkContext(
      new SparkConf().setMaster("local").setAppName("its name").set("spark.ui.enabled", "false")
    )
    try {
      val name = "org.apache.spark.storage.hpc.patch.HpcPlugin"
      assert(sc.conf.get(PLUGINS).contains(name) && SparkEnv.get.conf.get(PLUGINS).contains(name))
      assert(!sc.getConf.toDebugString.contains(name) && !sc.conf.toDebugString.contains(name))
    } finally sc.stop()
  }
}
