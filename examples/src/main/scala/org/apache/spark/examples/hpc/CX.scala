package org.apache.spark.examples.hpc

import java.util.Random

import breeze.linalg.{pinv, DenseMatrix}
import scopt.OParser

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.storage.StorageLevel

/** CX, a low-rank decomposition A = C X whose C are columns of A itself, as Gittens et al. ran it
  * on supercomputers ("Matrix Factorizations at Scale", IEEE Big Data 2016).
  *
  * Its four phases are timed: the matrix is laid out, loaded, multiplied in power iterations, and
  * columns are picked by their leverage scores.
  */
object CX extends WithoutFiles[CXOptions] {
  import builder._

  override protected def label: String = "cx"
  override protected def defaults: CXOptions = CXOptions()

  override private[hpc] def work(spark: SparkSession, o: CXOptions, phases: Phases): Outcome = {
    val sc = spark.sparkContext
    val numbers = phases("layout") {
      val numbers = sc.range(0, o.rows, numSlices = o.partitions)
      Answer.equal("rows", o.rows, numbers.count())
      numbers
    }
    val blocks = phases("load") {
      val blocks = matrix(numbers, o).persist(StorageLevel.fromString(o.storageLevel))
      blocks.count()
      blocks
    }
    val leverage = new LeverageScores(blocks, o.columns, o.rank)
    val basis = phases("power")((1 to o.iterations).foldLeft(start(o)) { (basis, _) =>
      leverage.step(basis)
    })
    val chosen = phases("finalize") {
      leverage.scores(basis).zipWithIndex.sortBy(-_._1).take(o.rank).map(_._2).toSeq
    }
    check(blocks, o, chosen)
    Outcome.checked(
      "rows" -> o.rows,
      "columns" -> o.columns,
      "rank" -> o.rank,
      "iterations" -> o.iterations,
      "partitions" -> o.partitions
    )
  }

  /** The rows of each partition as blocks. */
  private[hpc] def matrix(numbers: RDD[Long], o: CXOptions): RDD[DenseMatrix[Double]] = {
    val (planted, columns) = (o.planted, o.columns)
    numbers.mapPartitions { rows =>
      rows.map(planted.row).grouped(RowsOfBlock).map { rows =>
        DenseMatrix.create(columns, rows.size, rows.flatten.toArray).t
      }
    }
  }

  /** The chosen columns are the planted ones, and the matrix can be made from them but for noise. */
  private[hpc] def check(
      blocks: RDD[DenseMatrix[Double]],
      o: CXOptions,
      chosen: Seq[Int]
  ): Unit = {
    Answer.equal("columns chosen", o.planted.planted.sorted, chosen.sorted)
    // |A - C C+ A|^2 = |A|^2 - |C C+ A|^2, of which only C'A and C'C are as wide as A.
    val (all, withAll) = blocks.map { block =>
      val some = block(::, chosen).toDenseMatrix
      (block.data.map(x => x * x).sum, some.t * block)
    }.treeReduce((one, other) => (one._1 + other._1, one._2 + other._2))
    val withSome = withAll(::, chosen).toDenseMatrix
    val explained = (pinv(withSome) * withAll) *:* withAll
    val error = math.sqrt(math.max(all - explained.data.sum, 0.0) / o.rows)
    Answer.atMost("error of a row", 2 * PlantedColumns.Noise, error)
  }

  /** Random directions, some more than the rank. */
  private def start(o: CXOptions): DenseMatrix[Double] = {
    val random = new Random(o.seed)
    DenseMatrix.fill(o.columns, math.min(o.rank + Oversampling, o.columns))(random.nextGaussian())
  }

  private val RowsOfBlock = 1024
  private val Oversampling = 8

  override protected val syntax: OParser[_, CXOptions] = OParser.sequence(
    programName("CX"),
    head("CX decomposition of a tall matrix with planted columns"),
    amount("rows", 1).action((x, o) => o.copy(rows = x)).text("default 20000"),
    count("columns", 2, 1 << 16).action((x, o) => o.copy(columns = x)).text("default 200"),
    count("rank", 1, 1 << 10).action((x, o) => o.copy(rank = x)).text("default 8"),
    count("iterations", 1).action((x, o) => o.copy(iterations = x)).text("default 5"),
    count("partitions", 1).action((x, o) => o.copy(partitions = x)).text("default 16"),
    storageLevel.action((x, o) => o.copy(storageLevel = x))
      .text("of the matrix; default MEMORY_ONLY"),
    seed.action((x, o) => o.copy(seed = x)),
    help("help").text("print this"),
    checkConfig { o =>
      if (o.columns < 4 * o.rank) {
        failure(s"--columns ${o.columns}: must be at least 4 for each rank")
      } else if (o.rows < 4L * o.columns) {
        failure(s"--rows ${o.rows}: must be at least 4 for each column; the matrix is a tall one")
      } else success
    }
  )
}

/** The size of the matrix, and of what it is decomposed into. */
final case class CXOptions(
    rows: Long = 20000,
    columns: Int = 200,
    rank: Int = 8,
    iterations: Int = 5,
    partitions: Int = 16,
    storageLevel: String = "MEMORY_ONLY",
    seed: Long = 1
) {

  def planted: PlantedColumns = new PlantedColumns(columns, rank, seed)
}
