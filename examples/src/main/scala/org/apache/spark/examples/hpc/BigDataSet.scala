package org.apache.spark.examples.hpc

import java.util.Properties

import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

/** What the tables of the Big Data Benchmark in one directory were made from.
  *
  * {{{
  * directory/rankings    Parquet
  * directory/uservisits  Parquet
  * directory/_bigdata    these figures, so that queries can be checked against the generator
  * }}}
  */
final case class BigDataSet(pages: Long, visits: Long, sources: Long, seed: Long) {

  def pageTable: PageTable = new PageTable(seed)
  def visitTable: VisitTable = new VisitTable(pages, sources, seed)

  def write(directory: Path, conf: Configuration): Unit = {
    val properties = new Properties
    properties.setProperty("pages", pages.toString)
    properties.setProperty("visits", visits.toString)
    properties.setProperty("sources", sources.toString)
    properties.setProperty("seed", seed.toString)
    val file = BigDataSet.file(directory)
    val stream = file.getFileSystem(conf).create(file, false)
    try properties.store(stream, "Big Data Benchmark")
    finally stream.close()
  }
}

object BigDataSet {

  def rankings(directory: Path): String = new Path(directory, "rankings").toString
  def visits(directory: Path): String = new Path(directory, "uservisits").toString

  /** The figures in a directory that BigDataGen wrote to its end. */
  def read(directory: Path, conf: Configuration): BigDataSet = {
    val stream = file(directory).getFileSystem(conf).open(file(directory))
    val properties = new Properties
    try properties.load(stream)
    finally stream.close()
    def figure(key: String): Long = Try(properties.getProperty(key).toLong).getOrElse {
      throw Refusal.data(s"--input ${file(directory)}: no $key in it; run BigDataGen again")
    }
    BigDataSet(figure("pages"), figure("visits"), figure("sources"), figure("seed"))
  }

  def file(directory: Path): Path = new Path(directory, "_bigdata")
}
