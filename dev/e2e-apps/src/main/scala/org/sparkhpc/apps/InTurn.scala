package org.sparkhpc.apps

/** Runs programs one after the other in this driver, each an application of its own:
  * `InTurn [:: NAME CLASS KEY=VALUE... -- ARGUMENT...]...`, with its settings and its arguments.
  *
  * A line `:: NAME` stands before what each prints, and before what is logged of it.
  */
object InTurn {

  def main(args: Array[String]): Unit = {
    val starts = args.indices.filter(args(_) == "::")
    for ((start, end) <- starts.zip(starts.drop(1) :+ args.length)) run(args.slice(start + 1, end))
  }

  private def run(application: Array[String]): Unit = {
    val Array(name, program) = application.take(2)
    val (pairs, rest) = application.drop(2).span(_ != "--")
    Seq(System.out, System.err).foreach(_.println(s":: $name"))
    val method = Class.forName(program).getMethod("main", classOf[Array[String]])
    Settings.having(Settings.of(pairs))(method.invoke(null, rest.drop(1)): Unit)
  }
}
