package org.apache.spark.hpc.profile

import com.google.common.cache.{CacheBuilder, CacheLoader, LoadingCache}

/** Tells from a thread's stack what the thread does ([[Activity]]) and for which part of a task ([[Purpose]]).
  *
  *  1. The innermost call decides on the activity if it is a call of the operating system. If the thread waits,
  *     the innermost frame that a rule for waits names decides, and otherwise a serializer near the innermost frame.
  *  1. The innermost frame that belongs to one part of a task decides on the purpose. Spark nests them: a shuffle's
  *     writer calls the user's function, which reads a cached block, which was spilled.
  *
  * Not thread-safe.
  */
private[spark] final class StackClassifier {
  import StackClassifier._

  private val waits = new Rules(Waits)
  private val serializers = new Rules(Serializers)
  private val purposes = new Rules(Purposes)

  /** @param isRunning the thread is neither blocked nor does it wait */
  def activity(stack: Array[StackTraceElement], isRunning: Boolean): String = {
    val called = stack.headOption.flatMap(SystemCalls.activity)
    if (!isRunning || stack.headOption.exists(SystemCalls.isWait))
      waits.first(stack).getOrElse(Activity.Wait)
    else if (called.contains(Activity.Network)) waits.first(stack).getOrElse(Activity.Network)
    else
      called.orElse(serializers.first(stack, SerializerDepth)).getOrElse(Activity.Compute)
  }

  def purpose(stack: Array[StackTraceElement]): String =
    purposes.first(stack).getOrElse(Purpose.Task)
}

private object StackClassifier {

  /** Rules by the beginnings of class names; the first one that matches holds. */
  private final class Rules(rules: Seq[(String, Option[String])]) {
    // Programs make classes while they run.
    private val known: LoadingCache[String, Option[String]] = CacheBuilder
      .newBuilder()
      .maximumSize(10000)
      .concurrencyLevel(1)
      .build(new CacheLoader[String, Option[String]] {
        override def load(name: String): Option[String] =
          rules.find { case (prefix, _) => name.startsWith(prefix) }.flatMap(_._2)
      })

    def first(stack: Array[StackTraceElement], depth: Int = Int.MaxValue): Option[String] =
      stack.iterator.take(depth).map(frame => known.get(frame.getClassName)).collectFirst {
        case Some(answer) => answer
      }
  }

  // Deeper frames belong to what uses the serializer, such as the user's function in a nested iterator.
  private val SerializerDepth = 12

  private def each(answer: String, prefixes: String*): Seq[(String, Option[String])] =
    prefixes.map(_ -> Some(answer))

  /** Frames of these classes say nothing; the search goes on with the frame that called. */
  private def none(prefixes: String*): Seq[(String, Option[String])] = prefixes.map(_ -> None)

  private val Serializers = each(
    Activity.Serialize,
    "com.esotericsoftware.kryo.",
    "com.twitter.chill.",
    "org.apache.spark.serializer.",
    "java.io.ObjectOutputStream",
    "java.io.ObjectInputStream",
    "net.jpountz.",
    "com.github.luben.zstd.",
    "org.xerial.snappy.",
    "com.ning.compress."
  )

  private val Waits =
    each(
      Activity.Python,
      "org.apache.spark.api.python.",
      "org.apache.spark.sql.execution.python."
    ) ++
      each(Activity.Disk, "org.sparkhpc.tier.DiskThreads") ++
      each(Activity.Memory, "org.apache.spark.memory.") ++
      each(
        Activity.Network,
        "org.apache.spark.storage.ShuffleBlockFetcherIterator",
        "org.apache.spark.shuffle.hpc.read.",
        "org.apache.spark.network.",
        "org.apache.spark.rpc."
      )

  private val Purposes =
    each(
      Purpose.ShuffleRead,
      "org.apache.spark.storage.ShuffleBlockFetcherIterator",
      "org.apache.spark.shuffle.BlockStoreShuffleReader",
      "org.apache.spark.shuffle.hpc.read.",
      "org.apache.spark.shuffle.hpc.serve."
    ) ++ each(
      Purpose.Spill,
      "org.apache.spark.util.collection.Spillable",
      "org.apache.spark.util.collection.ExternalAppendOnlyMap$DiskMapIterator",
      "org.apache.spark.util.collection.ExternalSorter$SpillReader",
      "org.apache.spark.util.collection.unsafe.sort.UnsafeSorterSpill",
      "org.apache.spark.storage.hpc.spill."
    ) ++ each(
      Purpose.Cache,
      "org.apache.spark.storage.hpc.cache.",
      "org.apache.spark.storage.hpc.disk.",
      "org.apache.spark.storage.memory.",
      "org.apache.spark.storage.DiskStore"
    ) ++ each(Purpose.Broadcast, "org.apache.spark.broadcast.") ++ each(
      Purpose.ShuffleWrite,
      "org.apache.spark.shuffle.",
      "org.apache.spark.util.collection.ExternalSorter"
    ) ++ each(
      Purpose.Input,
      "org.apache.spark.rdd.HadoopRDD",
      "org.apache.spark.rdd.NewHadoopRDD",
      "org.apache.spark.sql.execution.datasources.FileScanRDD",
      "org.apache.spark.sql.execution.datasources.RecordReaderIterator"
    ) ++ each(
      Purpose.Output,
      "org.apache.spark.internal.io.",
      "org.apache.spark.sql.execution.datasources.FileFormatWriter",
      "org.apache.spark.sql.execution.datasources.FileFormatDataWriter",
      "org.apache.spark.sql.execution.datasources.SingleDirectoryDataWriter"
    ) ++ each(
      Purpose.Task,
      "org.apache.spark.rdd.",
      "org.apache.spark.sql.",
      "org.apache.spark.graphx.",
      "org.apache.spark.ml",
      "org.apache.spark.examples.",
      "org.apache.spark.api.",
      "org.apache.spark.Aggregator"
    ) ++ none(
      "org.apache.spark.",
      "org.sparkhpc.",
      "java.",
      "javax.",
      "jdk.",
      "sun.",
      "com.sun.",
      "scala.",
      "com.esotericsoftware.",
      "com.twitter.chill.",
      "net.jpountz.",
      "com.github.luben.",
      "org.xerial.",
      "com.ning.",
      "io.netty.",
      "com.google.",
      "org.apache.hadoop.",
      "org.apache.commons.",
      "org.apache.parquet.",
      "org.apache.orc."
    ) ++ each(Purpose.Task, "")
}
