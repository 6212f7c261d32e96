package org.apache.spark.examples.hpc

import java.nio.charset.StandardCharsets.UTF_8

import com.google.common.hash.Hashing

import org.apache.spark.rdd.RDD

/** What a collection of records comes to, in whatever order: their number and the sum of their
  * hashes.
  *
  * A record that is lost, doubled or changed shows in it. The sum wraps around, and unlike an
  * exclusive or it doesn't forget a record that is there twice.
  */
final case class Checksum(records: Long, sum: Long) {

  def +(hash: Long): Checksum = Checksum(records + 1, sum + RmatGenerator.mix(hash))

  def ++(other: Checksum): Checksum = Checksum(records + other.records, sum + other.sum)

  override def toString: String = s"$records records with checksum ${sum.toHexString}"
}

object Checksum {
  val Empty: Checksum = Checksum(0, 0)

  def of(hashes: Iterator[Long]): Checksum = hashes.foldLeft(Empty)(_ + _)

  def of(hashes: RDD[Long]): Checksum = hashes.aggregate(Empty)(_ + _, _ ++ _)

  def hash(bytes: Array[Byte]): Long = murmur.hashBytes(bytes).asLong

  def hash(text: String): Long = murmur.hashString(text, UTF_8).asLong

  /** Of several values in this order. */
  def hash(first: Long, others: Long*): Long =
    others.foldLeft(first)((soFar, next) => RmatGenerator.mix(soFar) + next)

  private def murmur = Hashing.murmur3_128
}
