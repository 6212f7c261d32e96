package org.apache.spark.shuffle.hpc.serve

import java.nio.file.Path
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger

import scala.util.Random

import org.apache.spark.shuffle.hpc.RoutesFixture
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.read.ContainerFiles
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.container.{ContainerFixture, ContainerWriter, Visibility}
import org.sparkhpc.file.{FilePool, IdleOrder}

/** An executor on this node with twelve disks, and so with twelve containers for a shuffle. */
class NeighboursSuite extends AnyFunSuite with RoutesFixture {

  private val Disks = 12
  private val Outputs = 240
  private val dirs = Array("any")

  private class Neighbour extends AutoCloseable {
    private val paths = Seq.tabulate(Disks)(disk => path.resolve(s"$disk"))
    private val writers =
      paths.map(ContainerWriter.create(_, RoutesFixture.Shuffle, 1, Visibility.Guaranteed))
    private val pool = new FilePool(100, IdleOrder.Lru, TimeUnit.SECONDS.toNanos(60))
    private val files = new ContainerFiles(pool, new RouteCounts)
    val lists = new AtomicInteger
    val neighbours = new Neighbours(
      files,
      (_: Array[String], _: Int) => {
        lists.incrementAndGet()
        paths
      }
    )

    def write(mapTaskId: Int): Unit = ContainerFixture.write(
      writers(mapTaskId % Disks),
      mapTaskId.toLong,
      Seq(Array(mapTaskId.toByte))
    )

    def reads: Long = pool.counts.hits + pool.counts.opens

    def at(mapTaskId: Int): Option[Path] =
      neighbours.container(dirs, RoutesFixture.Shuffle, mapTaskId.toLong).map(_.path)

    def isAtHome(mapTaskId: Int): Boolean = at(mapTaskId).contains(paths(mapTaskId % Disks))

    override def close(): Unit = {
      files.close()
      writers.foreach(_.close())
    }
  }

  private def withNeighbour(use: Neighbour => Unit): Unit = {
    val neighbour = new Neighbour
    try use(neighbour)
    finally neighbour.close()
  }

  test("each index is read once, however many outputs are looked for") {
    withNeighbour { neighbour =>
      (0 until Outputs).foreach(neighbour.write)
      for (output <- new Random(1).shuffle((0 until Outputs).toList))
        assert(neighbour.isAtHome(output), output)
      // The header and the records of each, together.
      assert(neighbour.reads == Disks)
      assert(neighbour.lists.get == 1)
    }
  }

  test("an output that was published since is found") {
    withNeighbour { neighbour =>
      neighbour.write(1)
      assert(neighbour.isAtHome(1))
      (2 to 3).foreach(neighbour.write)
      assert(neighbour.isAtHome(3) && neighbour.isAtHome(2))
    }
  }

  test("an output that is in none is looked for once") {
    withNeighbour { neighbour =>
      neighbour.write(1)
      assert(neighbour.isAtHome(1) && neighbour.at(2).isEmpty)
      val (reads, lists) = (neighbour.reads, neighbour.lists.get)
      assert((1 to 10).forall(_ => neighbour.at(2).isEmpty) && neighbour.isAtHome(1))
      assert(neighbour.reads == reads && neighbour.lists.get == lists)
    }
  }
}
