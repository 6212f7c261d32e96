package org.sparkhpc.retain

import java.lang.reflect.{Field, Modifier}

/** Tells what one serializer writes of an object, by the object's runtime class.
  *
  * An answer is about the object itself; the objects that its fields or elements refer to have answers of their
  * own. A class that the serializer isn't known to write completely is [[SerializedForm.Unknown]]. All methods
  * are thread-safe.
  */
abstract class SerializedForm {
  import SerializedForm._

  /** Whether an object to which an element refers twice comes back as one object. */
  def keepsSharing: Boolean = true

  /** The form of a class that isn't an array. */
  protected def read(c: Class[_]): OfClass

  private val forms = new ClassValue[OfClass] {
    override def computeValue(c: Class[_]): OfClass =
      try if (c.isArray) ofArray(c) else read(c)
      catch {
        // A method of it refers to a missing class; the program may never call that method.
        case failure: LinkageError => Unknown(s"${c.getName} can't be examined: $failure")
      }
  }

  private val closed = new ClassValue[java.lang.Boolean] {
    override def computeValue(c: Class[_]): java.lang.Boolean = isClosed(c, Set.empty)
  }

  final def of(c: Class[_]): OfClass = forms.get(c)

  /** Whether no object of the class can lose anything, nor any object that it refers to. */
  final def isClosed(c: Class[_]): Boolean = closed.get(c)

  private def ofArray(c: Class[_]): OfClass =
    if (isFixed(c.getComponentType, Set(c))) Whole else Elements

  private def isClosed(c: Class[_], within: Set[Class[_]]): Boolean = of(c) match {
    case Whole => true
    case Fields(kept, Seq()) => kept.forall(field => isFixed(field.getType, within + c))
    case _ => false
  }

  /** Whether every value that a field or array element of this type can have is closed. */
  private def isFixed(declared: Class[_], within: Set[Class[_]]): Boolean =
    declared.isPrimitive || !within(declared) &&
      (declared.isArray || Modifier.isFinal(declared.getModifiers)) && isClosed(declared, within)
}

object SerializedForm {
  sealed trait OfClass

  /** Objects of the class lose nothing, nor do the objects that they refer to. */
  case object Whole extends OfClass

  /** An array, or a collection or product of the platform, that comes back with the same elements. */
  case object Elements extends OfClass

  /** The fields that are written, without primitive ones, and those that are left out.
    *
    * An object loses nothing of its own if each field that is left out has its default value.
    */
  final case class Fields(kept: Seq[Field], leftOut: Seq[Field]) extends OfClass {
    (kept ++ leftOut).foreach(_.setAccessible(true))
  }

  /** It is unknown what the serializer writes. */
  final case class Unknown(why: String) extends OfClass
}
