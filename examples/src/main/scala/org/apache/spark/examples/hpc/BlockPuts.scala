package org.apache.spark.examples.hpc

import java.io.PrintStream
import java.lang.management.ManagementFactory

import scala.reflect.ClassTag

import com.sun.management.OperatingSystemMXBean

import scopt.OParser

import org.apache.spark.{SparkConf, SparkContext, SparkEnv, TaskContext}
import org.apache.spark.storage.{RDDBlockId, StorageLevel}

/** What putting a small block into a full memory takes, by the number of blocks there: a task fills the memory
  * with blocks of 900 bytes, puts more until the code is compiled, and then more in rounds.
  *
  * With `--rdds many` each round is an RDD of its own, whose blocks drive out older ones. With `one` all
  * blocks are of one RDD; they don't give way to each other, so nothing is evicted. Prints the medians over the
  * rounds, in microseconds: how long a put takes, and the CPU time of the process for that.
  */
object BlockPuts extends Program {
  private val BlockBytes = 900
  private val RoundPuts = 1000
  private val Rounds = 11
  private val Warming = 100000

  // What Spark charges for the array of a block's values and for an element.
  private val ChargedBytes = 960L

  override protected def execute(args: Seq[String], out: PrintStream): Unit =
    CommandLine.parse(syntax, args, BlockPutsOptions(), out).foreach(puts(_, out))

  private def puts(o: BlockPutsOptions, out: PrintStream): Unit = {
    val conf = new SparkConf()
      .set("spark.testing.memory", (o.blocks * ChargedBytes * 2).toString)
      .set("spark.testing.reservedMemory", "0")
      .set("spark.memory.fraction", "0.5")
      .set("spark.storage.unrollMemoryThreshold", BlockBytes.toString)
      .set("spark.ui.enabled", "false")
    val sc = new SparkContext(conf)
    try {
      val (wall, cpu) = sc.parallelize(Seq(o), 1).map(measure).first()
      out.println(f"BlockPuts: ${o.blocks} blocks, ${o.rdds}: $wall%.1f us a put, CPU $cpu%.1f us")
    } finally sc.stop()
  }

  private def measure(o: BlockPutsOptions): (Double, Double) = {
    val isOne = o.rdds == "one"
    // The JVM compiles evictions after it has run a number of them, however many blocks fit. With one RDD nothing
    // is evicted; stock Spark then walks all blocks for each put, which takes too long for that many more puts.
    val before = if (isOne) math.max(o.blocks, Warming) else o.blocks + Warming
    for (n <- 0 until before) put(if (isOne) 1000 else 1000 + n / RoundPuts, n)
    val rounds = (1 to Rounds).map { round =>
      val (begun, begunCpu) = (System.nanoTime(), os.getProcessCpuTime)
      for (n <- 0 until RoundPuts)
        put(if (isOne) 1000 else 1000000 + round, before + round * RoundPuts + n)
      (System.nanoTime() - begun, os.getProcessCpuTime - begunCpu)
    }
    def micros(nanos: Seq[Long]) = nanos.sorted.apply(Rounds / 2) / 1e3 / RoundPuts
    (micros(rounds.map(_._1)), micros(rounds.map(_._2)))
  }

  private lazy val os = ManagementFactory.getPlatformMXBean(classOf[OperatingSystemMXBean])

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
    opt[String]("rdds").action((x, o) => o.copy(rdds = x)).text("many (default) or one"),
    help("help").text("print this")
  )
}

/** How many blocks fit, and of how many RDDs they are. */
final case class BlockPutsOptions(blocks: Int = 1000, rdds: String = "many")
