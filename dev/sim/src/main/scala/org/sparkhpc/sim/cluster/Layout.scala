package org.sparkhpc.sim.cluster

import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.{Files => Paths}
import java.nio.file.StandardOpenOption.READ

import scala.collection.mutable

import org.apache.spark.shuffle.hpc.read.ModelRoute
import org.sparkhpc.container.ModelContainers
import org.sparkhpc.file.{FilePool, IdleOrder}

/** What an executor asks a file system for, to keep its outputs of one shuffle.
  *
  * @param shuffle all of it
  * @param outputs how many map outputs an executor has of it, on average
  */
sealed abstract class Layout(protected val shuffle: Shuffle, protected val outputs: Double) {

  /** When an executor writes its first output. */
  def first: Ask

  /** When a map task writes its output. */
  def map: Ask

  /** When an owner reads some of its blocks for the first time, and later. */
  protected def serve(blocks: Double, isFirst: Boolean): Ask

  /** The same for other owners' blocks, by a reducer that reads them itself; None if it asks the owners. */
  protected def direct(owners: Int, isFirst: Boolean): Option[Ask]

  /** When the shuffle is removed: for an executor, after the job. */
  def remove: Ask

  /** For the directories of the driver. */
  def driver: Ask

  // They are asked for millions of times.
  private val served = mutable.Map.empty[(Double, Boolean), Ask]
  private val read = mutable.Map.empty[(Int, Boolean), Option[Ask]]

  final def ofOwner(blocks: Double, isFirst: Boolean): Ask =
    served.getOrElseUpdate((blocks, isFirst), serve(blocks, isFirst))

  final def ofReader(owners: Int, isFirst: Boolean): Option[Ask] =
    read.getOrElseUpdate((owners, isFirst), direct(owners, isFirst))
}

object Layout {

  val names: Seq[String] = Seq("stock", "pool", "ours", "global")

  def apply(name: String, shuffle: Shuffle, outputs: Double): Layout = name match {
    case "stock" => new StockFiles(shuffle, outputs)
    case "pool" => new PooledFiles(shuffle, outputs)
    case "ours" => new Containers(shuffle, outputs)
    case "global" => new GlobalContainers(shuffle, outputs)
  }

  /** Stock Spark 3.5: index, data and checksum file of each output; an open of index and data for each block. The
    * numbers are those that dev/bench counts outside the JVM (docs/results/shuffle-counts.md).
    */
  private class StockFiles(shuffle: Shuffle, outputs: Double) extends Layout(shuffle, outputs) {
    // Spark's spark.shuffle.sort.bypassMergeThreshold.
    private val bypasses = shuffle.reducers <= 200
    private val directories = 64.0

    // Each subdirectory is made when the first file needs it.
    override def first: Ask = Ask.of("lookup" -> 1, "mkdir" -> 1) * directories

    override def map: Ask = {
      val files = Ask(
        Seq("create" -> 3.0, "close" -> 3.0, "rename" -> 4.0, "lookup" -> 9.4),
        locks = 3,
        written = shuffle.outputBytes
      )
      val parts =
        if (!bypasses) Ask.Nothing
        else
          Ask(
            Seq("create" -> 1.0, "open" -> 1.0, "close" -> 2.0, "lookup" -> 2.0, "unlink" -> 1.0),
            locks = 1
          ) * (shuffle.reducers * shuffle.full)
      files ++ parts
    }

    override protected def serve(blocks: Double, isFirst: Boolean): Ask =
      Ask.of("open" -> 2, "close" -> 2) * blocks

    override protected def direct(owners: Int, isFirst: Boolean): Option[Ask] = None

    override def driver: Ask = Ask.of("lookup" -> 55)

    override def remove: Ask =
      Ask.of("unlink" -> 3) * outputs ++
        Ask.of(
          "opendir" -> 1,
          "readdir" -> 1,
          "closedir" -> 1,
          "rmdir" -> 1,
          "lookup" -> 1
        ) * directories
  }

