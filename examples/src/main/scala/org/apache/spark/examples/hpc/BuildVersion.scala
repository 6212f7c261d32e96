package org.apache.spark.examples.hpc

import java.util.Properties

import org.apache.spark.SparkEnv

/** The version of Spark-HPC that a process runs, from a resource of its patched spark-core jar. */
object BuildVersion {
  private val resource = "META-INF/spark-hpc/build.properties"

  /** `stock` where Spark is as published. */
  def here(): String = from(classOf[SparkEnv].getClassLoader)

  private[hpc] def from(loader: ClassLoader): String =
    Option(loader.getResourceAsStream(resource)).fold("stock") { stream =>
      try {
        val properties = new Properties
        properties.load(stream)
        properties.getProperty("version", "unknown")
      } finally stream.close()
    }
}
