package org.apache.spark.examples.hpc

import scala.reflect.ClassTag

import scopt.OParser

import org.apache.spark.{SparkConf, SparkContext, SparkEnv, TaskContext}
import org.apache.spark.storage.{RDDBlockId, StorageLevel}

/** What putting a small block into a full memory takes, by the number of blocks there: a task puts blocks of
  * 900 bytes, as many as would fill the memory, round by round.
  *
  * With `--rdds many` each round is an RDD of its own, whose blocks drive out those of the last. With `one`
  * they are all of one RDD, whose blocks don't give way to each other: nothing is evicted after the first
  * round. Prints the median over the rounds of the microseconds that a put takes.
  */
object BlockPuts {
  private val BlockBytes = 900

  // What Spark charges for the array of a block's values and for an element.
  private val ChargedBytes = 960L

  def main(args: Array[String]): Unit = {
    val o = OParser.parse(syntax, args, BlockPutsOptions()).getOrElse(sys.exit(2))
    val conf = new SparkConf()
      .set("spark.testing.memory", (o.blocks * ChargedBytes * 2).toString)
      .set("spark.testing.reservedMemory", "0")
      .set("spark.memory.fraction", "0.5")
      .set("spark.storage.unrollMemoryThreshold", BlockBytes.toString)
      .set("spark.ui.enabled", "false")
    val sc = new SparkContext(conf)
    try {
      val micros = sc.parallelize(Seq(o), 1).map(measure).first()
      println(f"BlockPuts: ${o.blocks} blocks, ${o.rdds}: $micros%.1f us a put")
    } finally sc.stop()
  }

  private def measure(o: BlockPutsOptions): Double = {
    val rounds = (0 until o.rounds).map { round =>
      val begun = System.nanoTime()
      for (n <- 0 until o.blocks)
        if (o.rdds == "many") put(1000 + round, n) else put(1000, round * o.blocks + n)
      (System.nanoTime() - begun) / 1e3 / o.blocks
    }
    // The first fills the memory, and for want of a second one nothing is known of the compiler's part.
    val later = rounds.drop(1 + o.rounds / 4).sorted
    later(later.size / 2)
  }

  private def put(rdd: Int, partition: Int): Unit = {
    val block = RDDBlockId(rdd, partition)
    SparkEnv.get.blockManager.getOrElseUpdateRDDBlock(
      TaskContext.get().taskAttemptId(),
      block,
      StorageLevel.MEMORY_ONLY,
      ClassTag[Array[Byte]](classOf[Array[Byte]]),
      () => Iterator(new Array[Byte](BlockBytes))
    ) match {
      case Left(result) => require(result.data.size == 1)
      case Right(values) => require(values.size == 1)
    }
  }

  private val builder = OParser.builder[BlockPutsOptions]
  import builder._

  private val syntax: OParser[_, BlockPutsOptions] = OParser.sequence(
    programName("BlockPuts"),
    opt[Int]("blocks").action((x, o) => o.copy(blocks = x)).text("that fit; default 1000"),
    opt[Int]("rounds").action((x, o) => o.copy(rounds = x)).text("default 8"),
    opt[String]("rdds").action((x, o) => o.copy(rdds = x)).text("many (default) or one")
  )
}

/** How many blocks fit, how often as many are put, and of how many RDDs they are. */
final case class BlockPutsOptions(blocks: Int = 1000, rounds: Int = 8, rdds: String = "many")
