package org.apache.spark.graphx.hpc

import java.util.Arrays

/** What goes through an iteration's shuffle. */
private[hpc] sealed abstract class Message extends Serializable

/** What a block keeps of its own state for the next one. It goes through the shuffle, too, so that a state depends on the
  * state before by the shuffle alone, and a task is sent one iteration of the lineage.
  */
private[hpc] final class Kept(val state: Array[Double]) extends Message

/** What one block sends to another: what it has merged for some of its columns.
  *
  * @param from    the number of the sending block
  * @param places  the places of the values among those of all of its columns, or null if all are there
  */
private[hpc] final class Slice private (
    val from: Int,
    places: Array[Int],
    values: Array[Double]
) extends Message {

  /** @param route the receiving block's row for each of the columns
    * @param width the number of values for each column
    */
  def mergeInto(rows: Array[Double], route: Array[Int], width: Int, merge: Merge): Unit = {
    var i = 0
    if (width == 1 && places == null)
      while (i < values.length) {
        rows(route(i)) = merge(rows(route(i)), values(i))
        i += 1
      }
    else
      while (i < values.length) {
        val place = if (places == null) i else places(i)
        val at = route(place / width) * width + place % width
        rows(at) = merge(rows(at), values(i))
        i += 1
      }
  }

  /** The number of bytes of its arrays. */
  def bytes: Long = 8L * values.length + (if (places == null) 0L else 4L * places.length)
}

private[hpc] object Slice {

  /** A slice of the columns' values from `start` to `end`. Only those that aren't `nothing` are sent if that takes fewer
    * bytes.
    */
  def of(from: Int, all: Array[Double], start: Int, end: Int, nothing: Double): Slice = {
    var others = 0
    for (at <- start until end) if (all(at) != nothing) others += 1
    if (12L * others < 8L * (end - start)) sparse(from, all, start, end, nothing, others)
    else new Slice(from, null, Arrays.copyOfRange(all, start, end))
  }

  private def sparse(
      from: Int,
      all: Array[Double],
      start: Int,
      end: Int,
      nothing: Double,
      number: Int
  ): Slice = {
    val places = new Array[Int](number)
    val values = new Array[Double](number)
    var i = 0
    for (at <- start until end) if (all(at) != nothing) {
      places(i) = at - start
      values(i) = all(at)
      i += 1
    }
    new Slice(from, places, values)
  }
}
