package org.sparkhpc.e2e

import org.scalatest.Assertions

/** What a machine may lack: then a test is cancelled with the reason, but fails where CI=true. */
object Needs extends Assertions {

  def apply(there: Boolean, what: => String): Unit =
    if (!there) {
      if (sys.env.get("CI").contains("true")) fail(s"CI must have it: $what") else cancel(what)
    }
}
