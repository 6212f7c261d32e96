package org.apache.spark.shuffle.hpc.place

import org.apache.spark.shuffle.PlacedOutputs
import org.apache.spark.storage.BlockManagerId

/** Where outputs of one executor and one shuffle are, as a map status names it: in one container.
  *
  * Spark keeps and passes it as if it were an executor's address, so that a failed fetch makes the
  * driver forget these outputs and no others. Its host is no node's: with a node Spark forgets all
  * outputs of that host. What a reader has to know is in the executor's id, the only part that always
  * comes along.
  *
  * @param executor who wrote the outputs, and serves them while it lives
  * @param container which of its files for that shuffle
  * @param host its own, and `port` that of its block transfer service
  */
private[hpc] final case class OutputPlace(
    executor: String,
    shuffle: Int,
    container: String,
    host: String,
    port: Int
) {

  /** As it stands in a map status. */
  def marker: BlockManagerId =
    BlockManagerId(
      s"${OutputPlace.Prefix}:$executor:$shuffle:$container:$host",
      PlacedOutputs.NoNode,
      port
    )
}

private[hpc] object OutputPlace {
  private val Prefix = "hpc"

  /** The place that a map status or a fetch means; None if it is an executor as in stock Spark. */
  def of(executorId: String, port: Int): Option[OutputPlace] =
    // The host comes last, since an address of IPv6 has colons.
    executorId.split(":", 5) match {
      case Array(Prefix, executor, shuffle, container, host) =>
        Some(OutputPlace(executor, shuffle.toInt, container, host, port))
      case _ => None
    }

  def of(location: BlockManagerId): Option[OutputPlace] = of(location.executorId, location.port)
}
