package org.apache.spark.hpc

import java.io.{File, InputStream}
import java.net.URL
import java.nio.file.{Files, Path, Paths}
import java.util.jar.JarFile

import scala.collection.JavaConverters._

import org.objectweb.asm.ClassReader
import org.objectweb.asm.tree.ClassNode
import org.objectweb.asm.util.{Textifier, TraceMethodVisitor}

/** The published spark-core jar and the classes that the build made of it, side by side. */
object StockAndWoven {
  private val Probe = "org/apache/spark/SparkEnv$.class"

  private val copies: Seq[URL] =
    getClass.getClassLoader.getResources(Probe).asScala.toSeq

  /** The folder of woven classes, `target/classes`. */
  val woven: Path = copies.collectFirst {
    case url if url.getProtocol == "file" => Paths.get(url.toURI.resolve("../../..")).normalize
  }.get

  private val stockJar: File = copies.collectFirst {
    case url if url.getProtocol == "jar" => new File(new URL(url.getPath.takeWhile(_ != '!')).toURI)
  }.get

  /** Applies `f` to each entry's name and bytes of the stock jar. */
  def eachStockEntry(f: (String, Array[Byte]) => Unit): Unit = {
    val jar = new JarFile(stockJar)
    try jar.entries.asScala.filterNot(_.isDirectory).foreach { entry =>
        f(entry.getName, readAll(jar.getInputStream(entry), entry.getSize))
      }
    finally jar.close()
  }

  def wovenEntry(name: String): Array[Byte] = Files.readAllBytes(woven.resolve(name))

  /** A class's instructions, one string each, by method; and all that isn't in a method. */
  def disassemble(bytes: Array[Byte]): (Map[String, Seq[String]], String) = {
    val node = new ClassNode
    new ClassReader(bytes).accept(node, 0)
    val methods = node.methods.asScala.map { method =>
      val text = new Textifier
      method.accept(new TraceMethodVisitor(text))
      s"${method.name}${method.desc}" -> text.getText.asScala.map(_.toString)
    }.toMap
    node.methods.clear()
    val outline = new java.io.StringWriter
    node.accept(new org.objectweb.asm.util.TraceClassVisitor(new java.io.PrintWriter(outline)))
    (methods, outline.toString)
  }

  private def readAll(in: InputStream, size: Long): Array[Byte] =
    try {
      val bytes = new Array[Byte](size.toInt)
      new java.io.DataInputStream(in).readFully(bytes)
      bytes
    } finally in.close()
}
