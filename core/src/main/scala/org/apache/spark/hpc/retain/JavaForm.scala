package org.apache.spark.hpc.retain

import java.io.Serializable
import java.lang.reflect.Modifier

import org.apache.spark.hpc.retain.SerializedForm._

/** What Java's serialization writes: the fields of serializable classes that aren't transient.
  *
  * A class that writes its own form (`writeObject`, `Externalizable` ...) is unknown: whether that form
  * is complete only its author can say. `None` and other Scala objects resolve to themselves.
  */
private[spark] object JavaForm extends SerializedForm {

  override protected def read(c: Class[_]): OfClass =
    if (PlatformClasses.isLeaf(c) || c.isEnum || isEnumConstant(c)) Whole
    else if (PlatformClasses.isContainer(c)) Elements
    else if (!classOf[Serializable].isAssignableFrom(c)) {
      Unknown(s"${c.getName} isn't Serializable")
    } else if (ClassFields.isSingleton(c)) {
      if (c.getDeclaredMethods.exists(_.getName == "readResolve")) Whole
      else Unknown(s"${c.getName} is an object that would be there twice")
    } else if (PlatformClasses.contains(c)) {
      Unknown(s"${c.getName} isn't known to be written whole")
    } else {
      fields(c)
    }

  // An enum constant with a body is of a class of its own.
  private def isEnumConstant(c: Class[_]): Boolean =
    Option(c.getSuperclass).exists(_.isEnum)

  private def fields(c: Class[_]): OfClass = {
    val unknown = ClassFields.ownForm(c)
      .orElse(ClassFields.platformState(c).map(each => s"${c.getName} extends ${each.getName}"))
      .orElse(
        ClassFields.hierarchy(c).find { each =>
          !classOf[Serializable].isAssignableFrom(each) && ClassFields.ofObject(each).nonEmpty
        }.map(each => s"its superclass ${each.getName} isn't Serializable")
      )
    unknown.map(Unknown).getOrElse {
      val (leftOut, kept) = ClassFields.hierarchy(c).flatMap(ClassFields.ofObject(_))
        .partition(field => Modifier.isTransient(field.getModifiers))
      Fields(kept.filterNot(_.getType.isPrimitive), leftOut.filterNot(ClassFields.isLazy(_)))
    }
  }
}
