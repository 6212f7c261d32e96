package org.apache.spark.examples.hpc

import org.scalatest.BeforeAndAfterAll
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
class GroupByWritersSuite extends AnyFunSuite with BeforeAndAfterAll {

  private val java = "org.apache.spark.serializer.JavaSerializer"
  private val kryo = "org.apache.spark.serializer.KryoSerializer"
  private val bypassed = 200

  // Tests with the same serializer follow each other: they share an application.
  for (
    (api, serializer, expected) <- Seq(
      // Java's can't be moved about in their serialized form; the other two can.
      ("rdd", java, classOf[BaseShuffleHandle[_, _, _]]),
      ("sql", java, classOf[SerializedShuffleHandle[_, _]]),
      ("rdd", kryo, classOf[SerializedShuffleHandle[_, _]])
    )
  ) {
    test(s"up to $bypassed reducers the bypass writer: $api, $serializer", Slow) {
      val handle = handleOf(api, serializer, bypassed)
      assert(handle.getClass == classOf[BypassMergeSortShuffleHandle[_, _]])
    }

    test(s"above $bypassed reducers the ${expected.getSimpleName}: $api, $serializer", Slow) {
      assert(handleOf(api, serializer, bypassed + 1).getClass == expected)
    }
  }

  private var application = Option.empty[(String, SparkSession)]

  private def stop(): Unit = {
    for ((_, spark) <- application) spark.stop()
    application = None
  }

  override protected def afterAll(): Unit =
    try stop()
    finally super.afterAll()

  private def sessionWith(serializer: String): SparkSession = {
    if (!application.exists(_._1 == serializer)) {
      stop()
      val spark = SparkSession.builder
        .master("local[2]")
        .appName(suiteName)
        .config("spark.ui.enabled", "false")
        .config("spark.serializer", serializer)
        .getOrCreate()
      application = Some(serializer -> spark)
    }
    application.get._2
  }

  /** Of the one shuffle of a run with a right answer. */
  private def handleOf(api: String, serializer: String, reduces: Int): ShuffleHandle = {
    val spark = sessionWith(serializer)
    val o = GroupByOptions(api, maps = 2, reduces, pairsPerMap = 20)
    val pairs = GroupByTest.generate(spark, o)
    val grouped = GroupByTest.grouped(spark, pairs, o)
    // Few tasks read for all reducers: a task for each would cost far more than its pairs.
    GroupByTest.check(pairs, o, Groups.of(grouped.coalesce(4))(PairGenerator.hash))
    val handles = handlesIn(grouped)
    assert(handles.size == 1, grouped.toDebugString)
    handles.head
  }

  private def handlesIn(rdd: RDD[_]): Seq[ShuffleHandle] = rdd.dependencies.flatMap {
    case shuffle: ShuffleDependency[_, _, _] => shuffle.shuffleHandle +: handlesIn(shuffle.rdd)
    case other => handlesIn(other.rdd)
  }
}
