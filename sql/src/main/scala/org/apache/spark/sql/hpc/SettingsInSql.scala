package org.apache.spark.sql.hpc

import org.apache.spark.internal.config.{ConfigEntry, Hpc, SettingsCheck}
import org.apache.spark.sql.{AnalysisException, Row, SparkSession}
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.command.{LeafRunnableCommand, SetCommand}

/** `SET -v` shows our settings beside SQL's, and `SET` of one is refused: they hold for an application from its start.
  *
  * In stock Spark `SET` takes any key that no setting has, so that a mistyped one is accepted in silence.
  */
private[hpc] object SettingsInSql extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan match {
    case SetCommand(Some((key, Some(value)))) if key.startsWith(Hpc.Prefix) =>
      throw refusal(key, value)
    case set @ SetCommand(Some(("-v", None))) => SetVerbose(set)
    case other => other
  }

  private def refusal(key: String, value: String): AnalysisException = {
    def late =
      s"$key can't be changed by SET, since it is read as the application starts: start it with --conf $key=$value"
    new AnalysisException(SettingsCheck.unknown(key, value).getOrElse(late))
  }
}

/** What Spark's own shows, with our settings at their places. */
private[hpc] final case class SetVerbose(sparks: SetCommand) extends LeafRunnableCommand {
  override val output: Seq[Attribute] = sparks.output

  override def run(session: SparkSession): Seq[Row] =
    (sparks.run(session) ++ Hpc.settings.map(row(session, _))).sortBy(_.getString(0))

  private def row(session: SparkSession, setting: Hpc.Setting): Row = {
    val entry = setting.entry
    val default =
      Some(entry.defaultValueString).filter(_ != ConfigEntry.UNDEFINED).getOrElse("<undefined>")
    val value = session.sparkContext.conf.getOption(entry.key).getOrElse(default)
    Row(entry.key, value, entry.doc, entry.version)
  }
}
