package org.sparkhpc.e2e

import java.nio.file.Path

/** An XFS of its own in a file, as a node's disk, which can stand still: see docs/testbed.md. */
final class LoopFs(base: Path) extends AutoCloseable {
  private val testbed = Testbed.Program

  // Thaws it if this process doesn't live to do so: nobody could stop, or even be killed, before.
  private var guard: Option[Started] = None

  private val lacking = tell("require")
  Needs(lacking.exit == 0, s"a loopback XFS: ${lacking.out}${lacking.err}")

  val mount: String = {
    val options = Seq("--base", base.toString, "--on", base.getParent.toString)
    done(tell(Seq("start", "--nodes", "1", "--size", "300M") ++ options: _*))
      .lines.last.split(' ').last
  }

  /** From now on whoever writes, creates or deletes waits, until [[thaw]]. */
  def freeze(): Unit = {
    guard = Some(Started(Seq("sh", "-c", s"sleep 900; exec fsfreeze -u $mount"), base.getParent))
    done(fsfreeze("-f")): Unit
  }

  /** Whether they wait: freezing it twice isn't possible. */
  def isFrozen: Boolean = {
    val again = fsfreeze("-f")
    assert(again.exit == 0 || again.err.contains("busy"), again)
    if (again.exit == 0) fsfreeze("-u")
    again.exit != 0
  }

  def thaw(): Unit = {
    fsfreeze("-u")
    guard.foreach(_.kill())
    guard = None
  }

  override def close(): Unit = {
    thaw()
    done(tell("stop", "--base", base.toString)): Unit
  }

  private def fsfreeze(how: String): Run = Run(Seq("fsfreeze", how, mount), base.getParent)

  private def tell(words: String*): Run = Run(Seq(testbed, "loopfs") ++ words, base.getParent)

  private def done(run: Run): Run = {
    assert(run.exit == 0, run)
    run
  }
}
