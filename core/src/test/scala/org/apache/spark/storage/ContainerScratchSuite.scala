package org.apache.spark.storage

import java.nio.file.{Files, Path}

import org.apache.spark.SparkConf
import org.apache.spark.hpc.tier.Tier
import org.scalatest.funsuite.AnyFunSuite

/** What becomes of the directories that YARN and Kubernetes give a container, by its variables. */
class ContainerScratchSuite extends AnyFunSuite with Scratchful {
  import ContainerScratchSuite._

  /** The tiers of a process with these variables, and the directories that Spark's streams use. */
  private def inContainer[A](scratch: String, variables: (String, String)*)(
      test: (Seq[Tier], Seq[Path]) => A
  ): A = {
    val conf = new Variables(variables.toMap).set("spark.hpc.scratch", scratch)
    val blocks = new HpcDiskBlockManager(conf, deleteFilesOnStop = true, isDriver = false)
    try test(blocks.tiers.get.all, blocks.localDirs.toSeq.map(_.toPath))
    finally blocks.stop()
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

  private def spark(tiers: Seq[Tier]): Path = tiers.find(_.label == "spark").get.directory.toPath
}

object ContainerScratchSuite {

  /** Settings, with these variables and no others. */
  private final class Variables(variables: Map[String, String]) extends SparkConf(false) {
    override private[spark] def getenv(name: String): String = variables.get(name).orNull
  }
}
