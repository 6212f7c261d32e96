package org.sparkhpc.retain

import scala.util.control.NonFatal

import com.esotericsoftware.kryo.{Kryo, Serializer}
import com.esotericsoftware.kryo.serializers.FieldSerializer
import com.twitter.chill.ObjectSerializer

import org.sparkhpc.retain.SerializedForm._

/** The form that Kryo writes, by the serializer that is registered for a class.
  *
  * Kryo's FieldSerializer writes all fields that aren't transient, including those of superclasses. It ignores
  * `writeObject`, `writeReplace` and `readResolve`, so a class that has one of them is unknown. So is a class
  * that isn't in [[PlatformClasses]] and has another serializer.
  *
  * @param kryo used only here, since Kryo isn't thread-safe
  * @param plain a Kryo with the serializers that Spark gives to each program, also used only here
  */
final class KryoForm(kryo: Kryo, plain: Kryo) extends SerializedForm {
  import KryoForm._

  override def keepsSharing: Boolean = kryo.getReferences

  override protected def read(c: Class[_]): OfClass =
    try kryo.synchronized(read(c, kryo.getSerializer(c)))
    catch { case NonFatal(failure) => Unknown(s"Kryo refuses ${c.getName}: $failure") }

  private def read(c: Class[_], serializer: Serializer[_]): OfClass = {
    def isUsers = !Packages.exists(serializer.getClass.getName.startsWith(_))
    if (isUsers) Unknown(s"Kryo writes ${c.getName} with ${serializer.getClass.getName}")
    else if (isListed(c) && plain.getSerializer(c).getClass != serializer.getClass) {
      Unknown(s"Kryo writes ${c.getName} with a serializer other than Spark's")
    } else if (PlatformClasses.isLeaf(c) || classOf[Enum[_]].isAssignableFrom(c)) Whole
    else if (PlatformClasses.isContainer(c)) Elements
    else
      serializer match {
        case _: ObjectSerializer[_] => Whole
        case fields: FieldSerializer[_] if fields.getClass == classOf[FieldSerializer[_]] =>
          if (PlatformClasses.contains(c)) {
            Unknown(s"${c.getName} isn't known to be written completely")
          } else {
            written(c, fields)
          }
        case other => Unknown(s"Kryo writes ${c.getName} with ${other.getClass.getName}")
      }
  }

  private def isListed(c: Class[_]): Boolean =
    PlatformClasses.isLeaf(c) || PlatformClasses.isContainer(c)

  private def written(c: Class[_], serializer: FieldSerializer[_]): OfClass = {
    val all = ClassFields.hierarchy(c).flatMap(ClassFields.ofObject(_))
    val written = serializer.getFields.map(_.getField).toSet
    val (kept, leftOut) = all.partition(written)
    val annotated = all.find(_.getAnnotations.exists(isKryos(_)))
    val own = ClassFields.ownForm(c)
    if (own.nonEmpty) Unknown(s"${own.get}, which Kryo ignores")
    else if (ClassFields.platformState(c).nonEmpty) {
      Unknown(s"${c.getName} extends ${ClassFields.platformState(c).get.getName}")
    } else if (annotated.nonEmpty) {
      Unknown(s"an annotation changes how Kryo writes ${annotated.get}")
    } else if (!isPlain(c, serializer)) {
      Unknown(s"the program changes how Kryo writes a field of ${c.getName}")
    } else if (leftOut.nonEmpty && hasDefaultConstructor(c)) {
      // Kryo calls the constructor, so a field that is left out comes back as the constructor sets it.
      Unknown(s"Kryo creates ${c.getName} with its constructor, which sets ${leftOut.head.getName}")
    } else {
      Fields(kept.filterNot(_.getType.isPrimitive), leftOut)
    }
  }

  /** Whether the serializer writes each field as Kryo does by default: by the class of its value. */
  private def isPlain(c: Class[_], serializer: FieldSerializer[_]): Boolean = {
    def settings(serializer: FieldSerializer[_]) = serializer.getFields.map { field =>
      (field.getField, ValueClass.get(field), ValueSerializer.get(field) == null)
    }.toSet
    kryo.getDefaultSerializer(c) match {
      case own: FieldSerializer[_] => settings(serializer).subsetOf(settings(own))
      case _ => false
    }
  }

  private def isKryos(annotation: java.lang.annotation.Annotation): Boolean =
    annotation.annotationType.getName.startsWith("com.esotericsoftware.kryo.")

  private def hasDefaultConstructor(c: Class[_]): Boolean =
    c.getDeclaredConstructors.exists(_.getParameterCount == 0)
}

private object KryoForm {

  // The fields that FieldSerializer.CachedField.setClass sets; Kryo has no getters for them.
  private val ValueClass = field("valueClass")
  private val ValueSerializer = field("serializer")

  private def field(name: String) = {
    val field = classOf[FieldSerializer.CachedField[_]].getDeclaredField(name)
    field.setAccessible(true)
    field
  }

  /** The packages whose serializers are trusted with the classes of [[PlatformClasses]]. */
  private val Packages =
    Seq("com.esotericsoftware.kryo.", "com.twitter.chill.", "org.apache.spark.", "scala.")
}
