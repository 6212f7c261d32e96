package org.apache.spark.internal.config

/** docs/configuration.md, made from [[Hpc.settings]]. */
object ConfigurationPage {

  def text: String = head + Hpc.settings.sortBy(_.entry.key).map(row).mkString

  private val head =
    """# Configuration
      |
      |The settings of Spark-HPC. They are set in the same places as
      |[Spark's own](https://spark.apache.org/docs/3.5.9/configuration.html): `--conf`, `conf/spark-defaults.conf`,
      |`SparkConf`. An application with an unknown `spark.hpc.*` setting, or with a value that isn't allowed, is refused
      |before it begins. In SQL, `SET -v` shows the settings, and `SET` can't change them.
      |`dev/make-configuration-page` makes this table from the declarations; a test compares them.
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
