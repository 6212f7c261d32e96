package org.apache.spark.hpc

import java.util.Properties

/** The version of Spark-HPC, as recorded when it was built.
  *
  * @param version of Spark-HPC, e.g. `3.5.9-hpc-1`
  * @param verified all Spark versions in which its classes may run
  */
final case class Build(version: String, verified: Seq[String])

object Build {
  private val Resource = "/META-INF/spark-hpc/build.properties"

  /** The build on the class path. Every Spark-HPC jar contains its record. */
  lazy val current: Build = {
    val properties = new Properties
    val in = getClass.getResourceAsStream(Resource)
    require(in != null, s"$Resource is missing: the Spark-HPC jar is damaged, install it again")
    try properties.load(in)
    finally in.close()
    val verified = properties.getProperty("verified").split(",").toSeq
    Build(properties.getProperty("version"), verified)
  }
}
