package org.sparkhpc.container

import java.nio.ByteBuffer
import java.nio.file.{Files, Path}

/** The containers that an executor makes of its outputs of a shuffle: the real writer leases room for each record and
  * writes it to a real index, and the real reader reads that. The outputs' bytes aren't written.
  *
  * All executors of a model have like outputs, so one of them is made.
  */
object ModelContainers {

  /** @param count of the executor's containers
    * @param indexReads how many requests the index of one takes
    * @param indexBytes how many bytes they ask for
    * @param reads how many reads the blocks of one reducer take, in all of them
    */
  final case class Facts(count: Int, indexReads: Int, indexBytes: Long, reads: Int)

  def of(outputs: Int, partitions: Int, blockBytes: Long): Facts = {
    val folder = Files.createTempDirectory("model-containers")
    try {
      val made = write(folder, outputs, partitions, blockBytes)
      val read = made.zipWithIndex.map { case (tasks, number) =>
        val file = new FileBytes(path(folder, number))
        try {
          val counting = new Counting(file)
          val index = ContainerIndex.read(counting)
          val (reads, bytes) = (counting.reads, counting.bytes)
          val reader = new ContainerReader(counting, index)
          val reducer = partitions / 2
          (reads, bytes, reader.count(tasks.map(Block(_, reducer, reducer + 1))))
        } finally file.close()
      }
      Facts(made.size, read.map(_._1).max, read.map(_._2).max, read.map(_._3).sum)
    } finally {
      Files.list(folder).forEach(Files.delete(_))
      Files.delete(folder)
    }
  }

  private def path(folder: Path, number: Int): Path = folder.resolve(s"$number.container")

  /** Returns the outputs in each container. */
  private def write(
      folder: Path,
      outputs: Int,
      partitions: Int,
      blockBytes: Long
  ): Seq[Seq[Long]] = {
    val lengths = Array.fill(partitions)(blockBytes)
    val size = lengths.iterator.map(MapOutput.framed).sum
    def create(number: Int): ContainerWriter =
      ContainerWriter.create(path(folder, number), 0, partitions, Visibility.Guaranteed)
    var containers = Vector(create(0) -> Vector.empty[Long])
    try {
      for (task <- 0L until outputs.toLong) {
        val lease = containers.last._1.lease(partitions).getOrElse {
          containers :+= create(containers.size) -> Vector.empty[Long]
          containers.last._1.lease(partitions).get
        }
        val (container, tasks) = containers.last
        val header = ContainerHeader.read(reading(folder, containers.size - 1), "")
        val extent = Extent(header.dataStart + tasks.size * size, size)
        container.publish(MapOutput.record(task, Seq(extent), lengths), size)
        lease.release()
        containers = containers.init :+ (container -> (tasks :+ task))
      }
      containers.map(_._2)
    } finally containers.foreach(_._1.close())
  }

  private def reading(folder: Path, number: Int): ByteBuffer = {
    val file = new FileBytes(path(folder, number))
    try file.some(ByteBuffer.allocate(ContainerHeader.Size), 0)
    finally file.close()
  }

  /** Counts the reads of a file. */
  private final class Counting(of: Bytes) extends Bytes {
    var reads = 0
    var bytes = 0L

    override def name: String = of.name
    override def read(to: ByteBuffer, position: Long): Int = {
      val count = of.read(to, position)
      if (count >= 0) {
        reads += 1
        bytes += count
      }
      count
    }
  }
}
