package org.apache.spark.examples.hpc

import java.io.PrintStream
import java.util.Locale

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.deploy.SparkHadoopUtil
import org.apache.spark.rdd.RDD

/** Writes an R-MAT graph as text in SNAP format; `--help` lists the options.
  *
  * The files of a run, one after the other, are the same bytes whatever the number of partitions.
  */
object Rmat extends Program {

  override protected def execute(args: Seq[String], out: PrintStream): Unit =
    RmatOptions.parse(args, out).foreach { options =>
      val conf = new SparkConf().setIfMissing("spark.app.name", "Rmat")
      val hadoop = SparkHadoopUtil.get.newConfiguration(conf)
      val output = new Locations(hadoop).output("--output", options.output)

      val sc = new SparkContext(conf)
      try {
        val started = System.nanoTime()
        lines(sc, options).saveAsTextFile(output.toString)
        val seconds = (System.nanoTime() - started) / 1e9
        out.println(
          s"rmat: vertices=${options.vertices} edges=${options.edges} seed=${options.seed} " +
            "seconds=%.3f output=%s".formatLocal(Locale.ROOT, seconds, output)
        )
      } finally sc.stop()
    }

  private[hpc] def lines(sc: SparkContext, options: RmatOptions): RDD[String] = {
    val generator = new RmatGenerator(options.scale, options.seed)
    val partitions = if (options.partitions > 0) options.partitions else sc.defaultParallelism
    val title = header(options)
    sc.range(0, options.edges, numSlices = partitions).mapPartitionsWithIndex { (index, edges) =>
      val text = edges.map(generator.edge(_)((source, target) => s"$source\t$target"))
      if (index == 0) Iterator(title) ++ text else text
    }
  }

  private def header(options: RmatOptions): String =
    s"# R-MAT a=0.57 b=0.19 c=0.19 d=0.05 scale=${options.scale} " +
      s"edgeFactor=${options.edgeFactor} seed=${options.seed} " +
      s"vertices=${options.vertices} edges=${options.edges}: source<TAB>target"
}
