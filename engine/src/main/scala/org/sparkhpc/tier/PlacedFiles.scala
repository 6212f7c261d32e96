package org.sparkhpc.tier

import java.io.File
import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._

/** The files of a process that are in one of its tiers, by name. All methods are thread-safe. */
private[tier] final class PlacedFiles[F <: File] {
  private val byName = new ConcurrentHashMap[String, F]

  def get(name: String): Option[F] = Option(byName.get(name))
  def contains(name: String): Boolean = byName.containsKey(name)
  def all: Seq[F] = byName.values.asScala.toList

  def add(file: F): Unit = byName.put(file.getName, file): Unit

  /** Removes this file, but not another one of its name. */
  def remove(file: F): Unit = byName.remove(file.getName, file): Unit
}
