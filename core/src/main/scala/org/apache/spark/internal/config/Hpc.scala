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
      "What becomes of a cached RDD block whose storage level has no disk, such as MEMORY_ONLY, " +
        "when there is no room for it in memory. auto: it is written to spark.local.dir and read " +
        "back from there, unless computing it again was seen to take less; a block that can't be " +
        "written or read is computed again, as in stock Spark. always: it is written however little " +
        "computing it takes. never: it is dropped and computed " +
        "again, as in stock Spark. As a local property of a SparkContext (setLocalProperty) it holds for the RDDs " +
        "that jobs of that thread put into the cache."
    )
    .version("3.5.7-hpc-1")
    .stringConf
    .checkValues(Set("auto", "always", "never"))
    .createWithDefault("auto")

  val RETENTION_POLICY: ConfigEntry[String] = ConfigBuilder("spark.hpc.retention.policy")
    .doc(
      "Which cached block leaves memory first. lru: the one that was used least recently, as in " +
        "stock Spark. cost: the one that costs least to get back, from disk or by computing it " +
        "again, for its size and for how often it was asked for; costs and lineage are observed. " +
        "lrc: one that running jobs will read least often."
    )
    .version("3.5.7-hpc-1")
    .stringConf
    .checkValues(Set("lru", "cost", "lrc"))
    .createWithDefault("lru")

  val RETENTION_TRACE: OptionalConfigEntry[String] = ConfigBuilder("spark.hpc.retention.trace")
    .doc(
      "A directory into which each executor writes what happens to its cached blocks, as " +
        "APPLICATION-EXECUTOR.trace, to be replayed with other policies and sizes of memory. " +
        "Unset, nothing is written."
    )
    .version("3.5.7-hpc-1")
    .stringConf
    .checkValue(
      _.startsWith("/"),
      "it must be an absolute path that executors see, such as /scratch/traces"
    )
    .createOptional

  val RETENTION_AUTO_PERSIST: ConfigEntry[String] = ConfigBuilder("spark.hpc.retention.autoPersist")
    .doc(
      "Whether an RDD that jobs compute again and again, though the program doesn't persist it, is " +
        "persisted (MEMORY_ONLY) before the third time, and released when ten jobs didn't use it. " +
        "auto: the one for which most input and shuffle bytes are read. Functions then run less " +
        "often than in stock Spark, which a program sees if they count or write something, or if " +
        "its input changes meanwhile. never: none is."
    )
    .version("3.5.7-hpc-1")
    .stringConf
    .checkValues(Set("auto", "never"))
    .createWithDefault("never")

  val RETENTION_COPY_AHEAD
      : OptionalConfigEntry[Double] = ConfigBuilder("spark.hpc.retention.copyAhead")
    .doc(
      "The share of the memory for blocks and shuffles that is to be free at once: it is free, or " +
        "holds cached blocks that were written to disk already, by a thread of its own. It grows " +
        "to a half when tasks turn out to need more. 0: a block is written by the thread that " +
        "needs its memory; to a shared file system none are. " +
        "Unset, it is 0.05 if spark.local.dir is on a shared file system, and 0 otherwise: blocks " +
        "that would never have been evicted are written as well."
    )
    .version("3.5.7-hpc-1")
    .doubleConf
    .checkValue(share => share >= 0 && share <= 0.5, "it must be from 0 to 0.5")
    .createOptional

  val RETENTION_RESERVE: OptionalConfigEntry[Long] = ConfigBuilder("spark.hpc.retention.reserve")
    .doc(
      "What spilled cache blocks leave free on the file system of each directory in " +
        "spark.local.dir. When a shuffle or a sort needs that room, spilled blocks are deleted, " +
        "the oldest first. Unset, it is a tenth of the file system, at most 4 GiB."
    )
    .version("3.5.7-hpc-1")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ >= 0, "it must be 0 or more bytes, such as 2g")
    .createOptional

  val SCRATCH: OptionalConfigEntry[String] = ConfigBuilder("spark.hpc.scratch.tiers")
    .doc(
      "Where spills and the blocks that are kept on disk go: an ordered list of tiers, of which" +
        " a file takes the first that has room, and goes on in the next when its own has none " +
        "left. A tier is kind:directory, its kind memory (a tmpfs), burst, local or global, its " +
        "directory with the node's variables; ?capacity=8g is what the node's executors may have " +
        "of it, ?reserve=1g what they leave free, ?stripes=4 (-1: all targets) how a Lustre is " +
        "told to stripe files there (unset, over 4 targets if map outputs may go there and the " +
        "directory has Lustre's own default layout), ?capacity=8g&reserve=1g two of these. auto: what is found on" +
        " the node. Shuffle files of Spark's own writers go to the last disk, or to the " +
        "last tier of all. Unset, everything is in spark.local.dir, which is a tier if it is on a shared " +
        "file system, and otherwise as in stock Spark; under the site module it is the site's tiers."
    )
    .version("3.5.7-hpc-1")
    .stringConf
    .createOptional

  val SCRATCH_KEPT: ConfigEntry[Long] = ConfigBuilder("spark.hpc.scratch.kept")
    .doc(
      "In a tier on a shared file system the files of deleted spills stay open for the next ones: so " +
        "many bytes of them in each executor. 0: each spill has a file of its own."
    )
    .version("3.5.7-hpc-1")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ >= 0, "it must be 0 or more bytes, such as 256m")
    .createWithDefaultString("256m")

  /** Not to be set by users: the driver's decision, for its Environment page. */
  val SCRATCH_DECIDED: OptionalConfigEntry[String] = ConfigBuilder("spark.hpc.scratch.decided")
    .doc("Set by Spark-HPC: which scratch tiers the driver has, and why.")
    .version("3.5.7-hpc-1")
    .stringConf
    .createOptional

  val SCRATCH_KIND: ConfigEntry[String] = ConfigBuilder("spark.hpc.scratch.kind")
    .doc(
      "What spark.local.dir is on. auto: what the mount table says, where a file system that " +
        "Spark-HPC doesn't know counts as local. memory: a tmpfs. local: a disk of the node. " +
        "shared: other nodes see it as well, and a write may have to wait for other machines; " +
        "nothing is written there while others wait for Spark's memory manager."
    )
    .version("3.5.7-hpc-1")
    .stringConf
    .checkValues(Set("auto", "memory", "local", "shared"))
    .createWithDefault("auto")

  val GRAPHX_ENGINE: ConfigEntry[String] = ConfigBuilder("spark.hpc.graphx.engine")
    .doc(
      "What computes GraphX's PageRank with a fixed number of iterations. auto: sparse products over compressed rows, " +
        "with the same ranks; a graph that they can't take is left to Spark's own code, which the log says. stock: " +
        "Spark's own code."
    )
    .version("3.5.7-hpc-1")
    .stringConf
    .checkValues(Set("auto", "stock"))
    .createWithDefault("stock")

  val POOL_ENABLED: ConfigEntry[Boolean] = ConfigBuilder("spark.hpc.pool.enabled")
    .doc(
      "Whether spills and cached blocks on disk are read through a pool of files that stay open, " +
        "instead of being opened for each batch of records and each block, as in stock Spark."
    )
    .version("3.5.7-hpc-1")
    .booleanConf
    .createWithDefault(true)

  val POOL_SIZE: OptionalConfigEntry[Int] = ConfigBuilder("spark.hpc.pool.size")
    .doc(
      "How many files the pool of an executor keeps open at most. A read for which there is no room " +
        "waits for another one to end. Unset, it is half of what the process may have open " +
        "(ulimit -n), at most 16384."
    )
    .version("3.5.7-hpc-1")
    .intConf
    .checkValue(_ > 0, "it must be 1 or more files, such as 512")
    .createOptional

  val POOL_POLICY: ConfigEntry[String] = ConfigBuilder("spark.hpc.pool.policy")
    .doc(
      "Which file of a full pool is closed to open another one. lifo: the one that was read last, " +
        "which is best for merges that read more files in turn than there is room for. lru: the " +
        "one that was read least recently. fifo: the one that was opened first."
    )
    .version("3.5.7-hpc-1")
    .stringConf
    .checkValues(Set("lifo", "lru", "fifo"))
    .createWithDefault("lifo")

  val POOL_TIMEOUT: ConfigEntry[Long] = ConfigBuilder("spark.hpc.pool.timeout")
    .doc("How long a read waits for room in a full pool before its task fails.")
    .version("3.5.7-hpc-1")
    .timeConf(TimeUnit.MILLISECONDS)
    .checkValue(_ > 0, "it must be more than 0, such as 120s")
    .createWithDefaultString("120s")

  val SHUFFLE_PLACEMENT: ConfigEntry[String] = ConfigBuilder("spark.hpc.shuffle.placement")
    .doc(
      "Where map outputs go, with spark.shuffle.manager unset. " +
        "fastest: to spark.hpc.scratch.tiers or else spark.local.dir, and with an " +
        "executor its outputs are lost, as in stock Spark, unless it is decommissioned and " +
        "spark.hpc.scratch.tiers has a global tier. global: to " +
        "spark.hpc.shuffle.directory; no map task runs " +
        "again when an executor or a node is lost, and executors can be released while others " +
        "still need what they wrote."
    )
    .version("3.5.7-hpc-1")
    .stringConf
    .checkValues(Set("fastest", "global"))
    .createWithDefault("fastest")

  val SHUFFLE_CONTAINERS: ConfigEntry[Boolean] =
    ConfigBuilder("spark.hpc.shuffle.containers.enabled")
      .doc(
        "Whether an executor's map outputs of a shuffle are in one file, with " +
          "spark.hpc.shuffle.placement=fastest too. They aren't where somebody else reads them as " +
          "Spark's own files: an external shuffle service, push-based shuffle or the fallback " +
          "storage of decommissioning."
      )
      .version("3.5.7-hpc-1")
      .booleanConf
      .createWithDefault(true)

  val SHUFFLE_DIRECTORY: OptionalConfigEntry[String] =
    ConfigBuilder("spark.hpc.shuffle.directory")
      .doc(
        "A directory that the driver and all executors see under this name, on the shared file " +
          "system: where map outputs go with spark.hpc.shuffle.placement=global. The application " +
          "makes one of its own in it, and removes that when it ends. On Lustre its files are " +
          "spread over 4 targets, unless the directory has another layout than Lustre's own " +
          "default; ?stripes=8 behind the directory says how many (-1: all targets)."
      )
      .version("3.5.7-hpc-1")
      .stringConf
      .checkValue(
        StripedDirectory.parse(_).isRight,
        "it must be an absolute path, such as /scratch/you/spark?stripes=4"
      )
      .createOptional

  val SHUFFLE_ROUTE: ConfigEntry[String] = ConfigBuilder("spark.hpc.shuffle.route")
    .doc(
      "How a reducer reads a map output of the shared file system first; the other way is tried " +
        "when that fails. direct: from there. network: from the executor that wrote it. auto: " +
        "small blocks from their executor, large ones from there, unless what reads took of late " +
        "says otherwise."
    )
    .version("3.5.7-hpc-1")
    .stringConf
    .checkValues(Set("auto", "direct", "network"))
    .createWithDefault("auto")

  val SHUFFLE_NETWORK_TIMEOUT: ConfigEntry[Long] =
    ConfigBuilder("spark.hpc.shuffle.network.timeout")
      .doc(
        "After how much silence a reducer gives up an executor that it has asked for map outputs " +
          "on the shared file system. It doesn't ask it again for a minute, and reads the files " +
          "itself, unless it has tried that."
      )
      .version("3.5.7-hpc-1")
      .timeConf(TimeUnit.MILLISECONDS)
      .checkValue(_ > 0, "it must be a time of more than 0, such as 10s")
      .createWithDefaultString("10s")

  val SHUFFLE_DIRECT_TIMEOUT: ConfigEntry[Long] =
    ConfigBuilder("spark.hpc.shuffle.direct.timeout")
      .doc(
        "After how much silence of the shared file system a reducer asks the executors that wrote " +
          "map outputs for them, with the route direct. It reads no others directly until the file " +
          "system has answered, unless there is no other way."
      )
      .version("3.5.7-hpc-1")
      .timeConf(TimeUnit.MILLISECONDS)
      .checkValue(_ > 0, "it must be a time of more than 0, such as 10s")
      .createWithDefaultString("10s")

  val SHUFFLE_DURABILITY: ConfigEntry[String] = ConfigBuilder("spark.hpc.shuffle.durability")
    .doc(
      "What map outputs on the shared file system survive. executor: the end of their executor; " +
        "those that its node had not sent yet when it crashed or was evicted are computed again. " +
        "node: that, too; each output is synchronized before it is reported."
    )
    .version("3.5.7-hpc-1")
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
    Setting(RETENTION_POLICY, "`lru`, `cost` or `lrc`"),
    Setting(RETENTION_AUTO_PERSIST, "`auto` or `never`"),
    Setting(RETENTION_TRACE, "an absolute path that executors see, such as `/scratch/traces`"),
    Setting(RETENTION_COPY_AHEAD, "a share from 0 to 0.5"),
    Setting(RETENTION_RESERVE, "a size, such as `2g`"),
    Setting(GRAPHX_ENGINE, "`auto` or `stock`"),
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
