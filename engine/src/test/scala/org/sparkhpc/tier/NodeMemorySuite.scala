package org.sparkhpc.tier

import java.nio.file.{Files, Path}

import org.apache.commons.io.FileUtils
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class NodeMemorySuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** A machine of 16 GiB with these files. */
  private def limit(files: (String, String)*): Option[Long] = {
    val root = Files.createTempDirectory("memory")
    def write(name: String, text: String): Path = {
      val file = root.resolve(name)
      Files.createDirectories(file.getParent)
      Files.write(file, text.getBytes)
    }
    try {
      write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:        1 kB\n")
      for ((name, text) <- files) write(name, text)
      NodeMemory.limit(root)
    } finally FileUtils.deleteDirectory(root.toFile)
  }

  private def gib(n: Int): Option[Long] = Some(n.toLong << 30)

  test("without control groups it is what the machine has") {
    assert(limit() == gib(16))
  }

  test("v2: the smallest limit of the group and those above it") {
    val group = "proc/self/cgroup" -> "0::/slurm/job_7/step\n"
    val v2 = "sys/fs/cgroup/"
    val above = s"${v2}slurm/memory.max" -> "max\n"
    val job = s"${v2}slurm/job_7/memory.max" -> (4L << 30).toString
    val step = s"${v2}slurm/job_7/step/memory.max" -> (6L << 30).toString
    assert(limit(group, above, job, step) == gib(4))
    assert(limit(group, above) == gib(16))
  }

  test("v1: of the memory controller alone; no limit is a very large one") {
    val groups = "5:cpu,cpuacct:/a\n4:memory:/job\n"
    val v1 = "sys/fs/cgroup/memory/"
    val unlimited = s"${v1}memory.limit_in_bytes" -> "9223372036854771712\n"
    val cpu = "sys/fs/cgroup/memory/a/memory.limit_in_bytes" -> "1"
    assert(limit("proc/self/cgroup" -> groups, unlimited, cpu) == gib(16))
    val job = s"${v1}job/memory.limit_in_bytes" -> (3L << 30).toString
    assert(limit("proc/self/cgroup" -> groups, unlimited, job) == gib(3))
  }

  test("in a container whose group's path leads nowhere, the one at the top counts") {
    val group = "proc/self/cgroup" -> "0::/../../system.slice/docker\n"
    assert(limit(group, "sys/fs/cgroup/memory.max" -> (2L << 30).toString) == gib(2))
    val deep = "proc/self/cgroup" -> "0::/docker/abc\n"
    assert(limit(deep, "sys/fs/cgroup/memory.max" -> (2L << 30).toString) == gib(2))
  }

  test("all shares and heaps together stay below the limit, and a share is never negative") {
    val bytes = Gen.choose(0L, 1L << 40)
    forAll(bytes, Gen.choose(1, 64), bytes, bytes) { (limit, executors, heap, others) =>
      val share = NodeMemory.share(limit, executors, heap, others)
      assert(share >= 0)
      assert(share == 0 || executors * (share + heap + others) <= limit)
    }
  }

  test("this machine has some") {
    assert(NodeMemory.limit().exists(_ > (64L << 20)))
  }
}
