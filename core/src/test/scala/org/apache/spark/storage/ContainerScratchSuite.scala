package org.apache.spark.storage

import java.nio.file.{Files, Path}

import org.apache.spark.SparkConf
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.tier.Tier

/** What becomes of the directories that YARN, Kubernetes and our own start give a process, by its
  * variables.
  */
class ContainerScratchSuite extends AnyFunSuite with Scratchful {
  import ContainerScratchSuite._

  /** The tiers of a process with these variables, and the directories that Spark's streams use. */
  private def inContainer[A](scratch: String, variables: (String, String)*)(
      test: (Seq[Tier], Seq[Path]) => A
  ): A = {
    val conf = new Variables(variables.toMap).set("spark.hpc.scratch.tiers", scratch)
    having(conf)(blocks => test(blocks.tiers.get.all, blocks.localDirs.toSeq.map(_.toPath)))
  }

  private def having[A](conf: SparkConf)(test: HpcDiskBlockManager => A): A = {
    val blocks = new HpcDiskBlockManager(conf, deleteFilesOnStop = true, isDriver = false)
    try test(blocks)
    finally blocks.stop()
  }

  /** With Spark's own directories on a disk, and these beside them in a variable. */
  private def offered[A](own: Path, others: Path*)(settings: (String, String)*)(
      test: HpcDiskBlockManager => A
  ): A = {
    val variables =
      Map("SPARK_LOCAL_DIRS" -> own.toString, "SPARK_HPC_SCRATCH" -> others.mkString(":"))
    having(new Variables(variables).setAll(settings))(test)
  }

  private def volumes(folder: Path): Seq[Path] =
    Seq("one", "two").map(name => Files.createDirectory(folder.resolve(name)))

  /** Two directories for scratch, as one of both says it. */
  private val managers = Seq[(String, Seq[Path] => Seq[(String, String)])](
    "YARN" -> (dirs => Seq("CONTAINER_ID" -> "container_1", "LOCAL_DIRS" -> dirs.mkString(","))),
    "Kubernetes" -> (dirs => Seq("SPARK_LOCAL_DIRS" -> dirs.mkString(",")))
  )

  for ((name, variables) <- managers) {
    test(s"$name, auto: the directories that it gives are the home, all of them") {
      below { folder =>
        val given = volumes(folder)
        inContainer("auto", variables(given): _*) { (tiers, local) =>
          assert(local.map(_.getParent).sorted == given)
          assert(tiers.count(_.label == "spark") == 1 && local.contains(spark(tiers)))
        }
        assert(given.forall(_.toFile.list.isEmpty))
      }
    }

    test(s"$name, a list: what it gives is used if the list says so, and not otherwise") {
      below { folder =>
        val given = volumes(folder)
        val all = variables(given) :+ ("PWD" -> folder.resolve("one").toString)
        inContainer(s"local:$folder/a,local:$$PWD", all: _*) { (tiers, local) =>
          assert(tiers.map(_.directory.getParentFile.getName) == Seq("a", "one"))
          assert(local.map(_.getParent.getParent) == Seq(given.head))
          assert(given.last.toFile.list.isEmpty)
        }
        assert(filesIn(folder).isEmpty && given.forall(_.toFile.list.isEmpty))
      }
    }

    test(s"$name, a list: a variable that names several directories is refused") {
      below { folder =>
        val all = variables(volumes(folder))
        val failure = intercept[IllegalArgumentException] {
          inContainer(s"local:$$${all.last._1}", all: _*)((_, _) => ())
        }
        assert(failure.getMessage.endsWith(
          s"'$folder/one,$folder/two' in 'local:$$${all.last._1}' is several directories; write " +
            "an entry for each, or local:$PWD in a container"
        ))
      }
    }
  }

  test("Kubernetes, a list: the one volume of a pod can be named by its variable") {
    below { folder =>
      val variables = "SPARK_LOCAL_DIRS" -> folder.toString
      inContainer("local:$SPARK_LOCAL_DIRS", variables) { (tiers, local) =>
        assert(local.map(_.getParent.getParent) == Seq(folder))
        assert(tiers.size == 1)
      }
    }
  }

  test(
    "our start: what it offers on other file systems is around the home, without being asked for"
  ) {
    below { folder =>
      below("/dev/shm") { memory =>
        val Seq(own, beside) = volumes(folder)
        offered(own, folder.resolve("absent"), beside, memory)() { blocks =>
          val tiers = blocks.tiers.get.all
          assert(tiers.map(_.label) == Seq("memory", "spark"))
          assert(tiers.head.directory.getParentFile.toPath == memory)
          assert(blocks.localDirs.map(_.toPath.getParent).toSeq == Seq(own))
          val decided = blocks.decided.get
          assert(decided.startsWith("Scratch tiers, by SPARK_HPC_SCRATCH:"))
          assert(decided.contains(s"$folder/absent isn't used: it can't be written to"))
          assert(decided.contains(s"$beside isn't used: its file system is in use already"))
        }
        assert(filesIn(folder).isEmpty && filesIn(memory).isEmpty)
      }
    }
  }

  test("our start: in memory there are only so many bytes as it says") {
    below { folder =>
      below("/dev/shm") { memory =>
        def decided(bytes: String): Option[String] = {
          val variables = Map(
            "SPARK_LOCAL_DIRS" -> folder.toString,
            "SPARK_HPC_SCRATCH" -> memory.toString,
            "SPARK_HPC_MEMORY" -> bytes
          )
          having(new Variables(variables))(_.decided)
        }
        val heap = Runtime.getRuntime.maxMemory
        val bytes = heap + math.max(heap / 10, 384L << 20) + (600L << 20)
        assert(decided(bytes.toString).get.contains("(tmpfs), at most 300.0 MiB"))
        assert(decided("0").isEmpty)
      }
    }
  }

  test(
    "our start: a list of the user's, or a service that looks where Spark does, goes before it"
  ) {
    below { folder =>
      below("/dev/shm") { memory =>
        val own = volumes(folder).head
        offered(own, memory)("spark.hpc.scratch.tiers" -> s"local:$folder/a") { blocks =>
          assert(blocks.tiers.get.all.map(_.directory.getParentFile.getName) == Seq("a"))
        }
        offered(own, memory)("spark.shuffle.push.enabled" -> "true") { blocks =>
          assert(blocks.tiers.isEmpty)
        }
        offered(own, own)()(blocks => assert(blocks.tiers.isEmpty))
        assert(filesIn(memory).isEmpty)
      }
    }
  }

  private def spark(tiers: Seq[Tier]): Path = tiers.find(_.label == "spark").get.directory.toPath
}

object ContainerScratchSuite {

  /** Settings, with these variables and no others. */
  private final class Variables(variables: Map[String, String]) extends SparkConf(false) {
    override private[spark] def getenv(name: String): String = variables.get(name).orNull
  }
}
