package org.apache.spark.sql.hpc.graph

import org.apache.spark.graphx.VertexId
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.{array, col, count_if, explode, min}
import org.apache.spark.sql.types._
import org.apache.spark.storage.StorageLevel.MEMORY_AND_DISK

/** The names of vertices in a table of edges, and their ids in GraphX. */
private[hpc] trait VertexNames {

  /** The edges, each of two vertex ids. */
  def edges: DataFrame

  /** The ids of those names that a vertex may have.
    *
    * @throws IllegalArgumentException that names the parameter, if a name is of another type than the vertices' names
    */
  def ids(parameter: String, names: Seq[Any]): Map[Any, VertexId]

  /** The table with names for the ids in some of its columns. */
  def back(table: DataFrame, columns: String*): DataFrame
}

private[hpc] object VertexNames {

  /** @param pairs two columns
    * @throws IllegalArgumentException if the columns can't name vertices, or don't in some row
    */
  def of(pairs: DataFrame): VertexNames = {
    val types = pairs.schema.map(_.dataType)
    val names = pairs.schema.map(field => s"column '${field.name}'")
    for (
      (name, found) <- names.zip(types) if !found.isInstanceOf[IntegralType] && found != StringType
    )
      throw new IllegalArgumentException(
        s"$name has the type ${found.simpleString}: cast it to bigint, or to string; vertices are whole numbers or strings"
      )
    val isText = types.map(_ == StringType)
    if (isText.distinct.size > 1)
      throw new IllegalArgumentException(
        names.zip(types).map { case (name, found) => s"$name has the type ${found.simpleString}" }
          .mkString(" and ") + ": cast one of them to the type of the other"
      )
    val both = pairs.toDF("source", "destination")
    check(both, names)
    if (isText.head) new Strings(both) else new Numbers(both, types)
  }

  private def check(pairs: DataFrame, names: Seq[String]): Unit = {
    val columns = pairs.columns.map(col)
    val asked = columns.map(each => count_if(each.isNull)) ++ columns.map(min)
    val found = pairs.agg(asked.head, asked.tail: _*).head()
    for ((name, i) <- names.zipWithIndex) {
      val absent = found.getLong(i)
      if (absent > 0)
        throw new IllegalArgumentException(
          s"$name is null in $absent ${if (absent == 1) "row" else "rows"}: leave such rows out, as na.drop does"
        )
      found.get(columns.length + i) match {
        case least: Number if least.longValue < 0 =>
          throw new IllegalArgumentException(
            s"$name has the vertex $least, and vertices are whole numbers from 0: cast both columns to string to " +
              "take them for names"
          )
        case _ =>
      }
    }
  }

  /** Whole numbers, which are ids as they are. */
  private final class Numbers(pairs: DataFrame, types: Seq[DataType]) extends VertexNames {
    private val widest = types.maxBy(_.defaultSize)

    override def edges: DataFrame = pairs.select(pairs.columns.map(col(_).cast(LongType)): _*)

    override def ids(parameter: String, names: Seq[Any]): Map[Any, VertexId] =
      names.map {
        case whole @ (_: Byte | _: Short | _: Int | _: Long) =>
          whole -> whole.asInstanceOf[Number].longValue
        case other => throw unlike(parameter, other, "a whole number")
      }.toMap

    override def back(table: DataFrame, columns: String*): DataFrame =
      columns.foldLeft(table)((of, column) => of.withColumn(column, col(column).cast(widest)))
  }

  /** Strings, whose ids are their places in their order, from 0. They are the same when they are computed again. */
  private final class Strings(pairs: DataFrame) extends VertexNames {
    import pairs.sparkSession.implicits._

    private val numbered = pairs.select(explode(array(pairs.columns.map(col): _*)).as("name"))
      .distinct().sort("name").as[String].rdd.zipWithIndex().persist(MEMORY_AND_DISK)

    private def named(id: String, name: String): DataFrame = numbered.toDF(name, id)

    override def edges: DataFrame = pairs
      .join(named("from", "source"), "source")
      .join(named("to", "destination"), "destination")
      .select("from", "to")

    override def ids(parameter: String, names: Seq[Any]): Map[Any, VertexId] = {
      names.filterNot(_.isInstanceOf[String])
        .foreach(other => throw unlike(parameter, other, "a string"))
      val wanted = names.toSet
      numbered.filter { case (name, _) => wanted(name) }.collect().toMap
    }

    override def back(table: DataFrame, columns: String*): DataFrame = {
      val order = table.columns.map(col)
      columns.foldLeft(table) { (of, column) =>
        val name = s"name of $column"
        of.join(named(column, name), column).drop(column).withColumnRenamed(name, column)
      }.select(order: _*)
    }
  }

  private def unlike(parameter: String, name: Any, wanted: String): IllegalArgumentException =
    new IllegalArgumentException(
      s"$parameter has $name: write $wanted, as the edges' columns have"
    )
}
