package org.sparkhpc

import java.nio.file.{Files, Path}

import scala.annotation.tailrec
import scala.collection.JavaConverters._
import scala.collection.mutable

import org.objectweb.asm.{ClassReader, ClassVisitor, Opcodes}
import org.objectweb.asm.commons.{ClassRemapper, Remapper}

/** Which node uses which: source files, or packages.
  *
  * @param uses of each node the others that it uses
  */
final class SourceGraph(val uses: Map[String, Set[String]]) {

  /** Sets of nodes of which each reaches all others. */
  def circles: Set[Set[String]] = {
    val reached = uses.keys.map(node => node -> reachedFrom(node)).toMap.withDefaultValue(Set.empty)
    uses.keySet.map(node => reached(node).filter(reached(_)(node)) + node).filter(_.size > 1)
  }

  private def reachedFrom(node: String): Set[String] = {
    @tailrec def more(found: Set[String], from: Set[String]): Set[String] = {
      val next = from.flatMap(uses.getOrElse(_, Set.empty)) -- found
      if (next.isEmpty) found else more(found ++ next, next)
    }
    more(Set.empty, Set(node))
  }

  /** The packages of these files. */
  def packages: SourceGraph = merged(file => file.take(file.lastIndexOf('/')))

  private def merged(group: String => String) = new SourceGraph(
    uses.toSeq.groupBy { case (node, _) => group(node) }.map { case (name, nodes) =>
      name -> (nodes.flatMap(_._2).map(group).toSet - name)
    }
  )
}

object SourceGraph {

  /** Of the files that the classes in these directories were compiled from, as `package/File.scala`. */
  def of(directories: Seq[Path]): SourceGraph = {
    val classes = directories.flatMap(classesIn)
    val sourceOf = classes.map(it => it.name -> it.source).toMap
    val uses = classes.groupBy(_.source).map { case (source, its) =>
      source -> (its.flatMap(_.uses).flatMap(sourceOf.get).toSet - source)
    }
    new SourceGraph(uses)
  }

  private final case class OneClass(name: String, source: String, uses: Set[String])

  private def classesIn(directory: Path): Seq[OneClass] = {
    val walk = Files.walk(directory)
    try
      walk.iterator.asScala.filter(_.toString.endsWith(".class")).map(file =>
        read(Files.readAllBytes(file))
      ).toList
    finally walk.close()
  }

  private def read(bytes: Array[Byte]): OneClass = {
    val reader = new ClassReader(bytes)
    var file = ""
    val source = new ClassVisitor(Opcodes.ASM9) {
      override def visitSource(name: String, debug: String): Unit = file = name
    }
    reader.accept(source, ClassReader.SKIP_CODE)
    val uses = mutable.Set.empty[String]
    val collect = new Remapper {
      override def map(name: String): String = {
        uses += name
        name
      }
    }
    reader.accept(new ClassRemapper(null, collect), ClassReader.SKIP_DEBUG)
    val name = reader.getClassName
    OneClass(name, name.take(name.lastIndexOf('/') + 1) + file, uses.toSet)
  }
}
