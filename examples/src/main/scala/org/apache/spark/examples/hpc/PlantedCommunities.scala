package org.apache.spark.examples.hpc

/** A graph whose communities are known, each edge from the seed and its own number alone.
  *
  * A vertex takes the label that most of its neighbours have. With ties the answer would depend on
  * the order in which messages arrive, so there are none. Vertices from 0 are leaders, and hear
  * themselves four times, over two loops; each of their members, with a label of its own at first,
  * they hear three times. A member hears its leader three times, over three edges, and two members
  * of any communities once each. So each member has its leader's label after one step, and keeps it.
  */
final class PlantedCommunities(communities: Int, membersOfEach: Int, seed: Long)
    extends Serializable {
  import PlantedCommunities._

  private val members = communities.toLong * membersOfEach
  private val stride = 1 + new Draws(seed).of(0).nextLong(members - 1)

  def vertices: Long = communities + members

  def edges: Long = Loops * communities + EdgesOfMember * members

  def edge(number: Long): (Long, Long) = {
    val ofMembers = number - Loops * communities
    if (ofMembers < 0) {
      (number / Loops, number / Loops)
    } else {
      val member = ofMembers / EdgesOfMember
      val vertex = communities + member
      val stranger = communities + (member + stride) % members
      (vertex, if (ofMembers % EdgesOfMember == 0) stranger else leader(vertex))
    }
  }

  /** A leader's is itself. */
  def leader(vertex: Long): Long =
    if (vertex < communities) vertex else (vertex - communities) % communities
}

object PlantedCommunities {
  private val Loops = 2L
  private val EdgesOfMember = 4L
}
