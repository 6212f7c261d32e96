package org.sparkhpc.retain

import scala.collection.JavaConverters._
import scala.reflect.ClassTag

/** Classes of Java, Scala and Spark that both of Spark's serializers write completely; `PlatformClassesSuite`
  * passes each through both.
  *
  * The lists are short on purpose: a missing class costs a recomputation, a wrong one a wrong result. They leave
  * out, for instance, hash tables, which can come back in another order; `mutable.LinkedHashMap`, which Kryo
  * turns into a `HashMap`; `PriorityQueue`, which loses its comparator; and `scala.math.BigDecimal`, whose
  * rounding Kryo loses.
  */
private[retain] object PlatformClasses {

  /** Whether a class belongs to Java or Scala, so that only the lists say whether it is written completely. */
  def contains(c: Class[_]): Boolean = Packages.exists(c.getName.startsWith(_))

  /** Whether objects of the class refer to nothing that could be lost. */
  def isLeaf(c: Class[_]): Boolean =
    c.isPrimitive || Leaves(c.getName) || classOf[ClassTag[_]].isAssignableFrom(c) && contains(c) ||
      PrimitiveTuple.matcher(c.getName).matches

  def isContainer(c: Class[_]): Boolean = Containers(c.getName) || Tuple.matcher(c.getName).matches

  /** The objects that a container refers to. */
  def elements(container: AnyRef): Iterator[Any] = container match {
    case collection: java.util.Collection[_] => collection.iterator.asScala
    case iterable: scala.collection.Iterable[_] => iterable.iterator
    case product: Product => product.productIterator
  }

  private val Packages = Seq("java.", "javax.", "jdk.", "sun.", "com.sun.", "scala.")

  private val Tuple = "scala\\.Tuple\\d+".r.pattern
  private val PrimitiveTuple = "scala\\.Tuple[12]\\$mc[IJDCZ]{1,2}\\$sp".r.pattern

  private[retain] val Leaves: Set[String] = Set(
    "java.lang.String",
    "java.lang.Boolean",
    "java.lang.Byte",
    "java.lang.Character",
    "java.lang.Short",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Float",
    "java.lang.Double",
    "java.lang.Class",
    "java.math.BigInteger",
    "java.math.BigDecimal",
    "java.util.Date",
    "java.util.UUID",
    "java.sql.Date",
    "java.sql.Timestamp",
    "java.time.Duration",
    "java.time.Instant",
    "java.time.LocalDate",
    "java.time.LocalDateTime",
    "java.time.LocalTime",
    "java.time.Period",
    "scala.None$",
    "scala.collection.immutable.Nil$",
    "scala.collection.immutable.Range",
    "scala.collection.immutable.Range$Inclusive",
    "scala.math.BigInt",
    "org.apache.spark.unsafe.types.UTF8String"
  )

  private[retain] val Containers: Set[String] = Set(
    "java.util.ArrayDeque",
    "java.util.ArrayList",
    "java.util.LinkedList",
    "scala.Some",
    "scala.collection.immutable.$colon$colon",
    "scala.collection.immutable.HashMap$HashMap1",
    "scala.collection.immutable.HashMap$HashTrieMap",
    "scala.collection.immutable.HashSet$HashSet1",
    "scala.collection.immutable.HashSet$HashTrieSet",
    "scala.collection.immutable.Map$Map1",
    "scala.collection.immutable.Map$Map2",
    "scala.collection.immutable.Map$Map3",
    "scala.collection.immutable.Map$Map4",
    "scala.collection.immutable.Set$Set1",
    "scala.collection.immutable.Set$Set2",
    "scala.collection.immutable.Set$Set3",
    "scala.collection.immutable.Set$Set4",
    "scala.collection.immutable.Vector",
    "scala.collection.mutable.ArrayBuffer",
    "scala.collection.mutable.ListBuffer",
    "scala.util.Left",
    "scala.util.Right"
  ) ++ Seq("Ref", "Byte", "Short", "Char", "Int", "Long", "Float", "Double", "Boolean")
    .map("scala.collection.mutable.WrappedArray$of" + _)
}
