package org.sparkhpc.tier

/** What an operator should know of a tier of one process.
  *
  * @param tier its kind and its file system: by them it is the same one in processes of other nodes, whose
  *   directories may have other names
  * @param event what happened: of those that are the same in many processes, one is enough
  * @param text a sentence for people, with the reason
  */
final case class TierNotice(tier: String, event: TierNotice.Event, text: String)

object TierNotice {

  /** @param label of the tier; its file system is a type of the mount table */
  def of(label: String, fileSystem: String, event: Event, text: String): TierNotice =
    TierNotice(s"$label $fileSystem", event, text)

  sealed trait Event extends Serializable
  case object NotUsed extends Event
  case object Overflow extends Event
  case object Slow extends Event
  case object Refused extends Event
}
