package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite

class StorageClassesSuite extends AnyFunSuite {

  private val patched = StorageClasses(
    "1",
    "host",
    "o.a.HpcBlockManager",
    "o.a.HpcMemoryStore",
    "o.a.HpcDiskBlockManager",
    "o.a.HpcDiskStore",
    "3.5.9-hpc-1"
  )

  test("processes that all run our classes pass") {
    assert(StorageClasses.complaint(Seq(patched, patched.copy(executor = "driver"))).isEmpty)
  }

  test("one stock class in one process is named") {
    for (
      stock <- Seq(
        patched.copy(executor = "2", blockManager = "o.a.BlockManager"),
        patched.copy(executor = "2", memoryStore = "o.a.MemoryStore"),
        patched.copy(executor = "2", diskBlockManager = "o.a.DiskBlockManager"),
        patched.copy(executor = "2", diskStore = "o.Hpc.DiskStore")
      )
    ) {
      val complaint = StorageClasses.complaint(Seq(patched, stock)).get
      assert(complaint.startsWith("1 of 2 processes run stock classes"))
      assert(complaint.contains(s"executor=2 with ${stock.unpatched.mkString}"))
      assert(!complaint.contains("\n"))
    }
  }

  test("processes of different versions are refused") {
    val complaint = StorageClasses.complaint(Seq(patched, patched.copy(version = "3.5.9-hpc-2")))
    assert(complaint.exists(_.contains("3.5.9-hpc-1, 3.5.9-hpc-2")))
  }

  test("a line has one key=value for each thing asked for") {
    assert(patched.toString == "executor=1 host=host blockManager=o.a.HpcBlockManager " +
      "memoryStore=o.a.HpcMemoryStore diskBlockManager=o.a.HpcDiskBlockManager " +
      "diskStore=o.a.HpcDiskStore version=3.5.9-hpc-1")
  }

  test("a class path without our build properties is stock") {
    assert(BuildVersion.from(ClassLoader.getSystemClassLoader.getParent) == "stock")
  }
}
