package org.sparkhpc.apps

/** Settings of the applications that a program starts one after the other. */
private[apps] object Settings {

  /** Those of words `KEY=VALUE`. */
  def of(words: Seq[String]): Seq[(String, String)] =
    words.map(_.split("=", 2)).map { case Array(key, value) => key -> value }

  /** What `run` does with these settings, as if spark-submit had got them. */
  def having(settings: Seq[(String, String)])(run: => Unit): Unit = {
    val before = settings.map { case (key, _) => key -> sys.props.get(key) }
    for ((key, value) <- settings) System.setProperty(key, value)
    try run
    finally before.foreach {
        case (key, Some(value)) => System.setProperty(key, value)
        case (key, None) => System.clearProperty(key)
      }
  }
}