  /** The paper's pool: as stock, but an executor opens each of its files once. The real pool says how many opens that are,
    * with LIFO as in the paper and the bound that it has by default.
    */
  private final class PooledFiles(shuffle: Shuffle, outputs: Double)
      extends StockFiles(shuffle, outputs) {
    private val (opensOfFirst, opensOfLater) = PooledFiles.opens(math.ceil(outputs * 2).toInt)

    override protected def serve(blocks: Double, isFirst: Boolean): Ask =
      if (isFirst) Ask.of("open" -> 1) * opensOfFirst
      // In the share of the files that a reducer's blocks are in.
      else Ask.of("open" -> 1, "close" -> 1) * (opensOfLater * blocks / (outputs * shuffle.full))
  }

  private object PooledFiles {
    private val Bound = 16384

    /** The opens when all files are read once, and when they are read again. */
    def opens(files: Int): (Double, Double) = {
      val one = Paths.createTempFile("model", ".pool")
      // Descriptors of this process: the ratio of files to bound counts.
      val scale = math.max(1, files / 1024)
      val pool =
        new FilePool(Bound / scale, IdleOrder.Lifo, 0, open = _ => FileChannel.open(one, READ))
      try {
        def pass(): Double = {
          val before = pool.counts.opens
          for (file <- 0 until files / scale) pool.read(file.toString, ByteBuffer.allocate(1), 0)
          (pool.counts.opens - before).toDouble * scale
        }
        (pass(), pass())
      } finally {
        pool.close()
        Paths.delete(one)
      }
    }
  }

  /** Ours with map outputs in the executor's own scratch: containers, which their owner keeps open and reads for others.
    * What a client has written itself is in its cache.
    */
  private class Containers(shuffle: Shuffle, outputs: Double) extends Layout(shuffle, outputs) {
    protected val facts: ModelContainers.Facts = ModelContainers.of(
      math.max(1, math.ceil(outputs).toInt),
      shuffle.reducers,
      math.max(1, math.round(shuffle.blockBytes * shuffle.full))
    )

    // A directory, and the containers in it.
    override def first: Ask =
      Ask.of("lookup" -> 6, "mkdir" -> 4) ++ Ask(
        Seq("create" -> 1.0),
        locks = 1
      ) * facts.count.toDouble

    override def map: Ask = Ask(written = shuffle.outputBytes)

    override protected def serve(blocks: Double, isFirst: Boolean): Ask =
      if (isFirst) Ask.of("open" -> 1, "close" -> 1) * facts.count.toDouble else Ask.Nothing

    override protected def direct(owners: Int, isFirst: Boolean): Option[Ask] = None

    override def driver: Ask = Ask.of("lookup" -> 32)

    override def remove: Ask =
      Ask.of("unlink" -> 1, "close" -> 1) * facts.count.toDouble ++
        Ask.of("lookup" -> 11, "opendir" -> 4, "readdir" -> 4, "closedir" -> 4, "rmdir" -> 4)
  }

  /** Ours with map outputs in a shared directory: reducers read them themselves where the real code chooses so. */
  private final class GlobalContainers(shuffle: Shuffle, outputs: Double)
      extends Containers(shuffle, outputs) {

    private val bytes = outputs * shuffle.full * shuffle.blockBytes
    private val isDirect = ModelRoute.isDirect(
      math.ceil(outputs * shuffle.full).toInt,
      facts.reads,
      bytes.toLong,
      isOpen = false
    )

    override protected def direct(owners: Int, isFirst: Boolean): Option[Ask] =
      if (!isDirect) None
      else {
        val blocks = Ask(reads = facts.reads.toDouble, readBytes = bytes)
        val index = Ask(
          Seq("lookup" -> 1.0, "open" -> 1.0),
          facts.indexReads + 1,
          facts.indexBytes
        ) * facts.count.toDouble
        Some((if (isFirst) index ++ blocks else blocks) * owners.toDouble)
      }
  }
}
