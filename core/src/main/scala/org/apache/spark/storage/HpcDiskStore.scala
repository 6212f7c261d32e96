package org.apache.spark.storage

import java.io.{ByteArrayInputStream, File, InputStream}
import java.nio.ByteBuffer
import java.nio.channels.WritableByteChannel
import java.util.concurrent.{ConcurrentHashMap, TimeUnit}

import scala.util.control.NonFatal

import com.codahale.metrics.Timer
import com.google.common.io.{ByteStreams, Closeables}
import io.netty.util.concurrent.FastThreadLocalThread

import org.apache.spark.{SecurityManager, SparkConf}
import org.apache.spark.hpc.file.{DescriptorLimit, FilePool, IdleOrder}
import org.apache.spark.hpc.tier.{MemoryShare, ScratchUse, Tier, TierOperations, TierStream, Tiers}
import org.apache.spark.internal.config
import org.apache.spark.internal.config.{Hpc, MEMORY_MAP_LIMIT_FOR_TESTS}
import org.apache.spark.internal.config.{SHUFFLE_FILE_BUFFER_SIZE, STORAGE_MEMORY_MAP_THRESHOLD}
import org.apache.spark.network.buffer.{FileSegmentManagedBuffer, ManagedBuffer, NioManagedBuffer}
import org.apache.spark.network.netty.SparkTransportConf
import org.apache.spark.security.CryptoStreamUtils
import org.apache.spark.util.io.ChunkedByteBuffer

/** Writes and reads the blocks that are kept on disk, as Spark does, in scratch tiers if there are
  * any; and knows whether an RDD's block can still be read.
  */
