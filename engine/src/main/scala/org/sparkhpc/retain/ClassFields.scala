package org.sparkhpc.retain

import java.io.Externalizable
import java.lang.reflect.{Field, Modifier}

/** Finds out by reflection what serializers need to know of a class that is neither Java's nor Scala's. */
private[retain] object ClassFields {

  /** The class and its superclasses, without `Object`. */
  def hierarchy(c: Class[_]): Seq[Class[_]] =
    Iterator.iterate[Class[_]](c)(_.getSuperclass)
      .takeWhile(each => each != null && each != classOf[Object]).toList

  def ofObject(c: Class[_]): Seq[Field] =
    c.getDeclaredFields.toSeq.filterNot(field => Modifier.isStatic(field.getModifiers))

  /** Whether the class is that of a Scala `object`, and so has one instance only. */
  def isSingleton(c: Class[_]): Boolean =
    c.getName.endsWith("$") && c.getDeclaredFields.exists { field =>
      field.getName == "MODULE$" && Modifier.isStatic(field.getModifiers) && field.getType == c
    }

  /** The member that gives the class, or a superclass, its own form in Java's serialization; None if there is
    * none.
    */
  def ownForm(c: Class[_]): Option[String] =
    if (classOf[Externalizable].isAssignableFrom(c)) Some(s"${c.getName} is Externalizable")
    else
      hierarchy(c).iterator.flatMap { each =>
        val methods = each.getDeclaredMethods.iterator.map(_.getName).filter(Methods)
        val fields = each.getDeclaredFields.iterator.map(_.getName).filter(_ == PersistentFields)
        (methods ++ fields).map(member => s"${each.getName} has its own $member")
      }.toStream.headOption

  /** A superclass from Java or Scala that has fields, such as a collection or an exception. */
  def platformState(c: Class[_]): Option[Class[_]] =
    hierarchy(c).find(each => PlatformClasses.contains(each) && ofObject(each).nonEmpty)

  private val PersistentFields = "serialPersistentFields"
  private val Methods =
    Set("writeObject", "readObject", "readObjectNoData", "writeReplace", "readResolve")
}
