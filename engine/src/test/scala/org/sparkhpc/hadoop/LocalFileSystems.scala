package org.sparkhpc.hadoop

import java.net.URI
import java.nio.charset.StandardCharsets
import java.nio.file.{Files, Path => JavaPath}

import scala.reflect.io.Directory

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, LocalFileSystem, Path}
import org.sparkhpc.file.SharedFiles

/** Hadoop's own file system for `file:`, and ours as it is on a shared file system. */
trait LocalFileSystems {

  def configured[A <: FileSystem](its: A, checksums: String = "auto"): A = {
    val conf = new Configuration(false)
    conf.set(PooledLocalFileSystem.ChecksumsKey, checksums)
    its.initialize(URI.create("file:///"), conf)
    its
  }

  def stock: LocalFileSystem = configured(new LocalFileSystem)

  def shared(
      files: SharedFiles,
      isCoherent: Boolean = true,
      readers: Readers = Readers.None,
      checksums: String = "auto"
  ): PooledLocalFileSystem = {
    val place = Places.Place(isShared = true, isCoherent)
    configured(
      new PooledLocalFileSystem(new PooledRawFileSystem(readers, files, Some(place))),
      checksums
    )
  }

  def inFolder[A](test: Path => A): A = {
    val folder = Files.createTempDirectory("files")
    try test(new Path(folder.toString))
    finally Directory(folder.toFile).deleteRecursively(): Unit
  }

  def write(fs: FileSystem, path: Path, text: String): Unit = {
    val out = fs.create(path)
    try out.write(text.getBytes(StandardCharsets.UTF_8))
    finally out.close()
  }

  def read(fs: FileSystem, path: Path): String = {
    val in = fs.open(path)
    try {
      val bytes = new Array[Byte](fs.getFileStatus(path).getLen.toInt)
      in.readFully(bytes)
      assert(in.read() == -1)
      new String(bytes, StandardCharsets.UTF_8)
    } finally in.close()
  }

  def onDisk(path: Path): JavaPath = new java.io.File(path.toUri.getPath).toPath
}
