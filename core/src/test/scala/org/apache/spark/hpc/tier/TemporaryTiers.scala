package org.apache.spark.hpc.tier

import java.io.{File, FileOutputStream, IOException}
import java.nio.file.Files

import org.apache.commons.io.FileUtils

/** Tiers in directories that are gone afterwards. */
object TemporaryTiers {

  /** @param capacity bytes that the tier counts
    * @param device bytes that its file system takes, all files together, before it refuses
    * @param refusesAtClose as shared file systems do that send data later
    * @param others what Spark's own streams have in it
    * @param kept bytes of files that it keeps for spills to come
    */
  final case class Size(
      capacity: Long = Long.MaxValue,
      device: Long = Long.MaxValue,
      refusesAtClose: Boolean = false,
      others: Option[UncountedBytes] = None,
      kept: Option[Long] = None
  )

  final class Directory(size: Size, path: File, clock: () => Long)
      extends Tier(
        "local",
        "xfs",
        FileSystemKind.Local,
        path,
        size.capacity,
        None,
        size.others,
        size.kept.map(new SpareFiles(path, 4, _)),
        clock
      )(new File(path, _)) {
    private var taken = 0L

    /** What others had there is gone. */
    def empty(): Unit = taken = 0

    /** A file system that is full takes a part of the last write. */
    override protected def open(file: File): FileOutputStream = new FileOutputStream(file) {
      override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = {
        val fits = math.min(length.toLong, math.max(0, size.device - taken)).toInt
        super.write(bytes, offset, fits)
        taken += fits
        if (fits < length) throw new IOException("No space left on device")
      }

      private var isClosed = false

      // Its channel calls it, too, before the file is closed.
      override def close(): Unit = if (!isClosed) {
        isClosed = true
        super.close()
        if (size.refusesAtClose) throw new IOException("Input/output error")
      }
    }
  }

  /** What the tiers warned of. */
  final class Warnings {
    var all: Seq[String] = Nil
  }

  def apply[A](sizes: Size*)(test: (Tiers, Warnings) => A): A =
    at(() => System.nanoTime())(sizes: _*)(test)

  def at[A](clock: () => Long)(sizes: Size*)(test: (Tiers, Warnings) => A): A = {
    val root = Files.createTempDirectory("tiers")
    val warnings = new Warnings
    try {
      val all = sizes.zipWithIndex.map { case (size, i) =>
        new Directory(size, Files.createDirectory(root.resolve(s"tier$i")).toFile, clock)
      }
      test(new Tiers(all, all.last, notice => warnings.all :+= notice.text), warnings)
    } finally FileUtils.deleteDirectory(root.toFile)
  }

  def filesIn(tier: Tier): Seq[File] = tier.directory.listFiles.toSeq
}