private[spark] class HpcDiskStore(
    conf: SparkConf,
    diskManager: DiskBlockManager,
    securityManager: SecurityManager
) extends DiskStore(conf, diskManager, securityManager) {

  /** What this process reads its blocks and spills through, unless that is switched off. */
  val pool: Option[FilePool] = HpcDiskStore.poolOf(conf, allTiers)

  /** How much a stream of the pool reads at once: as much as Spark's writers write. */
  val readAhead: Int = conf.get(SHUFFLE_FILE_BUFFER_SIZE).toInt * 1024

  private val mapFrom = conf.get(STORAGE_MEMORY_MAP_THRESHOLD)
  private val mostAtOnce = conf.get(MEMORY_MAP_LIMIT_FOR_TESTS)
  private val checksums = new BlockChecksums
  private val written = ConcurrentHashMap.newKeySet[BlockId]()

  // Of the blocks that went to a tier, without what encryption adds.
  private val sizes = new ConcurrentHashMap[BlockId, Long]

  // Spark's shuffle service looks for blocks where Spark puts them.
  private val tiers = allTiers.filter(_ => !conf.get(config.SHUFFLE_SERVICE_FETCH_RDD_ENABLED))

  private def allTiers: Option[Tiers] = HpcDiskBlockManager.of(diskManager).flatMap(_.tiers)

  /** Whether there is time to look at the file system, which may be a slow one. */
  @volatile var mayWait: () => Boolean = () => true

  /** Which tiers a block may be written to now. */
  @volatile var mayUse: (BlockId, Tier) => Boolean = (_: BlockId, _: Tier) => true

  /** What a block's bytes are to be taken from, if it may only have a part of the node's memory. */
  @volatile var shareOf: BlockId => Option[MemoryShare] = (_: BlockId) => None

  /** Told when a block has been written, and when it is there no longer. */
  @volatile var onWritten: BlockId => Unit = (_: BlockId) => ()
  @volatile var onErased: BlockId => Unit = (_: BlockId) => ()

  /** Whether the block was written here and not removed; asks no file system. */
  def wrote(blockId: BlockId): Boolean = written.contains(blockId)

  /** Looks only for what was written here: Spark asks for each broadcast, and it isn't there. */
  override def contains(blockId: BlockId): Boolean =
    wrote(blockId) && (!mayWait() || super.contains(blockId))

  /** What the disk refuses carries a [[DiskTrouble]]; what the block's own elements throw doesn't. */
  override def put(blockId: BlockId)(writeFunc: WritableByteChannel => Unit): Unit = {
    var inContent: Throwable = null
    // Before, since Spark removes what it couldn't write. Nobody reads a block while it is written.
    val isNew = written.add(blockId)
    if (!isNew) pool.foreach(_.forget(pathOf(blockId)))
    try {
      write(blockId, isNew) { channel =>
        val limited = shareOf(blockId)
          .fold(channel)(new SharedMemoryChannel(blockId.name, _, channel))
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
      }
      onWritten(blockId)
    } catch {
      case failure: Throwable =>
        written.remove(blockId)
        if (NonFatal(failure) && (failure ne inContent)) DiskTrouble.mark(failure)
        throw failure
    }
  }

  private def write(blockId: BlockId, isNew: Boolean)(content: WritableByteChannel => Unit): Unit =
    tiers match {
      case Some(tiers) =>
        if (!isNew) diskManager.getFile(blockId).delete()
        writeTo(tiers, blockId)(content)
      case None => super.put(blockId)(content)
    }

  private def writeTo(tiers: Tiers, blockId: BlockId)(
      content: WritableByteChannel => Unit
  ): Unit = {
    val file = tiers.newFile(blockId.name, if (blockId.isRDD) ScratchUse.ForAll else ScratchUse.Own)
    val stream = new TierStream(file, tiers, mayUse(blockId, _))
    var out: WritableByteChannel = stream
    var isWhole = false
    try {
      stream.create()
      for (key <- securityManager.getIOEncryptionKey())
        out = CryptoStreamUtils.createWritableChannel(stream, conf, key)
      val counting = new CountingWritableChannel(out)
      content(counting)
      counting.close()
      sizes.put(blockId, counting.getCount)
      isWhole = true
    } finally if (!isWhole) {
        Closeables.close(out, true)
        // Not by its name, of which a home that is dead can't say where it would be.
        file.delete()
        if (isForgotten(blockId)) onErased(blockId)
      }
  }

  override def getSize(blockId: BlockId): Long =
    if (sizes.containsKey(blockId)) sizes.get(blockId) else super.getSize(blockId)

  /** What another executor sent in pieces; it is read once, to know it again. */
  override def moveFileToBlock(sourceFile: File, blockSize: Long, targetBlockId: BlockId): Unit = {
    if (targetBlockId.isRDD)
      checksums.record(targetBlockId, getBytes(sourceFile, blockSize).toInputStream())
    super.moveFileToBlock(sourceFile, blockSize, targetBlockId)
    written.add(targetBlockId)
    onWritten(targetBlockId)
  }

  /** True if it was known. */
  private def isForgotten(blockId: BlockId): Boolean = {
    checksums.forget(blockId)
    sizes.remove(blockId)
    written.remove(blockId)
  }

  override def remove(blockId: BlockId): Boolean =
    isForgotten(blockId) && {
      onErased(blockId)
      pool.fold(super.remove(blockId)) { pool =>
        val path = pathOf(blockId) // now: what is removed needn't have one
        try super.remove(blockId)
        finally pool.forget(path)
      }
    }

  /** Of encrypted blocks Spark opens the file for each read. */
  override def getBytes(blockId: BlockId): BlockData = {
    val bySpark = super.getBytes(blockId)
    pool.filter(_ => securityManager.getIOEncryptionKey().isEmpty).fold(bySpark) { pool =>
      new PooledBlockData(pool, pathOf(blockId), bySpark, readAhead, mapFrom, mostAtOnce)
    }
  }

  /** Where others may read the block, and what it holds; None if it is where they can't. */
  def placeForAll(blockId: BlockId): Option[(String, BlockChecksums.Content)] = {
    val path = pathOf(blockId)
    checksums.of(blockId).filter(_ => tiers.exists(_.isForAll(path))).map(path -> _)
  }

  private def pathOf(blockId: BlockId): String = diskManager.getFile(blockId).getPath

  /** Why a block that this store wrote can't be read as it was written; None if it can. */
  def damage(blockId: BlockId): Option[String] =
    try {
      checksums.verify(blockId, getBytes(blockId).toInputStream())
      None
    } catch {
      case NonFatal(failure) => Some(failure.toString)
    }

  /** What a block holds that this store wrote; an IOException unless it is as it was written.
    *
    * Its bytes have to be seen before the first element may be used. A small block is read once, into
    * memory; of a larger one the file is read now, and again by whoever reads the result.
    */
  def intact(blockId: BlockId): BlockData = {
    val file = getBytes(blockId)
    held(file.size, file.toInputStream())(checksums.verify(blockId, _)).fold(file) { bytes =>
      new ByteBufferBlockData(new ChunkedByteBuffer(bytes), shouldDispose = false)
    }
  }

  /** As the other [[intact]], of what another process's store wrote. */
  def intact(path: String, content: BlockChecksums.Content): ManagedBuffer = {
    val buffer = bufferOf(new File(path), content.length)
    held(content.length, buffer.createInputStream())(content.verify(_))
      .fold(buffer)(new NioManagedBuffer(_))
  }

  /** What another process's store wrote: a block of so many bytes. */
  def bufferOf(file: File, length: Long): ManagedBuffer =
    securityManager.getIOEncryptionKey().fold[ManagedBuffer] {
      val transport = SparkTransportConf.fromSparkConf(conf, "shuffle")
      new FileSegmentManagedBuffer(transport, file, 0, length)
    }(key => new EncryptedManagedBuffer(new EncryptedBlockData(file, length, conf, key)))

  /** How long the file of such a block is. */
  def fileLength(length: Long): Long =
    securityManager.getIOEncryptionKey()
      .fold(length)(_ => length + CryptoStreamUtils.IV_LENGTH_IN_BYTES)

  /** A small block's bytes; None for a large one, of which only the check has read. */
  private def held(size: Long, open: => InputStream)(
      verify: InputStream => Unit
  ): Option[ByteBuffer] =
    if (size > HpcDiskStore.HeldBytes) {
      verify(open)
      None
    } else {
      val in = ByteStreams.limit(open, size + 1)
      val bytes =
        try ByteStreams.toByteArray(in)
        finally in.close()
      verify(new ByteArrayInputStream(bytes))
      Some(ByteBuffer.wrap(bytes))
    }
}

