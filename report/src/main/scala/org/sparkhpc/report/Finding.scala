package org.sparkhpc.report

/** What slowed a run, and what would help.
  *
  * @param cause a short name, for JSON
  * @param what the bottleneck, as the subject of a sentence
  * @param figure what says so
  * @param remedy one setting or change
  * @param gain the milliseconds by which the run would be shorter at most
  */
final case class Finding(cause: String, what: String, figure: String, remedy: String, gain: Double)

object Finding {

  /** A finding of less than this share of the time in which jobs ran isn't worth a change. */
  val Least = 0.15

  /** The finding with the largest gain; None if no finding is worth a change. */
  def of(run: Run): Option[Finding] =
    all(run).filter(_.gain >= Least * run.busy).sortBy(-_.gain).headOption

  /** All findings, the most important first. */
  def all(run: Run): Seq[Finding] =
    if (run.busy == 0 || run.cores == 0) Seq.empty
    else
      Causes.all
        .flatMap(_(run))
        .map(found => found.copy(gain = math.min(found.gain, run.busy.toDouble)))
        .filter(_.gain > 0)
        .sortBy(-_.gain)
}
