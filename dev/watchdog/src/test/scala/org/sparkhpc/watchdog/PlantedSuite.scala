package org.sparkhpc.watchdog

import java.nio.file.{Files, Paths}

import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/** Hangs in the way that `-Dplanted=` says; without it there are no tests in it. */
class PlantedSuite extends AnyFunSuite with BeforeAndAfterAll {
  import PlantedSuite._

  private val way = sys.props.getOrElse("planted", "")

  override def beforeAll(): Unit = if (way == "before") hang()

  override def afterAll(): Unit = if (way == "after") hang()

  if (way.nonEmpty) {
    test("hangs") {
      way match {
        case "child" => assert(child().waitFor() == 0)
        case "thread" => hang()
        case "deaf" => while (true)
            try hang()
            catch { case _: InterruptedException => () }
        case "swallowing" =>
          try hang()
          catch { case _: InterruptedException => () }
        case _ => ()
      }
    }

    test("is over soon") {}
  }
}

private object PlantedSuite {

  private def hang(): Unit = synchronized(wait())

  /** A JVM with a log, and a daemon of its own. */
  private def child(): Process = {
    val java = Paths.get(sys.props("java.home"), "bin", "java").toString
    val log = Paths.get(sys.props("planted.log"))
    new ProcessBuilder(java, "-cp", sys.props("java.class.path"), classOf[PlantedChild].getName)
      .directory(Files.createDirectories(log.getParent).toFile)
      .redirectErrorStream(true)
      .redirectOutput(log.toFile)
      .start()
  }
}
