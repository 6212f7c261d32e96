package org.sparkhpc.apps

/** [[Scratchful]] once for each scenario, an application each:
  * `FaultyScratches TESTBED BASE DIRECTORY SCENARIO...`, with Scratchful's directory.
  *
  * A scenario is `NAME KEY=VALUE... WORD...`: the application's settings, and the words of a command
  * that gives the file system in BASE a fault, if it is to have one. `signal=FILE` among the settings is
  * Scratchful's signal. It says `scenario=NAME` before each and `ended=NAME` after it. One that fails ends the program.
  */
object FaultyScratches {

  def main(args: Array[String]): Unit = {
    val Array(testbed, base, directory) = args.take(3)
    val fs = new Testbed(testbed, base)
    for (scenario <- args.drop(3)) {
      val name +: words = scenario.split(' ').toSeq
      val (pairs, fault) = words.span(_.contains('='))
      val (signals, settings) = Settings.of(pairs).partition { case (key, _) => key == "signal" }
      val own = directory +: signals.map { case (_, file) => file }
      Report.line("scenario", name)
      Settings.having(settings) {
        if (fault.nonEmpty) fs.tell(fault)
        try Scratchful.main(own.toArray)
        finally if (fault.nonEmpty) fs.tell(Seq("clear"))
      }
      Report.line("ended", name)
    }
  }
}
