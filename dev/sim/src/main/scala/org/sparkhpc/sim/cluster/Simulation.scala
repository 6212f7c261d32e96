package org.sparkhpc.sim.cluster

import scala.collection.mutable

/** Runs a program on virtual executors, in virtual time.
  *
  * Executors run tasks in their slots as Spark's do: the driver starts them one after the other; a reduce task asks all
  * owners of blocks at once, reads its own blocks meanwhile, and computes on what has come.
  *
  * @param steps to end, the owners of a task's blocks are put together in at most as many groups, of which one owner
  *   does the work of all
  */
final class Simulation(
    machine: Machine,
    variant: Variant,
    program: Program,
    seed: Long = 1,
    steps: Int = 64
) {
  import Simulation._

  private val settings = machine.settings
  private val clock = new Clock
  private val resources = new Resources(machine, variant.place, clock, seed)
  private val servers = Array.fill(machine.executors)(new Gate(machine.serverThreads))
  private val readers = Array.fill(machine.executors)(new Gate(math.max(4, machine.slots)))
  // What each executor has done before, by the name of what it does.
  private val done = mutable.Map.empty[String, mutable.BitSet]
  private val finished = mutable.ArrayBuffer.empty[StageResult]
  private var moved = 0.0

  private val perPair = settings("cpu.pair_us") * 1000
  private val perBlock = settings("cpu.block_us") * 1000
  private val perServed = settings("cpu.serve_us") * 1000

  /** The owners and the layout of each shuffle, by its number. */
  private val shuffles: Seq[Owned] = program.stages.filter(_.writes.nonEmpty).map { stage =>
    val shuffle = program.shuffle(stage.tasks)
    val owners = math.min(machine.executors, stage.tasks)
    val outputs = stage.tasks.toDouble / owners
    new Owned(shuffle, owners, outputs, Layout(variant.layout, shuffle, outputs))
  }

  def run(): Result = {
    runAll(program.stages.toList)
    clock.run()
    for (owned <- shuffles; _ <- 0 until owned.owners) resources.note(owned.layout.remove)
    shuffles.headOption.foreach(owned => resources.note(owned.layout.driver))
    Result(
      finished.toList,
      resources.counts,
      moved,
      resources.cpuNanos / 1e9,
      resources.metadataNanos / 1e9
    )
  }

  private def runAll(stages: List[Program.Stage]): Unit = stages match {
    case stage :: others =>
      val begun = clock.now
      val before = resources.busy
      runStage(stage) {
        val nanos = (clock.now - begun).toDouble
        val used = resources.busy.zip(before).map { case ((name, busy, count), (_, earlier, _)) =>
          name -> (busy - earlier) / (nanos * count)
        }
        finished += StageResult(stage.name, nanos / 1e9, used.maxBy(_._2))
        runAll(others)
      }
    case Nil =>
  }

  private def runStage(stage: Program.Stage)(andThen: => Unit): Unit = {
    var started, ended = 0
    def next(executor: Int): Unit = if (started < stage.tasks) {
      started += 1
      resources.launch {
        task(executor, stage) {
          ended += 1
          if (ended == stage.tasks) andThen else next(executor)
        }
      }
    }
    for (_ <- 0 until machine.slots; executor <- 0 until machine.executors) next(executor)
  }

  private def task(executor: Int, stage: Program.Stage)(andThen: => Unit): Unit = {
    def write(): Unit = stage.writes match {
      case None => andThen
      case Some(shuffle) =>
        val layout = shuffles(shuffle).layout
        val first = if (isFirst(s"write $shuffle", executor)) layout.first else Ask.Nothing
        resources.ask(executor, first)(resources.ask(executor, layout.map)(andThen))
    }
    stage.reads match {
      case Some(shuffle) =>
        val owned = shuffles(shuffle)
        val pairs = owned.shuffle.pairs * owned.shuffle.maps / stage.tasks
        val warm = if (isFirst("reduce", executor)) seconds("cpu.first_reduce_s") else 0
        resources.places(owned.shuffle.maps, isFirst(s"places $shuffle", executor)) {
          fetch(executor, shuffle) {
            resources.compute(executor, warm + seconds("cpu.reduce_s") + pairs * perPair)(write())
          }
        }
      case None =>
        val warm = if (isFirst("map", executor)) seconds("cpu.first_map_s") else 0
        val input = if (program.files > 0) inputs else Ask.Nothing
        // Input is on the shared file system, wherever scratch is.
        resources.ask(executor, input, Variant.Lustre) {
          resources.compute(executor, warm + seconds("cpu.map_s") + program.pairs * perPair)(
            write()
          )
        }
    }
  }

  /** What a task asks for to read its input file. */
  private def inputs: Ask = variant.layout match {
    case "ours" | "global" => Ask.of("open" -> 1, "close" -> 1) ++ Ask(reads = 2)
    // HPDC'16, section 4: four opens for each partition, data and checksum file.
    case _ => Ask.of("lookup" -> 2, "open" -> 4, "close" -> 4) ++ Ask(reads = 5)
  }

  /** Reads the blocks of a reduce task. */
  private def fetch(executor: Int, shuffle: Int)(andThen: => Unit): Unit = {
    val owned = shuffles(shuffle)
    val owners = owned.owners
    val isOwner = executor < owners
    val others = if (isOwner) owners - 1 else owners
    val groups = math.min(steps, others)
    val each = owned.outputs * owned.shuffle.full
    var waitingFor = groups
    var blocksCome = 0.0
    var isBusy = false
    def work(): Unit =
      if (!isBusy) {
        if (blocksCome > 0) {
          val nanos = blocksCome * perBlock
          blocksCome = 0
          isBusy = true
          resources.compute(executor, nanos) {
            isBusy = false
            work()
          }
        } else if (waitingFor == 0) {
          waitingFor = -1
          andThen
        }
      }
    def come(blocks: Double): Unit = {
      moved += blocks * owned.shuffle.blockBytes
      blocksCome += blocks
    }
    if (isOwner) {
      // The task's own thread reads them, so it can't work on other blocks.
      isBusy = true
      resources.ask(executor, owned.layout.ofOwner(each, isFirst(s"serve $shuffle", executor))) {
        isBusy = false
        come(each)
        work()
      }
    }
    for (group <- 0 until groups) {
      val blocks = each * others / groups
      def arrived(): Unit = {
        waitingFor -= 1
        come(blocks)
        work()
      }
      val from = owner(executor, group, groups, owners)
      remote(executor, from, group, shuffle, blocks)(arrived())
    }
    work()
  }

  /** The owner of a group's work. Over all executors, all owners are asked equally often: otherwise few owners would
    * seem to be a bottleneck.
    */
  private def owner(executor: Int, group: Int, groups: Int, owners: Int): Int = {
    val others = if (executor < owners) owners - 1 else owners
    val place = group.toLong * math.max(1, owners / groups) % math.max(1, others)
    ((executor + 1 + place) % owners).toInt
  }

  private def remote(executor: Int, owner: Int, group: Int, shuffle: Int, blocks: Double)(
      andThen: => Unit
  ): Unit = {
    val owned = shuffles(shuffle)
    if (owned.layout.ofReader(1, isFirst = false).nonEmpty) {
      val groupOf = math.max(1, math.round(blocks / (owned.outputs * owned.shuffle.full)).toInt)
      val first = isFirst(s"read $shuffle $group", executor)
      readers(executor).enter {
        resources.ask(executor, owned.layout.ofReader(groupOf, first).get) {
          readers(executor).leave()
          andThen
        }
      }
    } else
      servers(owner).enter {
        resources.compute(owner, blocks * perServed) {
          val first = isFirst(s"serve $shuffle", owner)
          resources.ask(owner, owned.layout.ofOwner(blocks, first)) {
            servers(owner).leave()
            resources.send(owner, executor, blocks * owned.shuffle.blockBytes)(andThen)
          }
        }
      }
  }

  private def isFirst(what: String, executor: Int): Boolean =
    done.getOrElseUpdate(what, mutable.BitSet.empty).add(executor)

  private def seconds(key: String): Double = settings(key) * 1e9
}

object Simulation {

  private final class Owned(
      val shuffle: Shuffle,
      val owners: Int,
      val outputs: Double,
      val layout: Layout
  )

  /** @param busiest what was busiest, and the share of the stage's time in which it was */
  final case class StageResult(name: String, seconds: Double, busiest: (String, Double))

  /** @param counts requests to the shared file system, by kind; `data` are those to object servers
    * @param moved bytes that reducers got
    * @param metadataSeconds what requests to the metadata server took with their waits, all added up
    */
  final case class Result(
      stages: Seq[StageResult],
      counts: Map[String, Double],
      moved: Double,
      cpu: Double,
      metadataSeconds: Double
  ) {
    def seconds: Double = stages.map(_.seconds).sum
    def metadata: Double = (counts - "data").values.sum
  }
}
