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

  /** All findings, the largest gain first. */
  def all(run: Run, totals: Totals): Seq[Finding] =
    if (totals.busy == 0 || totals.cores == 0) Seq.empty
    else
      Causes.all
        .flatMap(_(run, totals))
        .map(found => found.copy(gain = math.min(found.gain, totals.busy.toDouble)))
        .filter(_.gain > 0)
        .sortBy(-_.gain)

  /** The first of all findings, if it is worth a change. */
  def bottleneck(all: Seq[Finding], totals: Totals): Option[Finding] =
    all.headOption.filter(_.gain >= Least * totals.busy)
}