private object HpcDiskStore {

  /** Of a block read into memory that nobody is charged for; each task reads one at a time. */
  val HeldBytes: Long = 8L << 20

  def poolOf(conf: SparkConf, tiers: Option[Tiers]): Option[FilePool] =
    if (conf.get(Hpc.POOL_ENABLED)) {
      val size =
        conf.get(Hpc.POOL_SIZE).getOrElse(FilePool.defaultSize(DescriptorLimit.ofProcess))
      val order = IdleOrder.all.find(_.name == conf.get(Hpc.POOL_POLICY)).get
      val timeout = TimeUnit.MILLISECONDS.toNanos(conf.get(Hpc.POOL_TIMEOUT))
      def timer(path: String, kind: TierOperations => Timer): Option[Timer] =
        tiers.map(tiers => kind(tiers.of(path).operations))
      Some(new FilePool(
        size,
        order,
        timeout,
        () => !isEventLoop(Thread.currentThread),
        path => {
          val timing = timer(path, _.open).map(_.time())
          val channel = FilePool.openForReading(path)
          timing.foreach(_.stop())
          channel
        },
        (path, nanos) => timer(path, _.read).foreach(_.update(nanos, TimeUnit.NANOSECONDS))
      ))
    } else {
      None
    }

  /** Where a wait would hold up everybody's connections. */
  private def isEventLoop(thread: Thread): Boolean = thread.isInstanceOf[FastThreadLocalThread]
}
