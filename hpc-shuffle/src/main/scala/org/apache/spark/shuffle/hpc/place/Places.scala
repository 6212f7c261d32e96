package org.apache.spark.shuffle.hpc.place

import java.nio.file.Path

import org.sparkhpc.container.ContainerWriter

/** Where an executor may make its containers. */
private[hpc] trait Places {
  import Places._

  /** The best one that takes something now and isn't one of these; otherwise what the last of them said
    * is thrown, or why there is none.
    */
  def next(but: Set[Place], refusal: Option[ContainerWriter.Refusal]): Place

  /** Nobody needs the containers of a shuffle any more. */
  def remove(shuffle: Int): Unit
}

private[hpc] object Places {

  /** What a place can be: labels of tiers, and `global` for what outlives its executor. */
  val Kinds: Seq[String] = Seq("memory", "burst", "local", "shared", "spark", "global")

  trait Place {

    /** One of the [[Kinds]]. */
    def kind: String

    /** Makes a container; a Refusal if another place may take it.
      *
      * @param name among this executor's containers of that shuffle
      */
    def make(shuffle: Int, name: String, partitions: Int): (Path, ContainerWriter)
  }
}
