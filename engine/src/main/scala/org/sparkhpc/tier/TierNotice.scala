package org.sparkhpc.tier

/** An event in a tier of one process that an operator should know of.
  *
  * @param tier its label and file system, which identify the tier in processes of all nodes: its directories may
  *   have other names there
  * @param event what happened; if it is the same in many processes, one notice is enough
  * @param text a sentence for people, with the reason
  */
final case class TierNotice(tier: String, event: TierNotice.Event, text: String)

object TierNotice {

  /** @param label of the tier
    * @param fileSystem its type in the mount table
    */
  def of(label: String, fileSystem: String, event: Event, text: String): TierNotice =
    TierNotice(s"$label $fileSystem", event, text)

  sealed trait Event extends Serializable
  case object NotUsed extends Event
  case object Overflow extends Event
  case object Slow extends Event
  case object Refused extends Event
}
