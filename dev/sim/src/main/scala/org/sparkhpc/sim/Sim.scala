package org.sparkhpc.sim

import java.io.PrintStream
import java.nio.file.{Files, Path, Paths}

import org.apache.spark.examples.hpc.{Program, Refusal}

/** Says what other policies and sizes of memory would have made of recorded runs, as a table. */
object Sim extends Program {

  override protected def execute(args: Seq[String], out: PrintStream): Unit =
    SimOptions.parse(args, out).foreach { options =>
      val files = options.traces.map { name =>
        val file = Paths.get(name)
        if (!Files.isRegularFile(file)) throw Refusal.data(s"$name: there is no such file")
        file
      }
      files.foreach(print(_, options, out))
    }

  private def print(file: Path, options: SimOptions, out: PrintStream): Unit = {
    val trace = Trace.read(file, logWarning(_))
    if (trace.blocks.isEmpty) throw Refusal.data(s"$file: no block was computed in it")
    val peak = trace.peakBytes
    out.println(
      s"""|
          |${file.getFileName}: ${trace.blocks.size} blocks, ${trace.events.size} events, at most
          |${megabytes(peak)} MB in memory at once
          |
          || memory | spill | policy | seconds to get blocks back | computed again | MB written | MB read | evictions |
          ||---|---|---|---|---|---|---|---|""".stripMargin
    )
    val ran = trace.asItRan
    out.println(
      s"| as it ran | | | | ${ran.computedAgain} | ${megabytes(ran.bytesWritten)} | ${megabytes(ran.bytesRead)} | ${ran.evictions} |"
    )
    val sizes = trace.memoryBytes.map("the run's" -> _).toSeq ++
      options.percents.map(percent => s"$percent%" -> peak * percent / 100)
    for {
      (size, memory) <- sizes
      spill <- options.spill
      policy <- options.policies
    } {
      val costs = Policies.replay(policy, trace, memory, spill == "auto", options.disk)
      val least = if (costs.isCutShort) "more than " else ""
      out.println(
        s"| $size | $spill | $policy | $least${seconds(costs.nanos)} | $least${costs.computedAgain} | " +
          s"${megabytes(costs.bytesWritten)} | ${megabytes(costs.bytesRead)} | ${costs.evictions} |"
      )
    }
  }

  private def seconds(nanos: Double): String = f"${nanos / 1e9}%.2f"

  private def megabytes(bytes: Long): String = f"${bytes / 1e6}%.1f"
}
