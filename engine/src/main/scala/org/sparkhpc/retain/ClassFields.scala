package org.sparkhpc.retain

import java.io.Externalizable
import java.lang.reflect.{Field, Modifier}

/** What reflection tells of a class that is neither Java's nor Scala's. */
private[retain] object ClassFields {

  /** The class and those that it inherits from, without `Object`. */
  def hierarchy(c: Class[_]): Seq[Class[_]] =
    Iterator.iterate[Class[_]](c)(_.getSuperclass)
      .takeWhile(each => each != null && each != classOf[Object]).toList

  def ofObject(c: Class[_]): Seq[Field] =
    c.getDeclaredFields.toSeq.filterNot(field => Modifier.isStatic(field.getModifiers))

  /** The one object of its class, which a Scala `object` is. */
  def isSingleton(c: Class[_]): Boolean =
    c.getName.endsWith("$") && c.getDeclaredFields.exists { field =>
      field.getName == "MODULE$" && Modifier.isStatic(field.getModifiers) && field.getType == c
    }

  /** The class that has a say of its own in Java's serialization, and how. */
  def ownForm(c: Class[_]): Option[String] =
    if (classOf[Externalizable].isAssignableFrom(c)) Some(s"${c.getName} is Externalizable")
    else
      hierarchy(c).iterator.flatMap { each =>
        val methods = each.getDeclaredMethods.iterator.map(_.getName).filter(Methods)
        val fields = each.getDeclaredFields.iterator.map(_.getName).filter(_ == PersistentFields)
        (methods ++ fields).map(member => s"${each.getName} has its own $member")
      }.toStream.headOption

  /** A superclass of Java's or Scala's that has state, such as a collection or an exception. */
  def platformState(c: Class[_]): Option[Class[_]] =
    hierarchy(c).find(each => PlatformClasses.contains(each) && ofObject(each).nonEmpty)

  private val PersistentFields = "serialPersistentFields"
  private val Methods =
    Set("writeObject", "readObject", "readObjectNoData", "writeReplace", "readResolve")
}
