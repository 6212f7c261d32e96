package org.apache.spark.internal.config

/** docs/configuration.md, made from [[Hpc.settings]]. */
object ConfigurationPage {

  def text: String = head + Hpc.settings.sortBy(_.entry.key).map(row).mkString

  private val head =
    """# Configuration
      |
      |The settings of Spark-HPC, besides [Spark's own](https://spark.apache.org/docs/3.5.7/configuration.html).
      |They go where Spark's go: `--conf`, `conf/spark-defaults.conf`, `SparkConf`. One that isn't in this
      |table, or has a value that isn't allowed, ends the application before it begins. In SQL, `SET -v` shows
      |them, and `SET` can't change them. The table is made
      |from the declarations by `dev/make-configuration-page`; a test compares them.
      |
      || key | default | values | since | |
      ||---|---|---|---|---|
      |""".stripMargin

  private def row(setting: Hpc.Setting): String = {
    val entry = setting.entry
    val default = entry.defaultValueString match {
      case ConfigEntry.UNDEFINED => "unset"
      case value => s"`$value`"
    }
    s"| `${entry.key}` | $default | ${setting.values} | ${entry.version} | ${entry.doc} |\n"
  }
}
