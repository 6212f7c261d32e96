package org.apache.spark.internal.config

import java.util.concurrent.TimeUnit

import org.apache.spark.network.util.ByteUnit
import org.sparkhpc.tier.StripedDirectory

/** All settings of Spark-HPC, each declared once; docs/configuration.md is generated from this. */
private[spark] object Hpc {

  /** @param values the allowed values, in words that follow "write" */
  final case class Setting(entry: ConfigEntry[_], values: String)

  val Prefix = "spark.hpc."

  val RETENTION_SPILL: ConfigEntry[String] = ConfigBuilder("spark.hpc.retention.spill")
    .doc(
      "What happens to a cached RDD block that doesn't fit in memory, if its storage level has " +
        "no disk, such as MEMORY_ONLY. auto: the block is written to disk and read back from " +
        "there, unless it was observed that computing it again takes less time. A block that " +
        "can't be written or read is computed again, as in stock Spark. always: the block is " +
        "written, however little time computing it takes. never: the block is dropped and " +
        "computed again, as in stock Spark. As a local property of a SparkContext " +
        "(setLocalProperty), the setting holds for the RDDs that jobs of that thread cache."
    )
    .version("3.5.9-hpc-1")
    .stringConf
    .checkValues(Set("auto", "always", "never"))
    .createWithDefault("auto")

  val RETENTION_POLICY: ConfigEntry[String] = ConfigBuilder("spark.hpc.retention.policy")
    .doc(
      "Which cached block is evicted first. loop: the block that is expected to be read last, by " +
        "what such blocks did in the loop so far; lineage and costs are observed. lru: the block " +
        "that was used least recently, as in stock Spark. lrc: the block that running jobs will " +
        "read least often."
    )
    .version("3.5.9-hpc-1")
    .stringConf
    .checkValues(Set("lru", "loop", "lrc"))
    .createWithDefault("loop")

  val RETENTION_TRACE: OptionalConfigEntry[String] = ConfigBuilder("spark.hpc.retention.trace")
    .doc(
      "A directory to which each executor writes what happens to its cached blocks, as " +
        "APPLICATION-EXECUTOR.trace. A trace can be replayed with other policies and other sizes " +
        "of memory. Unset, nothing is written."
    )
    .version("3.5.9-hpc-1")
    .stringConf
    .checkValue(
      _.startsWith("/"),
      "it must be an absolute path that executors see, such as /scratch/traces"
    )
    .createOptional

  val RETENTION_COPY_AHEAD
      : OptionalConfigEntry[Double] = ConfigBuilder("spark.hpc.retention.copyAhead")
    .doc(
      "The share of the memory for blocks and shuffles that can be freed at once: it is free, " +
        "or holds cached blocks that a background thread has already written to disk. The share " +
        "grows to a half if tasks need more. 0: a block is written by the thread that needs its " +
        "memory, and no block is written to a shared file system. Unset, it is 0.05 if " +
        "spark.local.dir is on a shared file system, and 0 otherwise, because the background " +
        "thread also writes blocks that would never have been evicted."
    )
    .version("3.5.9-hpc-1")
    .doubleConf
    .checkValue(share => share >= 0 && share <= 0.5, "it must be from 0 to 0.5")
    .createOptional

  val RETENTION_RESERVE: OptionalConfigEntry[Long] = ConfigBuilder("spark.hpc.retention.reserve")
    .doc(
      "The free space that spilled cache blocks leave on the file system of each directory in " +
        "spark.local.dir. If a shuffle or a sort needs that space, spilled blocks are deleted, " +
        "the oldest first. Unset, it is a tenth of the file system, at most 4 GiB."
    )
    .version("3.5.9-hpc-1")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ >= 0, "it must be 0 or more bytes, such as 2g")
    .createOptional

  val SCRATCH: OptionalConfigEntry[String] = ConfigBuilder("spark.hpc.scratch.tiers")
    .doc(
      "Where spills, and blocks that are kept on disk, go: an ordered list of tiers. A file " +
        "goes to the first tier that has room, and continues in the next tier if that one becomes " +
        "full. A tier is kind:directory. The kind is memory (a tmpfs), burst, local or global; " +
        "the directory may contain the node's variables. Options follow a question mark and are " +
        "joined by &, such as ?capacity=8g&reserve=1g. capacity=8g: what the executors of a node " +
        "may use of it. reserve=1g: what they leave free. stripes=4: over how many targets a " +
        "Lustre spreads a file (-1: all targets); unset, 4 if map outputs may go there and the " +
        "directory has Lustre's own default layout. auto: the tiers that are found on the node. " +
        "Shuffle files of Spark's own writers go to the last disk, or to the last tier of all. " +
        "Unset, everything is in spark.local.dir, which is a tier if it is on a shared file " +
        "system, and otherwise is used as in stock Spark. Under the site module, the site's tiers " +
        "are the default."
    )
    .version("3.5.9-hpc-1")
    .stringConf
    .createOptional

  val SCRATCH_KEPT: ConfigEntry[Long] = ConfigBuilder("spark.hpc.scratch.kept")
    .doc(
      "In a tier on a shared file system, the files of deleted spills stay open and are used " +
        "for the next spills. This is how many bytes of such files an executor keeps. 0: each " +
        "spill has a file of its own."
    )
    .version("3.5.9-hpc-1")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ >= 0, "it must be 0 or more bytes, such as 256m")
    .createWithDefaultString("256m")

  /** Not to be set by users: the driver's decision, for its Environment page. */
  val SCRATCH_DECIDED: OptionalConfigEntry[String] = ConfigBuilder("spark.hpc.scratch.decided")
    .doc("Set by Spark-HPC: which scratch tiers the driver has, and why.")
    .version("3.5.9-hpc-1")
    .stringConf
    .createOptional

  val SCRATCH_KIND: ConfigEntry[String] = ConfigBuilder("spark.hpc.scratch.kind")
    .doc(
      "The kind of file system of spark.local.dir. auto: as the mount table says; a file system " +
        "that Spark-HPC doesn't know counts as local. memory: a tmpfs. local: a disk of the node. " +
        "shared: other nodes see it as well, and a write may have to wait for other machines, so " +
        "nothing is written there while others wait for Spark's memory manager."
    )
    .version("3.5.9-hpc-1")
    .stringConf
    .checkValues(Set("auto", "memory", "local", "shared"))
    .createWithDefault("auto")

  val GRAPHX_ENGINE: ConfigEntry[String] = ConfigBuilder("spark.hpc.graphx.engine")
    .doc(
      "What computes GraphX's PageRank, connected components and shortest paths, and reads its " +
        "edge lists. auto: sparse products over compressed rows, with the same results, and a " +
        "parser that makes no objects. If a graph doesn't suit them, Spark's own code computes " +
        "it, and the log says so. stock: Spark's own code."
    )
    .version("3.5.9-hpc-1")
    .stringConf
    .checkValues(Set("auto", "stock"))
    .createWithDefault("auto")

  val FILES_ENABLED: ConfigEntry[Boolean] = ConfigBuilder("spark.hpc.files.enabled")
    .doc(
      "Whether files that applications read and write under file: go through Spark-HPC's Hadoop " +
        "file system. On a shared file system, it opens a file once for all readers of an " +
        "executor, and keeps no checksum files. spark.hadoop.fs.file.impl names another one."
    )
    .version("3.5.9-hpc-1")
    .booleanConf
    .createWithDefault(true)

  val FILES_CHECKSUMS: ConfigEntry[String] = ConfigBuilder("spark.hpc.files.checksums")
    .doc(
      "Where Hadoop's checksum files (.NAME.crc) are written and verified, which double the " +
        "metadata requests. auto: on local file systems, as in stock Spark, and not on shared " +
        "ones. always: everywhere, as in stock Spark. never: nowhere."
    )
    .version("3.5.9-hpc-1")
    .stringConf
    .checkValues(Set("auto", "always", "never"))
    .createWithDefault("auto")

  val FILES_COMMITTER: ConfigEntry[String] = ConfigBuilder("spark.hpc.files.committer")
    .doc(
      "How SQL commits the files that it writes on a shared file system. auto: tasks write to a " +
        "hidden directory of the job, and the driver renames each file once. stock: by Spark's " +
        "own protocol. spark.sql.sources.commitProtocolClass names another one."
    )
    .version("3.5.9-hpc-1")
    .stringConf
    .checkValues(Set("auto", "stock"))
    .createWithDefault("auto")

  val FILES_KIND: ConfigEntry[String] = ConfigBuilder("spark.hpc.files.kind")
    .doc(
      "The kind of file system of applications' files. auto: as the mount table says for each " +
        "file; a file system that Spark-HPC doesn't know counts as local. local: files are opened " +
        "by each reader, as in stock Spark. shared: other nodes see the files as well."
    )
    .version("3.5.9-hpc-1")
    .stringConf
    .checkValues(Set("auto", "local", "shared"))
    .createWithDefault("auto")

  val PROFILE_INTERVAL: ConfigEntry[Long] = ConfigBuilder("spark.hpc.profile.interval")
    .doc(
      "The mean time between two looks at the stack of each thread that runs a task. From what the " +
        "thread does at these moments, spark-hpc report divides the time of each stage. 0: no " +
        "thread is looked at, and executors send no figures to the driver."
    )
    .version("3.5.9-hpc-1")
    .timeConf(TimeUnit.MILLISECONDS)
    .checkValue(millis => millis == 0 || millis >= 5, "it must be 0 or at least 5ms")
    .createWithDefaultString("100ms")

  val PROFILE_PROGRESS: ConfigEntry[Long] = ConfigBuilder("spark.hpc.profile.progress")
    .doc(
      "The least time between two log lines of the driver on the progress of a stage. A line says " +
        "what the stage's tasks did since the line before. 0: there are no such lines."
    )
    .version("3.5.9-hpc-1")
    .timeConf(TimeUnit.MILLISECONDS)
    .checkValue(millis => millis == 0 || millis >= 1000, "it must be 0 or at least 1s")
    .createWithDefaultString("30s")

  val POOL_ENABLED: ConfigEntry[Boolean] = ConfigBuilder("spark.hpc.pool.enabled")
    .doc(
      "Whether spills and cached blocks on disk are read through a pool of files that stay " +
        "open. Stock Spark opens a file for each batch of records and for each block."
    )
    .version("3.5.9-hpc-1")
    .booleanConf
    .createWithDefault(true)

  val POOL_SIZE: OptionalConfigEntry[Int] = ConfigBuilder("spark.hpc.pool.size")
    .doc(
      "The most files that the pool of an executor keeps open. If there is no room, a read " +
        "waits until another read ends. Unset, it is half of the files that the process may have " +
        "open (ulimit -n), at most 16384."
    )
    .version("3.5.9-hpc-1")
    .intConf
    .checkValue(_ > 0, "it must be 1 or more files, such as 512")
    .createOptional

  val POOL_POLICY: ConfigEntry[String] = ConfigBuilder("spark.hpc.pool.policy")
    .doc(
      "Which file a full pool closes to open another one. lifo: the file that was read last, " +
        "which is best for merges that read more files in turn than there is room for. lru: the " +
        "file that was read least recently. fifo: the file that was opened first."
    )
    .version("3.5.9-hpc-1")
    .stringConf
    .checkValues(Set("lifo", "lru", "fifo"))
    .createWithDefault("lifo")

  val POOL_TIMEOUT: ConfigEntry[Long] = ConfigBuilder("spark.hpc.pool.timeout")
    .doc(
      "How long a read waits for room in a full pool before its task fails."
    )
    .version("3.5.9-hpc-1")
    .timeConf(TimeUnit.MILLISECONDS)
    .checkValue(_ > 0, "it must be more than 0, such as 120s")
    .createWithDefaultString("120s")

  val SHUFFLE_PLACEMENT: ConfigEntry[String] = ConfigBuilder("spark.hpc.shuffle.placement")
    .doc(
      "Where map outputs go if spark.shuffle.manager is unset. fastest: to " +
        "spark.hpc.scratch.tiers, or else to spark.local.dir. An executor's outputs are lost with " +
        "it, as in stock Spark, unless it is decommissioned and spark.hpc.scratch.tiers has a " +
        "global tier. global: to spark.hpc.shuffle.directory. No map task runs again when an " +
        "executor or a node is lost, and executors can be released while others still need their " +
        "outputs."
    )
    .version("3.5.9-hpc-1")
    .stringConf
    .checkValues(Set("fastest", "global"))
    .createWithDefault("fastest")

  val SHUFFLE_CONTAINERS: ConfigEntry[Boolean] =
    ConfigBuilder("spark.hpc.shuffle.containers.enabled")
      .doc(
        "Whether an executor writes its map outputs of a shuffle to one file, also with " +
          "spark.hpc.shuffle.placement=fastest. It writes Spark's own files anyway if something " +
          "else reads these: an external shuffle service, push-based shuffle or the fallback " +
          "storage of decommissioning."
      )
      .version("3.5.9-hpc-1")
      .booleanConf
      .createWithDefault(true)

  val SHUFFLE_DIRECTORY: OptionalConfigEntry[String] =
    ConfigBuilder("spark.hpc.shuffle.directory")
      .doc(
        "The directory for map outputs with spark.hpc.shuffle.placement=global. It is on the " +
          "shared file system, and the driver and all executors see it under this name. The " +
          "application makes a directory of its own in it, and removes that when it ends. On " +
          "Lustre, its files are spread over 4 targets, unless the directory has another layout " +
          "than Lustre's own default; ?stripes=8 behind the directory sets the number (-1: all " +
          "targets)."
      )
      .version("3.5.9-hpc-1")
      .stringConf
      .checkValue(
        StripedDirectory.parse(_).isRight,
        "it must be an absolute path, such as /scratch/you/spark?stripes=4"
      )
      .createOptional

  val SHUFFLE_ROUTE: ConfigEntry[String] = ConfigBuilder("spark.hpc.shuffle.route")
    .doc(
      "How a reducer first tries to read a map output on the shared file system; if that fails, " +
        "it tries the other way. direct: from the file system. network: from the executor that " +
        "wrote the output. auto: small blocks from their executor, large ones from the file " +
        "system, unless recent reads show that the other way is faster."
    )
    .version("3.5.9-hpc-1")
    .stringConf
    .checkValues(Set("auto", "direct", "network"))
    .createWithDefault("auto")

  val SHUFFLE_NETWORK_TIMEOUT: ConfigEntry[Long] =
    ConfigBuilder("spark.hpc.shuffle.network.timeout")
      .doc(
        "How long a reducer waits for an executor that sends nothing, when it has requested map " +
          "outputs on the shared file system from it. After that it doesn't ask this executor for a " +
          "minute, and reads the files itself, unless it has tried that."
      )
      .version("3.5.9-hpc-1")
      .timeConf(TimeUnit.MILLISECONDS)
      .checkValue(_ > 0, "it must be a time of more than 0, such as 10s")
      .createWithDefaultString("10s")

  val SHUFFLE_DIRECT_TIMEOUT: ConfigEntry[Long] =
    ConfigBuilder("spark.hpc.shuffle.direct.timeout")
      .doc(
        "With the route direct: if the shared file system doesn't answer for this long, a reducer " +
          "requests map outputs from the executors that wrote them. It reads no others directly " +
          "until the file system has answered, unless there is no other way."
      )
      .version("3.5.9-hpc-1")
      .timeConf(TimeUnit.MILLISECONDS)
      .checkValue(_ > 0, "it must be a time of more than 0, such as 10s")
      .createWithDefaultString("10s")

  val SHUFFLE_DURABILITY: ConfigEntry[String] = ConfigBuilder("spark.hpc.shuffle.durability")
    .doc(
      "What map outputs on the shared file system survive. executor: the end of their executor. " +
        "If a node crashes or is evicted, outputs that it had not sent yet are computed again. " +
        "node: also the crash of a node; each output is synchronized before it is reported."
    )
    .version("3.5.9-hpc-1")
    .stringConf
    .checkValues(Set("executor", "node"))
    .createWithDefault("executor")

  /** Names of settings before, with what they are now. */
  val renamed: Map[String, String] = Map(
    "spark.hpc.scratch" -> SCRATCH.key,
    "spark.hpc.shuffle.containers" -> SHUFFLE_CONTAINERS.key,
    "spark.hpc.shuffle.ownerDeadline" -> SHUFFLE_NETWORK_TIMEOUT.key,
    "spark.hpc.shuffle.directDeadline" -> SHUFFLE_DIRECT_TIMEOUT.key
  )

  val settings: Seq[Setting] = Seq(
    Setting(RETENTION_SPILL, "`auto`, `always` or `never`"),
    Setting(RETENTION_POLICY, "`loop`, `lru` or `lrc`"),
    Setting(RETENTION_TRACE, "an absolute path that executors see, such as `/scratch/traces`"),
    Setting(RETENTION_COPY_AHEAD, "a share from 0 to 0.5"),
    Setting(RETENTION_RESERVE, "a size, such as `2g`"),
    Setting(GRAPHX_ENGINE, "`auto` or `stock`"),
    Setting(FILES_ENABLED, "`true` or `false`"),
    Setting(FILES_CHECKSUMS, "`auto`, `always` or `never`"),
    Setting(FILES_COMMITTER, "`auto` or `stock`"),
    Setting(FILES_KIND, "`auto`, `local` or `shared`"),
    Setting(PROFILE_INTERVAL, "a time of at least 5 ms, such as `100ms`, or `0`"),
    Setting(PROFILE_PROGRESS, "a time of at least 1 s, such as `30s`, or `0`"),
    Setting(POOL_ENABLED, "`true` or `false`"),
    Setting(POOL_SIZE, "a number of files above 0, such as `512`"),
    Setting(POOL_POLICY, "`lifo`, `lru` or `fifo`"),
    Setting(POOL_TIMEOUT, "a time above 0, such as `120s`"),
    Setting(
      SCRATCH,
      "`auto`, or tiers such as `memory:/dev/shm?capacity=8g,local:$SLURM_TMPDIR,global:$PSCRATCH`"
    ),
    Setting(SCRATCH_KIND, "`auto`, `memory`, `local` or `shared`"),
    Setting(SCRATCH_KEPT, "a size, such as `256m`"),
    Setting(SHUFFLE_PLACEMENT, "`fastest` or `global`"),
    Setting(SHUFFLE_CONTAINERS, "`true` or `false`"),
    Setting(SHUFFLE_DIRECTORY, "an absolute path, such as `/scratch/you?stripes=8`"),
    Setting(SHUFFLE_ROUTE, "`auto`, `direct` or `network`"),
    Setting(SHUFFLE_NETWORK_TIMEOUT, "a time above 0, such as `10s`"),
    Setting(SHUFFLE_DIRECT_TIMEOUT, "a time above 0, such as `10s`"),
    Setting(SHUFFLE_DURABILITY, "`executor` or `node`")
  )
}
