package org.apache.spark.storage.hpc.disk

import java.io.File
import java.nio.channels.WritableByteChannel
import java.util.concurrent.ConcurrentHashMap

import scala.util.control.NonFatal

import com.google.common.io.Closeables
import org.apache.spark.{SecurityManager, SparkConf, TaskContext}
import org.apache.spark.internal.config
import org.apache.spark.internal.config.{MEMORY_MAP_LIMIT_FOR_TESTS, SHUFFLE_FILE_BUFFER_SIZE}
import org.apache.spark.internal.config.STORAGE_MEMORY_MAP_THRESHOLD
import org.apache.spark.storage.{
  BlockData,
  BlockId,
  CountingWritableChannel,
  DiskBlockManager,
  DiskStore
}
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.sparkhpc.file.FilePool
import org.sparkhpc.tier.{DiskRequests, DiskThreads, MemoryShare, Tier, Tiers}

/** Writes and reads the blocks that are kept on disk, as Spark does, in scratch tiers if there are
  * any; and knows whether an RDD's block can still be read.
  */
private[spark] class HpcDiskStore(
    protected val conf: SparkConf,
    diskManager: DiskBlockManager,
    protected val securityManager: SecurityManager
) extends DiskStore(conf, diskManager, securityManager)
    with IntactBlocks {

  /** What this process reads its blocks and spills through, unless that is switched off. */
  val pool: Option[FilePool] = BlockFilePool.of(conf, allTiers)

  /** How much a stream of the pool reads at once: as much as Spark's writers write. */
  val readAhead: Int = conf.get(SHUFFLE_FILE_BUFFER_SIZE).toInt * 1024

  private val mapFrom = conf.get(STORAGE_MEMORY_MAP_THRESHOLD)
  private val mostAtOnce = conf.get(MEMORY_MAP_LIMIT_FOR_TESTS)
  private val written = ConcurrentHashMap.newKeySet[BlockId]()

  // Without what encryption adds.
  private val sizes = new ConcurrentHashMap[BlockId, Long]

  private val requests = new DiskRequests

  /** What asks the disk for those that must not hang with it. */
  private[storage] val disk = new DiskThreads(requests, DiskThreads.most)

  // By Spark's own code, which removes what it couldn't write.
  private val beingWritten = ConcurrentHashMap.newKeySet[BlockId]()

  // Their files are being written or deleted by threads that nobody may be waiting for any more.
  private val unsettled = ConcurrentHashMap.newKeySet[BlockId]()

  // Spark's shuffle service looks for blocks where Spark puts them.
  private val tiers = allTiers.filter(_ => !conf.get(config.SHUFFLE_SERVICE_FETCH_RDD_ENABLED))

  private val files = new BlockFiles(conf, diskManager, securityManager, tiers)

  private def allTiers: Option[Tiers] = HpcDiskBlockManager.of(diskManager).flatMap(_.tiers)

  /** Whether there is time to look at the file system, which may be a slow one. */
  @volatile var mayWait: () => Boolean = () => true

  /** Whether a request may take for ever; otherwise files are in the node's memory. */
  @volatile var mayHang: Boolean = true

  /** Whether a block is written though nobody asked for it to be on disk. */
  @volatile var isUnasked: BlockId => Boolean = (_: BlockId) => false

  /** Which tiers a block may be written to now. */
  @volatile var mayUse: (BlockId, Tier) => Boolean = (_: BlockId, _: Tier) => true

  /** What a block's bytes are to be taken from, if it may only have a part of the node's memory. */
  @volatile var shareOf: BlockId => Option[MemoryShare] = (_: BlockId) => None

  /** Told when a block has been written, and when it is there no longer. */
  @volatile var onWritten: BlockId => Unit = (_: BlockId) => ()
  @volatile var onErased: BlockId => Unit = (_: BlockId) => ()

  /** Whether the disk hangs, so that nothing should be written that needn't be. */
  def isStalled: Boolean = requests.isStalled

  /** How many requests wait for the disk now. */
  private[storage] def requestsUnderWay: Int = requests.underWay

  /** Tells of each stall of the disk that somebody noticed, and of its end. */
  def tellStalls(begun: () => Unit, ended: () => Unit): Unit = {
    requests.onAnswer = ended
    requests.onStall = begun
  }

  /** Whether the block was written here and not removed; asks no file system. */
  def wrote(blockId: BlockId): Boolean = written.contains(blockId)

  /** Looks only for what was written here: Spark asks for each broadcast, and it isn't there. Only tasks
    * may hang with the disk: heartbeats and the driver's questions take it as it was written.
    */
  override def contains(blockId: BlockId): Boolean = wrote(blockId) && (!mayWait() || {
    if (TaskContext.get != null || !mayHang) files.of(blockId).exists
    else disk.ask(files.of(blockId).exists).getOrElse(true)
  })

  /** What the disk refuses carries a [[DiskTrouble]]; what the block's own elements throw doesn't. */
  override def put(blockId: BlockId)(writeFunc: WritableByteChannel => Unit): Unit =
    if (isUnasked(blockId)) putAside(blockId)(writeFunc)
    else record(blockId, writeFunc)(write(blockId))

  /** As [[put]], by a thread that doesn't hang with the disk: then it fails with a [[DiskHangs]]. */
  def putAside(blockId: BlockId)(writeFunc: WritableByteChannel => Unit): Unit =
    record(blockId, writeFunc)(if (mayHang) writeAside(blockId) else write(blockId))

  /** @param write given what writes the content */
  private def record(blockId: BlockId, writeFunc: WritableByteChannel => Unit)(
      write: (WritableByteChannel => Unit) => Unit
  ): Unit = {
    var inContent: Throwable = null
    var size = 0L
    try {
      write { channel =>
        val counting = new CountingWritableChannel(channel)
        val limited = shareOf(blockId)
          .fold[WritableByteChannel](counting)(new SharedMemoryChannel(blockId.name, _, counting))
        val faithful =
          if (blockId.isRDD) new checksums.Recorder(blockId, limited)
          else new FaithfulChannel(limited)
        try writeFunc(faithful)
        catch {
          case failure: Throwable =>
            inContent = failure
            throw failure
        }
        faithful.complete()
        size = counting.getCount
      }
      sizes.put(blockId, size)
      written.add(blockId)
      onWritten(blockId)
    } catch {
      case failure: Throwable =>
        if (NonFatal(failure) && (failure ne inContent)) DiskTrouble.mark(failure)
        throw failure
    }
  }

  private def write(blockId: BlockId)(content: WritableByteChannel => Unit): Unit = {
    awaitSettled(blockId)
    def timed(channel: WritableByteChannel): Unit =
      requests.except(content(new TimedChannel(requests, channel)))
    requests.during {
      if (wrote(blockId)) forgetOlder(blockId)
      beingWritten.add(blockId)
      try
        if (tiers.isEmpty) super.put(blockId)(timed(_)) else writeTo(next(blockId))(timed(_))
      finally beingWritten.remove(blockId): Unit
    }
  }

  private def writeTo(file: BlockFile)(content: WritableByteChannel => Unit): Unit = {
    var out: Option[WritableByteChannel] = None
    var isWhole = false
    try {
      out = Some(file.open())
      out.foreach(content)
      out.foreach(_.close())
      isWhole = true
    } finally if (!isWhole) {
        out.foreach(Closeables.close(_, true))
        file.discard(isMade = out.nonEmpty)
      }
  }

  private def writeAside(blockId: BlockId)(content: WritableByteChannel => Unit): Unit = {
    if (isStalled || !unsettled.add(blockId)) throw new DiskHangs
    if (wrote(blockId)) disk.later(forgetOlder(blockId))
    val out = new AsideOutput(disk, next(blockId))
    try {
      content(out)
      out.finish()
      unsettled.remove(blockId): Unit
    } finally out.giveUp()
  }

  private def next(blockId: BlockId): BlockFile = files.next(blockId, mayUse(blockId, _)) { () =>
    isForgotten(blockId)
    onErased(blockId)
    unsettled.remove(blockId): Unit
  }

  private def forgetOlder(blockId: BlockId): Unit = {
    pool.foreach(_.forget(pathOf(blockId)))
    if (tiers.nonEmpty) diskManager.getFile(blockId).delete(): Unit
  }

  /** Who wants a block on disk waits for the disk. */
  private def awaitSettled(blockId: BlockId): Unit =
    while (unsettled.contains(blockId) && !disk.isStopped) Thread.sleep(10)

  override def getSize(blockId: BlockId): Long =
    if (sizes.containsKey(blockId)) sizes.get(blockId) else super.getSize(blockId)

  /** What another executor sent in pieces; it is read once, to know it again. */
  override def moveFileToBlock(sourceFile: File, blockSize: Long, targetBlockId: BlockId): Unit = {
    awaitSettled(targetBlockId)
    if (targetBlockId.isRDD)
      checksums.record(targetBlockId, getBytes(sourceFile, blockSize).toInputStream())
    requests.during(super.moveFileToBlock(sourceFile, blockSize, targetBlockId))
    written.add(targetBlockId)
    onWritten(targetBlockId)
  }

  /** True if it was known. */
  private def isForgotten(blockId: BlockId): Boolean = {
    checksums.forget(blockId)
    sizes.remove(blockId)
    written.remove(blockId)
  }

  /** Returns while the disk hangs, too; then the file is deleted when it answers. */
  override def remove(blockId: BlockId): Boolean =
    (isForgotten(blockId) || beingWritten.contains(blockId)) && {
      onErased(blockId)
      if (!mayHang || beingWritten.contains(blockId)) erase(blockId)
      else if (!unsettled.add(blockId)) true // by whoever gave it up
      else {
        disk.later {
          try erase(blockId)
          finally unsettled.remove(blockId): Unit
        }.getOrElse(true)
      }
    }

  private def erase(blockId: BlockId): Boolean = pool.fold(super.remove(blockId)) { pool =>
    val path = pathOf(blockId) // now: what is removed needn't have one
    try super.remove(blockId)
    finally pool.forget(path)
  }

  /** Of encrypted blocks Spark opens the file for each read. */
  override def getBytes(blockId: BlockId): BlockData = {
    val bySpark = getBytes(files.of(blockId), getSize(blockId))
    pool.filter(_ => securityManager.getIOEncryptionKey().isEmpty).fold(bySpark) { pool =>
      new PooledBlockData(pool, pathOf(blockId), bySpark, readAhead, mapFrom, mostAtOnce)
    }
  }

  /** Where others may read the block, and what it holds; None if it is where they can't. */
  def placeForAll(blockId: BlockId): Option[(String, BlockChecksums.Content)] = {
    val path = pathOf(blockId)
    checksums.of(blockId).filter(_ => tiers.exists(_.isForAll(path))).map(path -> _)
  }

  private def pathOf(blockId: BlockId): String = files.of(blockId).getPath
}
