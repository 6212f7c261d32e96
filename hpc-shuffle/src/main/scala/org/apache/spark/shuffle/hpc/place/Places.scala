package org.apache.spark.shuffle.hpc.place

import java.nio.file.Path

import org.sparkhpc.container.ContainerWriter

/** The places where an executor can create containers. */
private[hpc] trait Places {
  import Places._

  /** The best place that has room now and isn't in `but`. If there is none, throws `refusal`, which is that of the last
    * place, or an exception that says why.
    */
  def next(but: Set[Place], refusal: Option[ContainerWriter.Refusal]): Place

  /** Called when nobody needs the containers of a shuffle any more. */
  def remove(shuffle: Int): Unit
}

private[hpc] object Places {

  /** The kinds of places: labels of tiers, and `global` for a place whose containers outlive their executor. */
  val Kinds: Seq[String] = Seq("memory", "burst", "local", "shared", "spark", "global")

  trait Place {

    /** One of the [[Kinds]]. */
    def kind: String

    /** Creates a container. Throws a Refusal if another place may take it.
      *
      * @param name the container's name among this executor's containers of the shuffle
      */
    def make(shuffle: Int, name: String, partitions: Int): (Path, ContainerWriter)
  }
}
