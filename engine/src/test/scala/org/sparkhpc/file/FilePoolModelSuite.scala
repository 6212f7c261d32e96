package org.sparkhpc.file

import java.nio.channels.ClosedByInterruptException
import java.nio.file.{Files, NoSuchFileException, Path}
import java.util.concurrent.TimeUnit

import scala.collection.mutable

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Random operations on a pool and on a map of what each name should give. */
class FilePoolModelSuite extends AnyFunSuite with NumberedFiles with ScalaCheckPropertyChecks {
  import FilePoolModelSuite._

  private def step(pool: FilePool, folder: Path, model: mutable.Map[Int, Int])(op: Op): Unit = {
    def forget(number: Int): Unit = pool.forget(folder.resolve(number.toString).toString)
    op match {
      case Read(number, at) =>
        model.get(number) match {
          case Some(content) => assert(isRight(pool, folder, number, at, as = content))
          case None => intercept[NoSuchFileException](isRight(pool, folder, number, at)): Unit
        }
      case ReadInterrupted(number) =>
        Thread.currentThread.interrupt()
        try intercept[ClosedByInterruptException](isRight(pool, folder, number))
        finally assert(Thread.interrupted())
      case Replace(number, content) =>
        replace(folder, number, by = content)
        forget(number)
        model(number) = content
      case Delete(number) =>
        Files.deleteIfExists(folder.resolve(number.toString))
        forget(number)
        model -= number
    }
  }

  test("every read gives what its name stands for, within the bound, and holds no deleted file") {
    forAll(Gen.listOf(operations), Gen.choose(1, 4), Gen.oneOf(IdleOrder.all)) {
      (ops, size, order) =>
        inFolder { folder =>
          val pool = new FilePool(size, order, TimeUnit.MINUTES.toNanos(1))
          val model = mutable.Map.empty[Int, Int]
          try for (op <- ops) {
              step(pool, folder, model)(op)
              val open = openBelow(folder)
              assert(open.size == pool.counts.openNow && open.size <= size)
              assert(open.distinct == open && open.map(_.toInt).forall(model.contains))
            }
          finally pool.close()
          assert(openBelow(folder).isEmpty && pool.counts.openNow == 0)
        }
    }
  }
}

object FilePoolModelSuite {
  sealed trait Op
  final case class Read(number: Int, at: Int) extends Op
  final case class ReadInterrupted(number: Int) extends Op
  final case class Replace(number: Int, content: Int) extends Op
  final case class Delete(number: Int) extends Op

  private val number = Gen.choose(0, 5)

  val operations: Gen[Op] = Gen.frequency(
    10 -> Gen.zip(number, Gen.choose(0, NumberedFiles.Size - 1)).map((Read.apply _).tupled),
    1 -> number.map(ReadInterrupted),
    4 -> Gen.zip(number, Gen.choose(10, 99)).map((Replace.apply _).tupled),
    2 -> number.map(Delete)
  )
}
