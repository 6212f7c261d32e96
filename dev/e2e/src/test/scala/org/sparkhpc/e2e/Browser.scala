package org.sparkhpc.e2e

import java.nio.file.Path

import org.scalatest.Assertions

/** A browser without a window: Chromium. */
object Browser extends Assertions {

  /** The page's HTML after its scripts have run. None of them may have failed, and nothing may come from elsewhere.
    *
    * @param picture of the page, a PNG file
    */
  def look(url: String, scratch: Path, picture: Path): String = {
    Needs(Run(Seq("sh", "-c", "command -v chromium"), scratch).exit == 0, "chromium")
    val options = Seq(
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      // There is no network but this machine's own.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      "--window-size=1500,1800",
      "--virtual-time-budget=10000",
      "--enable-logging=stderr",
      s"--user-data-dir=${scratch.resolve("chromium")}"
    )
    def run(what: String): Run = Run("chromium" +: options :+ what :+ url, scratch)
    val seen = run("--dump-dom")
    assert(seen.exit == 0 && !seen.err.contains("Uncaught"), seen)
    val drawn = run(s"--screenshot=$picture")
    assert(drawn.exit == 0 && picture.toFile.length > 10000, drawn)
    seen.out
  }
}
