package org.apache.spark.shuffle.hpc

import java.io.File
import java.nio.file.Path

import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, TaskContext}
import org.apache.spark.network.BlockTransferService
import org.apache.spark.shuffle.{
  IndexShuffleBlockResolver,
  ShuffleHandle,
  ShuffleWriteMetricsReporter,
  ShuffleWriter
}
import org.apache.spark.shuffle.hpc.loss.Sweep
import org.apache.spark.shuffle.hpc.place.{GlobalPlaces, OutputDirectory, Places, SharedDirectory}
import org.apache.spark.shuffle.hpc.read.RoutingTransferService
import org.apache.spark.shuffle.hpc.serve.GlobalBlockResolver
import org.apache.spark.shuffle.hpc.write.PlacedWriter

/** Keeps map outputs in containers in a directory that all nodes share, where they outlive their executors. */
private[hpc] final class SharedPlacement(process: ShuffleProcess) extends InContainers(process) {
  import process._

  // The driver made the directory, so it doesn't look for the token.
  private lazy val directory =
    if (isDriver) new OutputDirectory(SharedDirectory.path(conf).get)
    else SharedDirectory.open(conf)

  override protected def places: Places =
    new GlobalPlaces(directory, SharedDirectory.visibility(conf, disk.coherences), executorId)

  override def shared: Option[Path] = SharedDirectory.path(conf)

  private lazy val sweep = new Sweep(directory, files)

  private lazy val answers = new GlobalBlockResolver(conf, files, own, held)

  override def resolver: IndexShuffleBlockResolver = answers

  override def check(shared: Option[File]): Unit = SharedSettings.check(conf)

  override def writer[K, V](
      handle: ShuffleHandle,
      mapTaskId: Long,
      task: TaskContext,
      metrics: ShuffleWriteMetricsReporter
  )(sparks: ShuffleWriteMetricsReporter => ShuffleWriter[K, V]): ShuffleWriter[K, V] =
    new PlacedWriter(
      super.writer(handle, mapTaskId, task, metrics)(sparks),
      answers.placeOf(handle.shuffleId, mapTaskId)
    )

  override def around(network: BlockTransferService): BlockTransferService =
    new RoutingTransferService(network, routes(network, directory))

  override def lost(failed: FetchFailed, tracker: MapOutputTrackerMaster): Unit =
    sweep.after(failed, tracker)
}
