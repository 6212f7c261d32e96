package org.sparkhpc.sim.cluster

/** What the executors of a cluster share and wait for: servers of the file system, cores, links, the driver. */
final class Resources(machine: Machine, place: Variant.Place, clock: Clock, seed: Long) {
  import Resources._

  private val settings = machine.settings
  private val mds =
    Array.tabulate(settings.get("mds.servers", 1).toInt) { number =>
      new Station(Station.Shape.of(settings, "mds"), seed + number)
    }
  private val ost =
    Array.tabulate(settings.get("ost.servers", 4).toInt) { number =>
      new Station(Station.Shape.of(settings, "ost"), seed + 1000 + number)
    }
  private val cores = Array.fill(machine.hosts)(new Line(machine.hostCores))
  private val outgoing, incoming = Array.fill(machine.hosts)(new Line(1))
  private val driver = new Line(1)
  private val driverLink = new Line(1)

  private val dispatch = micros(settings("driver.task_us"))
  private val request = micros(settings(place match {
    case Variant.Lustre => "client.request_us"
    case Variant.Memory => "memory.request_us"
    case Variant.Mount => "mount.request_us"
  }))
  private val latency = micros(settings("net.latency_us"))
  private val perByte = 1000 / settings("net.mb")
  private val rpc = settings.get("rpc.kb", 1024) * 1024
  private val unsent = new Array[Double](machine.executors)
  private val weights = scala.collection.mutable.Map.empty[Ask, Double]
  private val asked = scala.collection.mutable.Map.empty[Ask, Long]
  private var turn = 0
  private var task = 0.0

  /** CPU time of a task or a thread of that executor. If there are more slots than cores, it takes turns with others. */
  def compute(executor: Int, nanos: Double)(andThen: => Unit): Unit = {
    task += nanos
    if (nanos < 1) andThen
    else if (!machine.isOversubscribed) clock.at(clock.now + nanos.toLong)(andThen)
    else {
      val now = math.min(nanos, Slice)
      clock.at(cores(machine.host(executor)).take(clock.now, now.toLong)) {
        task -= nanos - now
        compute(executor, nanos - now)(andThen)
      }
    }
  }

  /** Makes requests, one after the other, to the file system of the executor's scratch or to another one. */
  def ask(executor: Int, requests: Ask, on: Variant.Place = place)(andThen: => Unit): Unit = {
    note(requests, on)
    if (requests.written > 0 && on != Variant.Memory) write(executor, requests.written)
    val count = requests.count + requests.locks + requests.reads
    if (count < 0.5) andThen
    else
      compute(executor, count * request) {
        if (on != Variant.Lustre) andThen
        else metadata(requests)(data(requests)(andThen))
      }
  }

  /** Counts requests for which nobody waits. Those to a node's own file system aren't counted. */
  def note(requests: Ask, on: Variant.Place = place): Unit =
    if (on == Variant.Lustre) asked(requests) = asked.getOrElse(requests, 0L) + 1

  private def metadata(requests: Ask)(andThen: => Unit): Unit =
    if (requests.count < 0.5) andThen
    else {
      turn += 1
      val weight = weights.getOrElseUpdate(
        requests,
        requests.metadata.map { case (kind, number) => settings.weight(kind) * number }.sum /
          requests.count
      )
      val count = math.max(1L, math.round(requests.count))
      clock.at(mds(turn % mds.length).admit(clock.now, weight, count = count))(andThen)
    }

  private def data(requests: Ask)(andThen: => Unit): Unit =
    objects(requests.locks, settings.weight("enqueue"), 0) {
      objects(requests.reads, 1, requests.readBytes)(andThen)
    }

  private def objects(requests: Double, weight: Double, bytes: Double)(andThen: => Unit): Unit =
    if (requests < 0.5) andThen
    else {
      turn += 1
      val count = math.max(1L, math.round(requests))
      clock.at(ost(turn % ost.length).admit(clock.now, weight, bytes, count))(andThen)
    }

  /** A client sends full requests in the background. */
  private def write(executor: Int, bytes: Double): Unit = {
    unsent(executor) += bytes
    val full = (unsent(executor) / rpc).toLong
    if (full > 0) {
      turn += 1
      ost(turn % ost.length).admit(clock.now, 1, full * rpc, full): Unit
      unsent(executor) -= full * rpc
    }
  }

  /** Sends bytes between executors; in the same process nothing is sent. */
  def send(from: Int, to: Int, bytes: Double)(andThen: => Unit): Unit =
    clock.at(outgoing(machine.host(from)).take(clock.now, (bytes * perByte).toLong)) {
      clock.at(incoming(machine.host(to)).take(clock.now, (bytes * perByte).toLong) + latency)(
        andThen
      )
    }

  /** The driver starts a task. */
  def launch(andThen: => Unit): Unit = clock.at(driver.take(clock.now, dispatch))(andThen)

  /** The driver sends an executor the places of a shuffle's outputs; large ones are spread by the executors themselves. */
  def places(maps: Int, isFirst: Boolean)(andThen: => Unit): Unit = {
    val bytes = maps * settings("driver.status_bytes")
    val took = (bytes * perByte).toLong
    if (bytes < Broadcast) clock.at(driverLink.take(clock.now, took) + latency)(andThen)
    else {
      val sent = if (isFirst) driverLink.take(clock.now, 2 * took) else clock.now
      clock.at(sent + took + latency)(andThen)
    }
  }

  /** The requests of each kind to the shared file system so far. Data requests are `data`. */
  def counts: Map[String, Double] =
    asked.toSeq.flatMap { case (requests, times) =>
      (requests.metadata :+ ("data" -> (requests.locks + requests.reads))).map {
        case (kind, number) =>
          kind -> number * times
      }
    }.groupBy(_._1).map { case (kind, all) => kind -> all.map(_._2).sum }

  /** Nanoseconds of CPU that tasks and servers of blocks have used, by this model. */
  def cpuNanos: Double = task

  def metadataNanos: Long = mds.map(_.takenNanos).sum

  /** Busy nanoseconds so far, by name, and how many there are of what is busy. */
  def busy: Seq[(String, Double, Double)] = Seq(
    ("metadata server", mds.map(_.busyNanos).sum.toDouble, mds.length * threads("mds")),
    ("object servers", ost.map(_.busyNanos).sum.toDouble, ost.length * threads("ost")),
    ("driver", driver.busyNanos.toDouble, 1.0),
    ("driver's link", driverLink.busyNanos.toDouble, 1.0),
    ("network", outgoing.map(_.busyNanos.toDouble).sum, machine.hosts.toDouble),
    ("cores", task, machine.hosts.toDouble * machine.hostCores)
  )

  private def threads(prefix: String): Double = Station.Shape.of(settings, prefix).threads.toDouble
}

object Resources {
  // Long tasks share few cores with others in turns.
  private val Slice = 20e6

  // Spark's spark.shuffle.mapOutput.minSizeForBroadcast.
  private val Broadcast = 512 << 10

  def micros(micros: Double): Long = (micros * 1000).toLong
}
