package org.sparkhpc.retain

import scala.util.control.NonFatal

import com.esotericsoftware.kryo.{Kryo, Serializer}
import com.esotericsoftware.kryo.serializers.FieldSerializer
import com.twitter.chill.ObjectSerializer

import org.sparkhpc.retain.SerializedForm._

/** What Kryo writes, by the serializer that it has registered for a class.
  *
  * Kryo's FieldSerializer writes all fields but transient ones, also those of superclasses. It ignores
  * `writeObject`, `writeReplace` and `readResolve`, so a class that has one of them is unknown; so is a
  * class that isn't in [[PlatformClasses]] and has another serializer.
  *
  * @param kryo used here alone, since no Kryo is thread-safe
  * @param plain one with the serializers that Spark gives to each program, used here alone as well
  */
final class KryoForm(kryo: Kryo, plain: Kryo) extends SerializedForm {
  import KryoForm._

  override def keepsSharing: Boolean = kryo.getReferences

  override protected def read(c: Class[_]): OfClass =
    try kryo.synchronized(read(c, kryo.getSerializer(c)))
    catch { case NonFatal(failure) => Unknown(s"Kryo refuses ${c.getName}: $failure") }

  private def read(c: Class[_], serializer: Serializer[_]): OfClass = {
    def isUsers = !Packages.exists(serializer.getClass.getName.startsWith(_))
    if (isUsers) Unknown(s"Kryo writes ${c.getName} by ${serializer.getClass.getName}")
    else if (isListed(c) && plain.getSerializer(c).getClass != serializer.getClass) {
      Unknown(s"Kryo writes ${c.getName} by another serializer than Spark's")
    } else if (PlatformClasses.isLeaf(c) || classOf[Enum[_]].isAssignableFrom(c)) Whole
    else if (PlatformClasses.isContainer(c)) Elements
    else
      serializer match {
        case _: ObjectSerializer[_] => Whole
        case fields: FieldSerializer[_] if fields.getClass == classOf[FieldSerializer[_]] =>
          if (PlatformClasses.contains(c)) {
            Unknown(s"${c.getName} isn't known to be written whole")
          } else {
            written(c, fields)
          }
        case other => Unknown(s"Kryo writes ${c.getName} by ${other.getClass.getName}")
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
      Unknown(s"Kryo writes ${annotated.get} as its annotation says")
    } else if (!isPlain(c, serializer)) {
      Unknown(s"Kryo writes a field of ${c.getName} as a program says")
    } else if (leftOut.nonEmpty && hasDefaultConstructor(c)) {
      // Kryo calls it, so that what is left out comes back as it made it.
      Unknown(s"Kryo makes ${c.getName} by its constructor, which sets ${leftOut.head.getName}")
    } else {
      Fields(kept.filterNot(_.getType.isPrimitive), leftOut)
    }
  }

  /** Whether it writes each field as Kryo does by itself: by the class of what is in it. */
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

  // What FieldSerializer.CachedField.setClass sets; Kryo has no way to ask for it.
  private val ValueClass = field("valueClass")
  private val ValueSerializer = field("serializer")

  private def field(name: String) = {
    val field = classOf[FieldSerializer.CachedField[_]].getDeclaredField(name)
    field.setAccessible(true)
    field
  }

  /** Whose serializers are trusted with the classes of [[PlatformClasses]]. */
  private val Packages =
    Seq("com.esotericsoftware.kryo.", "com.twitter.chill.", "org.apache.spark.", "scala.")
}
