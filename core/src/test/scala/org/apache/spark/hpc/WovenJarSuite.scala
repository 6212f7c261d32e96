package org.apache.spark.hpc

import java.nio.file.Files

import scala.collection.mutable.ArrayBuffer

import org.scalatest.funsuite.AnyFunSuite

/** What the weave of the real spark-core changed, down to the instruction. */
class WovenJarSuite extends AnyFunSuite {

  private val Repointed = Set(
    "SparkEnv$",
    "SparkContext",
    "api/python/BasePythonRunner",
    "api/python/BasePythonRunner$WriterThread",
    "io/NioBufferedFileInputStream",
    "scheduler/cluster/CoarseGrainedSchedulerBackend$DriverEndpoint$$anonfun$receiveAndReply$1",
    "shuffle/sort/UnsafeShuffleWriter",
    "storage/BlockManager",
    "storage/BlockInfoManager",
    "util/collection/ExternalSorter",
    "util/collection/ExternalSorter$SpillReader",
    "util/collection/ExternalAppendOnlyMap$DiskMapIterator"
  ).map(name => s"org/apache/spark/$name.class")

  /** The hook before a method of each of these classes. */
  private val Prologues = Map(
    "scheduler/cluster/StandaloneSchedulerBackend" -> ("executorRemoved(" -> "ExecutorExits.before"),
    "deploy/SparkHadoopUtil$" ->
      ("appendS3AndSparkHadoopHiveConfigurations(" -> "HadoopSettings.before"),
    "internal/io/FileCommitProtocol$" -> ("instantiate(" -> "CommitProtocols.instantiate")
  ).map { case (name, hook) => s"org/apache/spark/$name.class" -> hook }

  private val Calls = {
    val storage = "org/apache/spark/storage"
    val info = s"$storage/BlockInfo"
    val open =
      "open (Ljava/nio/file/Path;[Ljava/nio/file/OpenOption;)Ljava/nio/channels/FileChannel;"
    val memory = "org/apache/spark/memory"
    val barrier = "org/apache/spark/BarrierTaskContext"
    val python = "org/apache/spark/api/python"
    val manager = s"Lorg/apache/spark/SparkConf;I)L$memory/UnifiedMemoryManager;"
    val conf = "org/apache/spark/SparkConf"
    val cluster = "org/apache/spark/scheduler/cluster"
    val endpoint = s"$cluster/CoarseGrainedSchedulerBackend$$DriverEndpoint"
    val made = "Ljava/lang/String;Lorg/apache/spark/SparkConf;Z)Ljava/lang/Object;"
    Seq.fill(3)(
      "INVOKEVIRTUAL java/io/File.delete ()Z" ->
        s"INVOKESTATIC $storage/hpc/spill/SpillFiles.delete (Ljava/io/File;)Z"
    ) ++ Seq(
      "INVOKEVIRTUAL java/io/File.toPath ()Ljava/nio/file/Path;" ->
        s"INVOKESTATIC $storage/hpc/spill/SpillFiles.place (Ljava/io/File;)Ljava/nio/file/Path;",
      s"INVOKESTATIC java/nio/channels/FileChannel.$open" ->
        s"INVOKESTATIC $storage/hpc/spill/SpillFiles.${open.replace("open", "channel")}",
      s"INVOKEVIRTUAL ${info}Wrapper.withLock (Lscala/Function2;)Ljava/lang/Object;" ->
        s"INVOKESTATIC $storage/hpc/patch/RemovedBlocks.withLock (L${info}Wrapper;Lscala/Function2;)Ljava/lang/Object;",
      s"INVOKEVIRTUAL $storage/DiskBlockManager.localDirs ()[Ljava/io/File;" ->
        s"INVOKESTATIC $storage/hpc/scratch/PythonScratch.directories (L$storage/DiskBlockManager;)[Ljava/io/File;",
      s"INVOKEVIRTUAL org/apache/spark/util/Utils$$.instantiateSerializerOrShuffleManager ($made" ->
        s"INVOKESTATIC org/apache/spark/shuffle/ShuffleManagers.instantiate (Lorg/apache/spark/util/Utils$$;$made",
      s"INVOKEVIRTUAL $memory/UnifiedMemoryManager$$.apply ($manager" ->
        s"INVOKESTATIC $memory/HpcMemoryManager.of (L$memory/UnifiedMemoryManager$$;$manager",
      s"INVOKEVIRTUAL $conf.validateSettings ()V" ->
        s"INVOKESTATIC org/apache/spark/HpcConf.validate (L$conf;)V",
      s"INVOKEVIRTUAL $conf.clone ()L$conf;" ->
        s"INVOKESTATIC org/apache/spark/HpcConf.of (L$conf;)L$conf;",
      s"INVOKEVIRTUAL $endpoint.${endpoint.replace('/', '$')}$$$$sparkProperties ()Lscala/collection/Seq;" ->
        s"INVOKESTATIC $cluster/ToldSettings.of (L$endpoint;)Lscala/collection/Seq;",
      s"INVOKEVIRTUAL $barrier.barrier ()V" ->
        s"INVOKESTATIC $python/PythonBarrier.barrier (L$barrier;)V",
      s"INVOKEVIRTUAL $barrier.allGather (Ljava/lang/String;)[Ljava/lang/String;" ->
        s"INVOKESTATIC $python/PythonBarrier.allGather (L$barrier;Ljava/lang/String;)[Ljava/lang/String;",
      s"INVOKEVIRTUAL $info.writerTask_$$eq (J)V" ->
        s"INVOKESTATIC $storage/hpc/patch/RemovedBlocks.release (L$info;J)V"
    )
  }

