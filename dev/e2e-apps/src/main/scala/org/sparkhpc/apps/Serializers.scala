package org.sparkhpc.apps

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.{SparkConf, SparkContext, SparkEnv}
import org.apache.spark.storage.StorageLevel

/** The same jobs with Java's serialization and with Kryo's, which must know every class; an
  * application each. It shows the results by serializer.
  */
object Serializers {

  final case class Reading(station: String, hour: Int, values: Seq[Double])

  private val java = Seq("spark.serializer" -> "org.apache.spark.serializer.JavaSerializer")

  private val kryo = Seq(
    "spark.serializer" -> "org.apache.spark.serializer.KryoSerializer",
    "spark.kryo.registrationRequired" -> "true",
    "spark.kryo.classesToRegister" -> Seq(
      classOf[Reading].getName,
      classOf[Array[Reading]].getName,
      "scala.collection.immutable.$colon$colon",
      "scala.collection.immutable.Nil$",
      "scala.reflect.ClassTag$GenericClassTag",
      // Results of tasks: a sort's samples, the answers to PatchCheck.
      "org.apache.spark.examples.hpc.StorageClasses",
      "[Lorg.apache.spark.examples.hpc.StorageClasses;",
      "[Lscala.Tuple2;",
      "[Lscala.Tuple3;",
      "[I",
      "[Ljava.lang.String;"
    ).mkString(",")
  )

  def main(args: Array[String]): Unit =
    for ((name, settings) <- Seq("java" -> java, "kryo" -> kryo)) {
      val sc = new SparkContext(new SparkConf().setAll(settings))
      try {
        Report.line(s"$name.results", results(sc).mkString(" "))
        val used = sc.range(0, 1, 1, 1).map(_ => SparkEnv.get.serializer.getClass.getSimpleName)
        Report.line(s"$name.serializer", used.first())
        Report.storageClasses(sc, 1)
      } finally sc.stop()
    }

  private def results(sc: SparkContext): Seq[Any] = {
    val all = ArrayBuffer.empty[Any]
    val readings = sc.range(0, 20000, 1, 4).map { n =>
      Reading(s"station ${n % 97}", (n % 24).toInt, List(n * 0.5, n * 0.25))
    }
    for (level <- Seq(StorageLevel.MEMORY_ONLY_SER, StorageLevel.DISK_ONLY)) {
      val cached = readings.map(identity).persist(level)
      all += cached.count()
      // The second time from the serialized blocks.
      all += cached.map(_.values.sum).sum()
      all += cached.map(reading => (reading.station, reading.values.sum)).reduceByKey(_ + _)
        .collect().sorted.toList.hashCode
      all += cached.sortBy(reading => (reading.hour, reading.values.head)).zipWithIndex()
        .map { case (reading, index) => reading.values.last * (index % 1000) }.sum()
      all += cached.groupBy(_.hour).mapValues(_.size).collect().sorted.toList
      cached.unpersist(blocking = true)
    }
    all.toSeq
  }
}
