package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

import org.apache.spark.ShuffleDependency
import org.apache.spark.rdd.RDD
import org.apache.spark.shuffle.{BaseShuffleHandle, ShuffleHandle}
import org.apache.spark.shuffle.sort.{BypassMergeSortShuffleHandle, SerializedShuffleHandle}
import org.apache.spark.sql.SparkSession

/** Which of Spark's shuffle writers the kinds of GroupByTest take: its shuffle's handle says it,
  * from which the shuffle manager chooses.
  */
class GroupByWritersSuite extends AnyFunSuite {

  private val java = "org.apache.spark.serializer.JavaSerializer"
  private val kryo = "org.apache.spark.serializer.KryoSerializer"
  private val bypassed = 200

  for ((api, serializer) <- Seq("rdd" -> java, "rdd" -> kryo, "sql" -> java))
    test(s"up to $bypassed reducers the bypass writer: $api, $serializer", Slow) {
      val handle = handleOf(api, serializer, bypassed)
      assert(handle.getClass == classOf[BypassMergeSortShuffleHandle[_, _]])
    }

  for (
    (api, serializer, expected) <- Seq(
      // Java's can't be moved about in their serialized form; the other two can.
      ("rdd", java, classOf[BaseShuffleHandle[_, _, _]]),
      ("rdd", kryo, classOf[SerializedShuffleHandle[_, _]]),
      ("sql", java, classOf[SerializedShuffleHandle[_, _]])
    )
  )
    test(s"above $bypassed reducers the ${expected.getSimpleName}: $api, $serializer", Slow) {
      assert(handleOf(api, serializer, bypassed + 1).getClass == expected)
    }

  /** Of the one shuffle of a run with a right answer. */
  private def handleOf(api: String, serializer: String, reduces: Int): ShuffleHandle = {
    val spark = SparkSession.builder
      .master("local[2]")
      .appName(suiteName)
      .config("spark.ui.enabled", "false")
      .config("spark.serializer", serializer)
      .getOrCreate()
    try {
      val o = GroupByOptions(api, maps = 2, reduces, pairsPerMap = 20)
      val pairs = GroupByTest.generate(spark, o)
      val grouped = GroupByTest.grouped(spark, pairs, o)
      GroupByTest.check(pairs, o, Groups.of(grouped)(PairGenerator.hash))
      val handles = handlesIn(grouped)
      assert(handles.size == 1, grouped.toDebugString)
      handles.head
    } finally spark.stop()
  }

  private def handlesIn(rdd: RDD[_]): Seq[ShuffleHandle] = rdd.dependencies.flatMap {
    case shuffle: ShuffleDependency[_, _, _] => shuffle.shuffleHandle +: handlesIn(shuffle.rdd)
    case other => handlesIn(other.rdd)
  }
}