  /** Not Spark's code: the build writes these itself. */
  private def isBuildRecord(entry: String): Boolean = entry == "META-INF/MANIFEST.MF"

  test("every entry of the stock jar is there, and only the listed classes differ") {
    val differing = ArrayBuffer.empty[String]
    StockAndWoven.eachStockEntry { (name, stock) =>
      if (!isBuildRecord(name) && !stock.sameElements(StockAndWoven.wovenEntry(name))) {
        differing += name
      }
    }
    assert(differing.toSet == Repointed ++ Prologues.keySet)
  }

  test("in those, exactly the listed places differ: two instructions a construction, one a call") {
    val changes = ArrayBuffer.empty[(String, String)]
    StockAndWoven.eachStockEntry { (name, stock) =>
      if (Repointed(name)) {
        changes ++= changedInstructions(stock, StockAndWoven.wovenEntry(name))
      }
    }
    val expected = Seq(
      "storage/BlockManager" -> "storage/hpc/patch/HpcBlockManager",
      "storage/DiskBlockManager" -> "storage/hpc/scratch/HpcDiskBlockManager",
      "storage/memory/MemoryStore" -> "storage/memory/hpc/HpcMemoryStore",
      "storage/DiskStore" -> "storage/hpc/disk/HpcDiskStore",
      "scheduler/DAGScheduler" -> "scheduler/HpcDAGScheduler"
    ).map { case (stock, ours) => s"org/apache/spark/$stock" -> s"org/apache/spark/$ours" } ++
      Seq("SpillInputStream", "SpillInputStream", "SpillCopyStream")
        .map("java/io/FileInputStream" -> "org/apache/spark/storage/hpc/spill/".concat(_))
    val (calls, others) = changes.partition(Calls.contains)
    assert(calls.sorted == Calls.sorted)
    val constructions = others.map { case (before, after) =>
      val found = expected.find { case (stock, ours) =>
        before.contains(s" $stock") &&
        (before.startsWith("NEW") || before.contains(s"$stock.<init>")) &&
        before.replace(s" $stock", s" $ours") == after
      }
      assert(found.nonEmpty, s"$before | $after")
      found.get
    }
    assert(constructions.sorted == (expected ++ expected).sorted)
  }

  test("where a hook runs before a method, only that method differs, by the hook") {
    var entries = 0
    StockAndWoven.eachStockEntry { (name, stock) =>
      for ((method, hook) <- Prologues.get(name)) {
        entries += 1
        val (before, _) = StockAndWoven.disassemble(stock)
        val (after, _) = StockAndWoven.disassemble(StockAndWoven.wovenEntry(name))
        val changed = before.keySet.filter(method => before(method) != after(method))
        assert(before.keySet == after.keySet && changed.size == 1)
        val added = after(changed.head).size - before(changed.head).size
        assert(changed.head.contains(method))
        assert(after(changed.head).take(added).exists(_.contains(hook)))
      }
    }
    assert(entries == Prologues.size)
  }

  private def changedInstructions(stock: Array[Byte], woven: Array[Byte]): Seq[(String, String)] = {
    val (before, outlineBefore) = StockAndWoven.disassemble(stock)
    val (after, outlineAfter) = StockAndWoven.disassemble(woven)
    assert(outlineBefore == outlineAfter)
    assert(before.keySet == after.keySet)
    before.keys.toSeq.flatMap { method =>
      assert(before(method).size == after(method).size, method)
      before(method).zip(after(method)).collect { case (a, b) if a != b => (a.trim, b.trim) }
    }
  }

  test("the manifest and the site list travel with the classes") {
    for (name <- Seq("weave.manifest", "spark-core.sites", "build.properties"))
      assert(Files.isRegularFile(StockAndWoven.woven.resolve(s"META-INF/spark-hpc/$name")), name)
  }
}
