package org.sparkhpc.retain

import java.io.Serializable
import java.lang.reflect.{Field, Modifier}

import org.sparkhpc.retain.SerializedForm._

/** The form that Java's serialization writes: the fields of serializable classes that aren't transient.
  *
  * A class with a form of its own (`writeObject`, `Externalizable` ...) is unknown: only its author can say
  * whether that form is complete. `None` and other Scala objects resolve to themselves.
  */
object JavaForm extends SerializedForm {

  override protected def read(c: Class[_]): OfClass =
    if (PlatformClasses.isLeaf(c) || c.isEnum || isEnumConstant(c)) Whole
    else if (PlatformClasses.isContainer(c)) Elements
    else if (!classOf[Serializable].isAssignableFrom(c)) {
      Unknown(s"${c.getName} isn't Serializable")
    } else if (ClassFields.isSingleton(c)) {
      if (c.getDeclaredMethods.exists(_.getName == "readResolve")) Whole
      else Unknown(s"${c.getName} is a Scala object that would be duplicated")
    } else if (PlatformClasses.contains(c)) {
      Unknown(s"${c.getName} isn't known to be written completely")
    } else {
      fields(c)
    }

  // An enum constant with a body has a class of its own.
  private def isEnumConstant(c: Class[_]): Boolean =
    Option(c.getSuperclass).exists(_.isEnum)

  private def fields(c: Class[_]): OfClass = {
    val unknown = ClassFields.ownForm(c)
      .orElse(ClassFields.platformState(c).map(each => s"${c.getName} extends ${each.getName}"))
      .orElse(superclass(c))
    unknown.map(Unknown).getOrElse {
      val (kept, leftOut) = written(c)
      Fields(kept.filterNot(_.getType.isPrimitive), leftOut)
    }
  }

  private def written(c: Class[_]): (Seq[Field], Seq[Field]) =
    ClassFields.hierarchy(c).flatMap(ClassFields.ofObject(_))
      .partition(field => !Modifier.isTransient(field.getModifiers))

  /** Why a superclass that isn't serializable loses state: its fields aren't written, and its constructor runs
    * again, which may set what a subclass leaves out.
    */
  private def superclass(c: Class[_]): Option[String] = {
    val isLossless = written(c)._2.isEmpty
    ClassFields.hierarchy(c).find { each =>
      !classOf[Serializable].isAssignableFrom(each) &&
      !(isLossless && ClassFields.ofObject(each).isEmpty)
    }.map(each => s"its superclass ${each.getName} isn't Serializable")
  }
}
