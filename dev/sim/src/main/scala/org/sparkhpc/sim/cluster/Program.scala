package org.sparkhpc.sim.cluster

/** A program as the model sees it: a scan of files, then shuffles, each of which reads what the one before wrote.
  *
  * @param tasks of each stage: as many maps as reducers
  * @param shuffles 1: a map stage and a reduce stage; more: stages between them read and write
  * @param pairs the records that a map task writes
  * @param pairBytes of a record in the shuffle
  * @param files input files, of which each is one partition of the first stage; 0: the first stage generates its records
  */
final case class Program(
    name: String,
    tasks: Int,
    shuffles: Int,
    pairs: Double,
    pairBytes: Double,
    files: Int = 0
) {

  /** The stages, in their order. */
  def stages: Seq[Program.Stage] =
    Program.Stage(
      if (files > 0) "scan" else "map",
      if (files > 0) files else tasks,
      None,
      Some(0)
    ) +:
      (1 to shuffles).map { number =>
        val isLast = number == shuffles
        Program.Stage(
          if (isLast) "reduce" else s"step $number",
          tasks,
          Some(number - 1),
          if (isLast) None else Some(number)
        )
      }

  /** The shuffle that a stage with this number of tasks writes. */
  def shuffle(maps: Int): Shuffle = Shuffle(maps, tasks, pairs, pairBytes)
}

object Program {

  /** @param reads the number of the shuffle that it reads
    * @param writes the number of the shuffle that it writes
    */
  final case class Stage(name: String, tasks: Int, reads: Option[Int], writes: Option[Int])
}

/** A shuffle whose records are spread evenly over the reducers. */
final case class Shuffle(maps: Int, reducers: Int, pairs: Double, pairBytes: Double) {

  /** The share of blocks that aren't empty: nobody asks for the others. */
  val full: Double = 1 - math.exp(-pairs / reducers)

  val outputBytes: Double = pairs * pairBytes

  /** The bytes of a block that isn't empty. */
  val blockBytes: Double = outputBytes / (reducers * full)

  val blocks: Double = maps.toDouble * reducers * full
}
