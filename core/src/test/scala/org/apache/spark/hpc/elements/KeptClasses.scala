package org.apache.spark.hpc.elements

/** Classes as programs cache them, of which serializers keep everything, or can. */
object KeptClasses {
  final case class Scalars(
      z: Boolean,
      b: Byte,
      c: Char,
      s: Short,
      i: Int,
      l: Long,
      f: Float,
      d: Double,
      text: String
  )

  final case class Both(one: Any, other: Any)

  class Link(var next: Any) extends Serializable

  class Parent(private val state: Any) extends Serializable {
    def ofParent: Any = state
  }

  /** Both of them have a field of this name. */
  class Child(private val state: Any, ofParent: Any) extends Parent(ofParent) {
    def ofChild: Any = state
  }

  class Special[@specialized(Int, Double) T](val value: T) extends Serializable

  trait Tagged {
    var tag: Any = _
  }

  final class WithTrait(val value: Any) extends Tagged with Serializable

  class ByInterface(
      val chars: CharSequence,
      val number: Number,
      val values: Seq[Any],
      val javas: java.util.Collection[Any]
  ) extends Serializable

  class Typed[T](val value: T) extends Serializable
  class OfText(value: String) extends Typed[String](value)

  sealed trait Color
  case object Red extends Color
  case object Blue extends Color

  final class Meters(val value: Double) extends AnyVal with Serializable

  /** Its objects know it. */
  class Around(val value: Any) extends Serializable {
    class Inside(val own: Any) extends Serializable {
      def both: (Any, Any) = (value, own)
    }

    def function: Any => Any = new Applied {
      override def apply(argument: Any): Any = (value, argument)
    }
  }

  abstract class Applied extends (Any => Any) with Serializable

  class Later(val base: Any) extends Serializable with Observed {
    @transient lazy val derived: String = s"of ${base == null}"
    lazy val kept: Any = base
    override def observe: Any = (derived, kept)
  }

  final class Bare extends Serializable {
    var value: Any = _
  }

  class Tree(var parent: Tree, var children: List[Tree]) extends Serializable

  /** Equal to others of its name, wherever it leads. */
  final class Named(var aims: Any, val name: String) extends Serializable {
    override def hashCode: Int = name.##
    override def equals(other: Any): Boolean = other match {
      case named: Named => named.name == name
      case _ => false
    }
  }
}
