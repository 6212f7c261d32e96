package org.apache.spark.shuffle.hpc.place

import java.io.File

import org.apache.spark.SparkConf
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.container.Visibility
import org.sparkhpc.tier.{Coherences, MountTable}

class SharedDirectorySuite extends AnyFunSuite {
  private val directory = new File("/scratch/you/spark-hpc-one")

  private def conf(durability: String): SparkConf = {
    val conf = new SparkConf(false).set("spark.hpc.shuffle.durability", durability)
    SharedDirectory.choose(conf, directory)
    conf
  }

  private def coherences(kind: String): Coherences =
    new Coherences(() => MountTable.parse(Seq(s"36 35 0:52 / /scratch rw - $kind server rw")))

  /** What holds at first, and after nodes saw at once what others wrote, and after they didn't. */
  private def visibilities(kind: String, durability: String): Seq[Visibility] = {
    val known = coherences(kind)
    def now = SharedDirectory.visibility(conf(durability), known)
    now +: Seq(true, false).map { sawAtOnce =>
      known.of(directory).tell(sawAtOnce)
      now
    }
  }

  test("a container that is made after a measurement follows it") {
    import Visibility._
    assert(visibilities("nfs4", "executor") == Seq(Forced, Observed, Forced))
    assert(visibilities("lustre", "executor") == Seq(Guaranteed, Guaranteed, Forced))
  }

  test("outputs that have to survive a node are forced, whatever was measured") {
    for (kind <- Seq("nfs4", "lustre"))
      assert(visibilities(kind, "node").toSet == Set(Visibility.Forced))
  }
}
