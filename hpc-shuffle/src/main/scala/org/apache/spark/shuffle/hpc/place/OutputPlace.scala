package org.apache.spark.shuffle.hpc.place

import org.apache.spark.shuffle.PlacedOutputs
import org.apache.spark.storage.BlockManagerId

/** The place of map outputs in a map status: one container, with outputs of one executor and one shuffle.
  *
  * Spark stores and passes it as if it were an executor's address. After a failed fetch, the driver therefore forgets
  * these outputs and no others. Its host isn't a real one, because Spark would forget all outputs of a real host. All
  * that a reader must know is in the executor id, because only that is passed everywhere.
  *
  * @param executor the executor that wrote the outputs, and serves them while it lives
  * @param container the container's name among that executor's containers of the shuffle
  * @param host the executor's host; `port` is the port of its block transfer service
  */
private[hpc] final case class OutputPlace(
    executor: String,
    shuffle: Int,
    container: String,
    host: String,
    port: Int
) {

  /** The form in which a map status holds it. */
  def marker: BlockManagerId =
    BlockManagerId(
      s"${OutputPlace.Prefix}:$executor:$shuffle:$container:$host",
      PlacedOutputs.NoNode,
      port
    )
}

private[hpc] object OutputPlace {
  private val Prefix = "hpc"

  /** The place that a map status or a fetch names. None if it names an executor, as in stock Spark. */
  def of(executorId: String, port: Int): Option[OutputPlace] =
    // The host comes last, because an IPv6 address has colons.
    executorId.split(":", 5) match {
      case Array(Prefix, executor, shuffle, container, host) =>
        Some(OutputPlace(executor, shuffle.toInt, container, host, port))
      case _ => None
    }

  def of(location: BlockManagerId): Option[OutputPlace] = of(location.executorId, location.port)
}
