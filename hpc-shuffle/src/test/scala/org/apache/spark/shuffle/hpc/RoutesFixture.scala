package org.apache.spark.shuffle.hpc

import java.io.{File, IOException}
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.{Files, Path, Paths}
import java.nio.file.StandardOpenOption.{READ, WRITE}
import java.util.concurrent.{Executors, LinkedBlockingQueue, TimeUnit}

import org.apache.commons.io.FileUtils
import org.apache.spark.SparkConf
import org.apache.spark.network.buffer.{ManagedBuffer, NioManagedBuffer}
import org.apache.spark.network.shuffle.BlockFetchingListener
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.{OutputDirectory, OutputPlace}
import org.apache.spark.shuffle.hpc.read.{
  ContainerFiles,
  HeldBytes,
  OutputSizes,
  Routes,
  RoutingTransferService
}
import org.apache.spark.storage.BlockManagerId
import org.scalatest.{BeforeAndAfterAll, BeforeAndAfterEach, Suite}
import org.sparkhpc.container.{ContainerFixture, ContainerIndex, ContainerWriter, Visibility}
import org.sparkhpc.file.{FilePool, IdleOrder}

/** An owner on the network that does what a test says, and files that are there or not. */
private[hpc] trait RoutesFixture extends BeforeAndAfterEach with BeforeAndAfterAll { this: Suite =>
  import RoutesFixture._

  protected var path: Path = _
  protected val threads = Executors.newCachedThreadPool()

  override def beforeEach(): Unit = {
    Files.createDirectories(new File(System.getProperty("java.io.tmpdir")).toPath)
    path = Files.createTempDirectory("routes")
  }

  override def afterAll(): Unit = threads.shutdownNow(): Unit

  override def afterEach(): Unit = FileUtils.deleteDirectory(path.toFile)

  /** A container with map outputs of one partition, whose only byte is their map task's id. */
  protected def write(mapTaskIds: Long*): Unit = {
    val file = new OutputDirectory(path).container(Shuffle, Owner, "0")
    Files.createDirectories(file.getParent)
    val writer = ContainerWriter.create(file, Shuffle, 1, Visibility.Guaranteed)
    try mapTaskIds.foreach(task => ContainerFixture.write(writer, task, Seq(Array(task.toByte))))
    finally writer.close()
  }

  /** Puts a hole in the place of a map output. Its record stays. */
  protected def hide(mapTaskId: Long): Unit = {
    val file = directory.container(Shuffle, Owner, "0")
    val index = ContainerIndex.read(ContainerFixture.bytes(file))
    val channel = FileChannel.open(file, WRITE)
    try
      for (extent <- index.get(mapTaskId).get.extents)
        channel.write(ByteBuffer.allocate(extent.length.toInt), extent.offset)
    finally channel.close()
  }

  protected def containers(
      counts: RouteCounts,
      open: String => FileChannel = opened
  ): ContainerFiles =
    new ContainerFiles(
      new FilePool(10, IdleOrder.Lru, TimeUnit.SECONDS.toNanos(60), open = open),
      counts
    )

  protected def directory: OutputDirectory = new OutputDirectory(path)

  /** A reducer that asks for map outputs, and hears the answers. */
  protected class Reducer(
      route: String,
      own: String = "9",
      deadline: String = "1s",
      directDeadline: String = "1h",
      open: String => FileChannel = opened,
      size: Long = 1,
      val held: HeldBytes = new HeldBytes(1 << 20)
  )(owner: StubTransferService.Fetch) extends AutoCloseable {
    val network = new StubTransferService(owner)
    val counts = new RouteCounts
    private val files = containers(counts, open)
    private val sizes = {
      val place = BlockManagerId("any", "any", 1)
      val statuses = (0L to 20L).map(MapStatus(place, Array(size), _)).toArray
      new OutputSizes(_ => Some(statuses))
    }
    private val service = {
      val conf = new SparkConf(false)
        .set("spark.hpc.shuffle.route", route)
        .set("spark.hpc.shuffle.network.timeout", deadline)
        .set("spark.hpc.shuffle.direct.timeout", directDeadline)
      new RoutingTransferService(
        network,
        new Routes(conf, network, directory, files, sizes, own, counts, held)
      )
    }
    private val answers = new LinkedBlockingQueue[(Long, Either[Throwable, Byte])]

    def ask(mapIds: Seq[Long]): Unit = {
      val listener = new BlockFetchingListener {
        override def onBlockFetchSuccess(blockId: String, data: ManagedBuffer): Unit =
          answers.add((mapId(blockId), Right(data.nioByteBuffer().get(0)))): Unit
        override def onBlockFetchFailure(blockId: String, failure: Throwable): Unit =
          answers.add((mapId(blockId), Left(failure))): Unit
      }
      val marker = OutputPlace(Owner, Shuffle, "0", "node-17", 7077).marker
      val ids = mapIds.map(name).toArray
      service.fetchBlocks(marker.host, marker.port, marker.executorId, ids, listener, null)
    }

    /** The answers to as many questions, one for each. */
    def hear(count: Int): Map[Long, Either[Throwable, Byte]] = {
      val heard = Seq.fill(count)(answers.poll(60, TimeUnit.SECONDS))
      assert(!heard.contains(null), heard)
      val byMap = heard.toMap
      assert(byMap.size == count, heard)
      byMap
    }

    override def close(): Unit = {
      service.close()
      files.close()
    }

    def assertNoMore(): Unit = assert(answers.isEmpty, answers)
  }

  protected def answering(value: Byte): StubTransferService.Fetch = { (ids, listener) =>
    threads.execute { () =>
      ids.foreach(listener.onBlockFetchSuccess(_, buffer(value)))
    }
  }

  protected val failing: StubTransferService.Fetch =
    (ids, listener) =>
      ids.foreach(listener.onBlockFetchFailure(_, new IOException("no such block")))
}

private[hpc] object RoutesFixture {
  val opened: String => FileChannel = path => FileChannel.open(Paths.get(path), READ)

  val Shuffle = 3
  val Owner = "7"

  def name(mapId: Long): String = s"shuffle_${Shuffle}_${mapId}_0"

  def mapId(name: String): Long = name.split('_')(2).toLong

  def buffer(value: Byte): ManagedBuffer =
    new NioManagedBuffer(ByteBuffer.wrap(Array(value)))
}
