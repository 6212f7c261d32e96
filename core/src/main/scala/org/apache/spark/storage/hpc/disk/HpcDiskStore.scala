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
import org.sparkhpc.tier.{DiskRequests, DiskThreads, Tiers}

/** Spark's disk store, except that it uses scratch tiers if there are any, and detects damaged blocks of RDDs
  * ([[IntactBlocks]]).
  */
private[spark] class HpcDiskStore(
    protected val conf: SparkConf,
    diskManager: DiskBlockManager,
    protected val securityManager: SecurityManager
) extends DiskStore(conf, diskManager, securityManager)
    with IntactBlocks {

  /** The file pool through which this process reads its blocks and spills; None if it is switched off. */
  val pool: Option[FilePool] = BlockFilePool.of(conf, allTiers)

  /** The bytes that a stream of the pool reads at once: as many as Spark's writers write. */
  val readAhead: Int = conf.get(SHUFFLE_FILE_BUFFER_SIZE).toInt * 1024

  private val mapFrom = conf.get(STORAGE_MEMORY_MAP_THRESHOLD)
  private val mostAtOnce = conf.get(MEMORY_MAP_LIMIT_FOR_TESTS)
  private val written = ConcurrentHashMap.newKeySet[BlockId]()

  // Sizes before encryption.
  private val sizes = new ConcurrentHashMap[BlockId, Long]

  private val requests = new DiskRequests

  /** Makes disk requests for threads that must not hang with the disk. */
  private[storage] val disk = new DiskThreads(requests, DiskThreads.most)

  // Blocks that Spark's own code is writing; it removes a block that it could not write.
  private val beingWritten = ConcurrentHashMap.newKeySet[BlockId]()

  // Blocks whose files are being written or deleted by threads that may have been abandoned.
  private val unsettled = ConcurrentHashMap.newKeySet[BlockId]()

  // None if Spark's shuffle service serves blocks: it looks for them where Spark puts them.
  private val tiers = allTiers.filter(_ => !conf.get(config.SHUFFLE_SERVICE_FETCH_RDD_ENABLED))

  private val files = new BlockFiles(conf, diskManager, securityManager, tiers)

  private def allTiers: Option[Tiers] = HpcDiskBlockManager.of(diskManager).flatMap(_.tiers)

  @volatile private var owner: DiskStoreClient = DiskStoreClient.Nobody

  /** To be called once, by the owner of the blocks. */
  private[storage] def attach(client: DiskStoreClient): Unit = {
    owner = client
    requests.attach(client)
  }

  private[storage] def client: DiskStoreClient = owner

  /** Whether the disk hangs: then only necessary writes should be made. */
  def isStalled: Boolean = requests.isStalled

  /** How many requests wait for the disk now. */
  private[storage] def requestsUnderWay: Int = requests.underWay

  /** Whether the block was written here and not removed; asks no file system. */
  def wrote(blockId: BlockId): Boolean = written.contains(blockId)

  /** Makes a request only for blocks that were written here: Spark asks for each broadcast, which is not on disk. Only
    * tasks may hang with the disk. For heartbeats and the driver's requests, a written block is assumed to be there.
    */
  override def contains(blockId: BlockId): Boolean = wrote(blockId) && (!client.mayWait || {
    if (TaskContext.get != null || !client.mayHang) files.of(blockId).exists
    else disk.ask(files.of(blockId).exists).getOrElse(true)
  })

  /** A failure of the disk carries a [[DiskTrouble]]; an exception of the block's own elements does not. */
  override def put(blockId: BlockId)(writeFunc: WritableByteChannel => Unit): Unit =
    if (client.isUnasked(blockId)) putAside(blockId)(writeFunc)
    else record(blockId, writeFunc)(write(blockId))

  /** As [[put]], except that it fails with a [[DiskHangs]] if the disk hangs, in place of hanging as well. */
  def putAside(blockId: BlockId)(writeFunc: WritableByteChannel => Unit): Unit =
    record(blockId, writeFunc)(if (client.mayHang) writeAside(blockId) else write(blockId))

  /** @param write writes the file, given a function that writes its content to a channel */
  private def record(blockId: BlockId, writeFunc: WritableByteChannel => Unit)(
      write: (WritableByteChannel => Unit) => Unit
  ): Unit = {
    var inContent: Throwable = null
    var size = 0L
    try {
      write { channel =>
        val counting = new CountingWritableChannel(channel)
        val limited = client.shareOf(blockId)
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
      client.written(blockId)
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

  private def next(blockId: BlockId): BlockFile =
    files.next(blockId, client.mayUse(blockId, _)) { () =>
      isForgotten(blockId)
      client.erased(blockId)
      unsettled.remove(blockId): Unit
    }

  private def forgetOlder(blockId: BlockId): Unit = {
    pool.foreach(_.forget(pathOf(blockId)))
    if (tiers.nonEmpty) diskManager.getFile(blockId).delete(): Unit
  }

  /** Waits while an abandoned thread writes or deletes the block's file: a caller that needs the block on disk waits
    * for the disk.
    */
  private def awaitSettled(blockId: BlockId): Unit =
    while (unsettled.contains(blockId) && !disk.isStopped) Thread.sleep(10)

  override def getSize(blockId: BlockId): Long =
    if (sizes.containsKey(blockId)) sizes.get(blockId) else super.getSize(blockId)

  /** Takes a block that another executor sent as a stream. Its file is read once, for the checksum. */
  override def moveFileToBlock(sourceFile: File, blockSize: Long, targetBlockId: BlockId): Unit = {
    awaitSettled(targetBlockId)
    if (targetBlockId.isRDD)
      checksums.record(targetBlockId, getBytes(sourceFile, blockSize).toInputStream())
    requests.during(super.moveFileToBlock(sourceFile, blockSize, targetBlockId))
    written.add(targetBlockId)
    client.written(targetBlockId)
  }

  /** Forgets the block; true if it was known. */
  private def isForgotten(blockId: BlockId): Boolean = {
    checksums.forget(blockId)
    sizes.remove(blockId)
    written.remove(blockId)
  }

  /** Returns even if the disk hangs; the file is then deleted when the disk answers. */
  override def remove(blockId: BlockId): Boolean =
    (isForgotten(blockId) || beingWritten.contains(blockId)) && {
      client.erased(blockId)
      if (!client.mayHang || beingWritten.contains(blockId)) erase(blockId)
      else if (!unsettled.add(blockId)) true // deleted by the abandoned thread
      else {
        disk.later {
          try erase(blockId)
          finally unsettled.remove(blockId): Unit
        }.getOrElse(true)
      }
    }

  private def erase(blockId: BlockId): Boolean = pool.fold(super.remove(blockId)) { pool =>
    val path = pathOf(blockId) // now: a removed block may have no path
    try super.remove(blockId)
    finally pool.forget(path)
  }

  /** Reads through the pool, except encrypted blocks: for these, Spark opens the file for each read. */
  override def getBytes(blockId: BlockId): BlockData = {
    val bySpark = getBytes(files.of(blockId), getSize(blockId))
    pool.filter(_ => securityManager.getIOEncryptionKey().isEmpty).fold(bySpark) { pool =>
      new PooledBlockData(pool, pathOf(blockId), bySpark, readAhead, mapFrom, mostAtOnce)
    }
  }

  /** The path where other executors may read the block, and its checksum; None if they cannot read it. */
  def placeForAll(blockId: BlockId): Option[(String, BlockChecksums.Content)] = {
    val path = pathOf(blockId)
    checksums.of(blockId).filter(_ => tiers.exists(_.isForAll(path))).map(path -> _)
  }

  private def pathOf(blockId: BlockId): String = files.of(blockId).getPath
}
