package org.apache.spark.shuffle.hpc.read

import java.io.File
import java.nio.ByteBuffer
import java.nio.file.{Path, Paths}
import java.util.concurrent.{Executors, TimeUnit}
import java.util.concurrent.atomic.{AtomicInteger, AtomicLong}
import java.util.zip.CRC32

import org.apache.spark.hpc.scale.SparseContainer
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.ContainerFile
import org.sparkhpc.container.{Block, ContainerHeader, MapOutput}
import org.sparkhpc.file.{DescriptorLimit, FilePool, IdleOrder}

/** What one executor's reducers read of a large shuffle in a shared directory, by the code that executors read with.
  *
  *  - `write DIRECTORY CONTAINERS OUTPUTS PARTITIONS BYTES REDUCERS` makes the containers of a shuffle: each has so many
  *    map outputs, whose blocks have so many bytes. Only the blocks of the first reducers are written.
  *  - `read DIRECTORY CONTAINERS OUTPUTS PARTITIONS BYTES REDUCERS` reads what these reducers get, one after the
  *    other, with four reads at a time. It prints seconds, open files, and the memory of indexes.
  */
object ReducerScale {

  /** Dimensions of a shuffle. */
  private final case class Shape(
      containers: Int,
      outputs: Int,
      partitions: Int,
      bytes: Int,
      reducers: Int
  ) {
    val framed: Long = MapOutput.framed(bytes.toLong)
    def path(directory: Path, container: Int): Path = directory.resolve(s"$container.container")
    def task(container: Int, output: Int): Long = container.toLong * outputs + output
    // Reducers of an executor aren't neighbours.
    def partition(reducer: Int): Int = (reducer * 7919L % partitions).toInt
  }

  def main(args: Array[String]): Unit = {
    val Array(containers, outputs, partitions, bytes, reducers) = args.drop(2).map(_.toInt)
    val shape = Shape(containers, outputs, partitions, bytes, reducers)
    val directory = Paths.get(args(1))
    args(0) match {
      case "write" => (0 until containers).foreach(write(directory, shape, _))
      case "read" => read(directory, shape)
    }
  }

  private def write(directory: Path, shape: Shape, number: Int): Unit = {
    val tasks = (0 until shape.outputs).map(shape.task(number, _))
    val lengths = Array.fill(shape.partitions)(shape.bytes.toLong)
    SparseContainer.make(shape.path(directory, number), 0, tasks, lengths) { (file, begin) =>
      for (reducer <- 0 until shape.reducers)
        file.write(block(shape.bytes, number), begin + shape.partition(reducer) * shape.framed)
    }
  }

  private def block(bytes: Int, content: Int): ByteBuffer = {
    val framed = ByteBuffer.allocate(bytes + ContainerHeader.CrcSize)
    java.util.Arrays.fill(framed.array(), 0, bytes, content.toByte)
    val crc = new CRC32
    crc.update(framed.array(), 0, bytes)
    framed.putInt(bytes, crc.getValue.toInt)
    framed
  }

  private def read(directory: Path, shape: Shape): Unit = {
    val size = FilePool.defaultSize(DescriptorLimit.ofProcess)
    val counts = new RouteCounts
    val pool =
      new FilePool(size, IdleOrder.all.find(_.name == "lifo").get, TimeUnit.MINUTES.toNanos(2))
    val files = new ContainerFiles(pool, counts)
    val threads = Executors.newFixedThreadPool(4)
    def descriptors: Int = new File("/proc/self/fd").list().length
    val before = descriptors
    try
      for (reducer <- 0 until shape.reducers) {
        val begun = System.nanoTime()
        val left = new AtomicInteger(shape.containers)
        val blocks, failed = new AtomicLong
        for (number <- 0 until shape.containers) threads.execute { () =>
          val partition = shape.partition(reducer)
          val wanted = (0 until shape.outputs).map { output =>
            Block(shape.task(number, output), partition, partition + 1)
          }
          try
            files.read(ContainerFile(0, shape.path(directory, number)), wanted) { (_, content) =>
              if (content.isSuccess) blocks.incrementAndGet() else failed.incrementAndGet(): Unit
            }
          finally left.synchronized {
              if (left.decrementAndGet() == 0) left.notifyAll()
            }
        }
        left.synchronized {
          while (left.get > 0) left.wait(1000)
        }
        val seconds = (System.nanoTime() - begun) / 1e9
        println(
          f"reducer=$reducer seconds=$seconds%.2f blocks=${blocks.get} failed=${failed.get} " +
            s"indexMb=${files.indexBytes >> 20} descriptors=${descriptors - before}"
        )
      }
    finally {
      threads.shutdown()
      files.close()
      pool.close()
    }
  }
}
