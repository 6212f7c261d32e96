package org.apache.spark.shuffle.hpc

import org.apache.spark.hpc.container._
import org.scalatest.funsuite.AnyFunSuite

class ContainerFilesSuite extends AnyFunSuite with RoutesFixture {

  test("who began to read before outputs were merged soon reads the merges") {
    val container = ContainerFile(3, path.resolve("one"))
    val tasks = 0L until 40L
    val writer = ContainerWriter.create(container.path, 3, 100, isForced = false)
    val counts = new RouteCounts
    val files = containers(counts)
    try {
      for (task <- tasks)
        ContainerFixture.write(writer, task, Seq.fill(100)(Array.fill(1000)(task.toByte)))
      // More than are read without looking.
      def reads(requests: Int): (Long, Long) = {
        val before = (counts.directReads.getCount, counts.mergedReads.getCount)
        for (request <- 1 to requests)
          files.read(container, tasks.map(Block(_, request, request + 1))) { (block, content) =>
            assert(content.get.get(0) == block.mapTaskId)
          }
        (counts.directReads.getCount - before._1, counts.mergedReads.getCount - before._2)
      }
      assert(reads(2) == ((80, 0)))
      val bytes = new FileBytes(container.path)
      try {
        val outputs = tasks.map(ContainerIndex.read(bytes).get(_).get)
        assert(new MergeWriter(writer, outputs).write(() => true))
      } finally bytes.close()
      assert(reads(10) == ((10, 10)))
    } finally {
      files.close()
      writer.close()
    }
  }
}
