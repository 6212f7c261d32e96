package org.sparkhpc.retain

import java.lang.reflect.{Field, Modifier}

/** What one serializer writes of an object, by the object's runtime class.
  *
  * An answer is about the object itself; what its fields or elements refer to has answers of its own.
  * A class of which the serializer isn't known to write everything is [[SerializedForm.Unknown]].
  * All methods are thread-safe.
  */
abstract class SerializedForm {
  import SerializedForm._

  /** Whether an object that an element refers to twice comes back as one. */
  def keepsSharing: Boolean = true

  /** The form of a class that is no array. */
  protected def read(c: Class[_]): OfClass

  private val forms = new ClassValue[OfClass] {
    override def computeValue(c: Class[_]): OfClass =
      try if (c.isArray) ofArray(c) else read(c)
      catch {
        // One of its methods names a class that isn't there; nobody need ever call it.
        case failure: LinkageError => Unknown(s"${c.getName} can't be looked at: $failure")
      }
  }

  private val closed = new ClassValue[java.lang.Boolean] {
    override def computeValue(c: Class[_]): java.lang.Boolean = isClosed(c, Set.empty)
  }

  final def of(c: Class[_]): OfClass = forms.get(c)

  /** Whether nothing can be lost of any object of the class, nor of anything that it refers to. */
  final def isClosed(c: Class[_]): Boolean = closed.get(c)

  private def ofArray(c: Class[_]): OfClass =
    if (isFixed(c.getComponentType, Set(c))) Whole else Elements

  private def isClosed(c: Class[_], within: Set[Class[_]]): Boolean = of(c) match {
    case Whole => true
    case Fields(kept, Seq()) => kept.forall(field => isFixed(field.getType, within + c))
    case _ => false
  }

  /** Whether what a field or an array of this type refers to is closed, whatever it is. */
  private def isFixed(declared: Class[_], within: Set[Class[_]]): Boolean =
    declared.isPrimitive || !within(declared) &&
      (declared.isArray || Modifier.isFinal(declared.getModifiers)) && isClosed(declared, within)
}

object SerializedForm {
  sealed trait OfClass

  /** Nothing is lost of any object of the class, nor of what it refers to. */
  case object Whole extends OfClass

  /** An array, or a collection or product of the platform that comes back with the elements it had. */
  case object Elements extends OfClass

  /** The fields that are written, without primitive ones, and those that are left out.
    *
    * An object loses nothing of its own if each field that is left out has its default value.
    */
  final case class Fields(kept: Seq[Field], leftOut: Seq[Field]) extends OfClass {
    (kept ++ leftOut).foreach(_.setAccessible(true))
  }

  /** Nobody can say what the serializer keeps. */
  final case class Unknown(why: String) extends OfClass
}
