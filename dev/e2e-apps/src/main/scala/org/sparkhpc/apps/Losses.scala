package org.sparkhpc.apps

import java.nio.file.{Files, Path, Paths}

import org.apache.commons.io.FileUtils
import org.apache.spark.{ShuffleDependency, SparkContext, SparkEnv}
import org.apache.spark.rdd.RDD

/** Shuffles, and loses something on the way, once for each scenario: `Losses NOTES WHEN-WHAT...`.
  *
  * WHEN is `map`, `between` or `reduce`: in the map stage, after it, in the reduce stage; `reduce0`: in
  * that as well, in executor 0. WHAT is a [[Loss]], or between the stages `file`, a map output's data cut short, or `shuffle`, the directory
  * of all its outputs, or `retired`, each executor that has some is decommissioned. NOTES is a directory that all executors see.
  */
object Losses {
  private val Parts = 16
  private val Keys = 100

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    val exclusions = new Exclusions
    val removals = new Removals
    Seq(exclusions, removals).foreach(sc.addSparkListener)
    try {
      Report.storageClasses(sc, 2)
      val scenarios = args.tail.map(new Scenario(sc, removals, Paths.get(args.head), _))
      scenarios.foreach(_.run())
      // What happened to later shuffles hasn't touched the first.
      scenarios.head.collect("again")
    } finally sc.stop()
    Report.line("excluded", exclusions.names.mkString(" "))
  }

  private class Scenario(sc: SparkContext, removals: Removals, notes: Path, name: String) {
    private val Array(when, what) = name.split('-')
    private val directory = Files.createDirectories(notes.resolve(name))
    private val grouped = shuffled(sc, when, Loss(what, directory.toString), directory.toString)

    def run(): Unit = {
      if (when == "between") {
        // All map tasks, and one reducer: its executor has what it read open.
        sc.runJob(grouped, (_: Iterator[(Long, Iterable[Long])]) => (), Seq(0))
        between()
      }
      collect(name)
      Report.line(s"$name.containers", containers.size)
      Report.line(s"$name.victim", Loss.victim(directory.toString).getOrElse("none"))
    }

    def collect(label: String): Unit = {
      val loss = Loss(what, directory.toString)
      val when = this.when
      val sums = grouped.mapPartitionsWithIndex { (part, groups) =>
        if (when == "reduce" && part == Parts / 2) loss.happen()
        if (when == "reduce0") happenIn("0", loss)
        groups.map { case (key, numbers) => (key, numbers.sum) }
      }
      Report.line(s"$label.sums", sums.collect().sorted.mkString(" "))
      Report.line(s"$label.maps", mapTasks.mkString(" "))
    }

    private def between(): Unit = what match {
      case "file" =>
        val file = containers.head
        // Its name begins with the executor's.
        val executor = file.getFileName.toString.takeWhile(_ != '-')
        Report.line(s"$name.damaged", mapTasks.count(_ == executor))
        Files.write(file, Files.readAllBytes(file).dropRight(1)): Unit
      case "shuffle" =>
        FileUtils.deleteDirectory(containers.head.getParent.toFile)
      case "retired" => retire(mapTasks.distinct)
      case _ =>
        val loss = Loss(what, directory.toString)
        sc.range(0, Parts.toLong, 1, Parts).foreachPartition { numbers =>
          if (numbers.next() == Parts / 2) loss.happen()
        }
        if (Seq("decommissioned", "moving").contains(what))
          removals.await(Loss.victim(directory.toString).get)
    }

    private def retire(executors: Seq[String]): Unit = {
      val notes = executors.map { executor =>
        executor -> Files.createDirectories(directory.resolve(s"retired-$executor")).toString
      }.toMap
      sc.range(0, Parts.toLong, 1, Parts).foreachPartition { _ =>
        notes.get(SparkEnv.get.executorId).foreach(Loss("decommissioned", _).happen())
        // So that each has one.
        Thread.sleep(50)
      }
      executors.foreach(removals.await)
    }

    /** The executors that ran the map tasks, one for each time that one was run. */
    private def mapTasks: Seq[String] =
      FilesBelow(directory).map(_.getFileName.toString).filter(_.startsWith("map-"))
        .map(_.split('-')(1)).sorted

    private def containers: Seq[Path] =
      sc.getConf.getOption("spark.hpc.shuffle.directory").toSeq.flatMap { shared =>
        val shuffle = grouped.dependencies.head.asInstanceOf[ShuffleDependency[_, _, _]].shuffleId
        FilesBelow(Paths.get(shared)).filter(_.getParent.endsWith(s"shuffle-$shuffle"))
      }
  }

  private def shuffled(
      sc: SparkContext,
      when: String,
      loss: Loss,
      directory: String
  ): RDD[(Long, Iterable[Long])] =
    sc.range(0, 16000, 1, Parts)
      .mapPartitionsWithIndex { (part, numbers) =>
        if (when == "map" && part == Parts / 2) loss.happen()
        Files.createTempFile(Paths.get(directory), s"map-${SparkEnv.get.executorId}-", "")
        // So that both executors have some.
        Thread.sleep(50)
        numbers.map(n => (n % Keys, n))
      }
      .groupByKey(Parts)

  /** In a reducer of this executor. Then both it and another surely read for one more. */
  private def happenIn(executor: String, loss: Loss): Unit = {
    val directory = Paths.get(loss.notes)
    val own = SparkEnv.get.executorId
    def reduced(its: String => Boolean): Int = FilesBelow(directory)
      .map(_.getFileName.toString.split('-')).count(note => note(0) == "reduced" && its(note(1)))
    def await(its: String => Boolean): Unit = while (reduced(its) < 2) Thread.sleep(10)
    if (own == executor) loss.happen()
    Files.createTempFile(directory, s"reduced-$own-", "")
    if (own != executor) await(_ == executor)
    else if (reduced(_ == own) > 2) await(_ != own)
  }
}
