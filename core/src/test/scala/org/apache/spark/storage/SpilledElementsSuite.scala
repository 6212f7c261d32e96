package org.apache.spark.storage

import java.io.{ObjectInputStream, ObjectOutputStream}
import java.util.concurrent.atomic.AtomicInteger

import scala.reflect.ClassTag

import org.apache.spark.SparkContext
import org.apache.spark.serializer.{JavaSerializer, KryoSerializer}
import org.apache.spark.storage.ShortOfMemory.BlockBytes
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tags.Slow

/** What a program that caches more than fits gets is what it computed, whatever its elements are. */
@Slow
class SpilledElementsSuite extends AnyFunSuite with ShortOfMemory {
  import SpilledElementsSuite._

  private val serializers = Seq(classOf[JavaSerializer], classOf[KryoSerializer])
  private val levels = Seq(StorageLevel.MEMORY_ONLY, StorageLevel.MEMORY_ONLY_SER)

  private def withSerializer[A](serializer: Class[_])(test: SparkContext => A): A =
    withContext("spark.serializer" -> serializer.getName)(test)

  for (serializer <- serializers) {
    val by = serializer.getSimpleName

    test(s"$by: state that only some elements have is there after memory was short") {
      withSerializer(serializer) { sc =>
        val each = 100
        val cached = sc.parallelize(0 until 30, 30).flatMap { block =>
          Iterator.tabulate(each) { i =>
            val isFirstOrMiddle = i == 0 || i == each / 2
            new Partly(block, if (isFirstOrMiddle) null else s"$block-$i")
          }
        }.cache()
        for (_ <- 1 to 3) {
          assert(cached.map(element =>
            if (element.state == null) 0 else 1
          ).sum() == 30 * (each - 2))
          press(sc)
        }
      }
    }

    test(s"$by: state that a class writes itself is there after memory was short") {
      withSerializer(serializer) { sc =>
        val cached = sc.parallelize(0 until 30, 30).map(new Written(_)).cache()
        for (_ <- 1 to 3) {
          assert(cached.map(_.state).collect().toSeq == (0 until 30).map(i => s"state $i"))
          press(sc)
        }
      }
    }

    test(s"$by: fields of a collection's subclass are there after memory was short") {
      withSerializer(serializer) { sc =>
        val cached = sc.parallelize(0 until 30, 30).map(new Named(_)).cache()
        for (_ <- 1 to 3) {
          assert(cached.map(_.name).collect().toSeq == (0 until 30).map(i => s"name $i"))
          press(sc)
        }
      }
    }

    test(s"$by: what an element computes when it is asked isn't computed to spill it") {
      withSerializer(serializer) { sc =>
        evaluated.set(0)
        val cached = sc.parallelize(0 until 30, 30).map(new Lazy(_)).cache()
        manager.cache.elements.measure(RDDBlockId(cached.id, 0), Seq(new Lazy(0)), 1000)(ClassTag(
          classOf[Lazy]
        ))
        assert(evaluated.get == 0)
        for (_ <- 1 to 3) {
          assert(cached.map(_.numbers.head).collect().toSeq == (0 until 30))
          press(sc)
        }
        assert(evaluated.get == 0)
        assert(cached.map(_.numbers.sum).collect().toSeq == (0 until 30).map(_ + 1))
      }
    }

    for (level <- levels)
      test(s"$by, ${level.description}: what doesn't fit when put is what was computed") {
        withSerializer(serializer) { sc =>
          val cached = sc.parallelize(0 until 1, 1).flatMap { _ =>
            Iterator.tabulate(60)(i => new Large(i, if (i < 50) null else s"state $i"))
          }.persist(level)
          val plain = sc.parallelize(0 until 1, 1).flatMap { _ =>
            Iterator.tabulate(60)(i => new Large(i, if (i < 50) null else s"state $i"))
          }
          for (_ <- 1 to 3)
            assert(cached.map(_.state).collect().toSeq == plain.map(_.state).collect().toSeq)
        }
      }

    test(s"$by: elements of which nothing can be lost are spilled") {
      withSerializer(serializer) { sc =>
        val cached = sc.parallelize(0 until 30, 30).map { i =>
          Thread.sleep(20) // dear to compute
          (i, Vector(Some(Plain(i, "text", Array.fill(BlockBytes)(i.toByte)))))
        }.cache()
        val expected = (0 until 30).map(i => (i, i, "text", i.toByte))
        for (_ <- 1 to 2) {
          val found = cached.map { case (i, elements) =>
            val plain = elements.head.get
            (i, plain.index, plain.text, plain.ballast.last)
          }
          assert(found.collect().toSeq == expected)
        }
        assert(spilledFiles(cached).nonEmpty)
        assert(manager.cache.counts.failedByElements.getCount == 0)
      }
    }
  }
}

object SpilledElementsSuite {
  final case class Plain(index: Int, text: String, ballast: Array[Byte])

  final class Partly(val index: Int, @transient val state: String) extends Serializable {
    val ballast = new Array[Byte](BlockBytes / 100)
  }

  final class Large(val index: Int, @transient val state: String) extends Serializable {
    val ballast = new Array[Byte](BlockBytes)
  }

  private val evaluated = new AtomicInteger

  /** The second number is computed when it is asked for. */
  final class Lazy(val index: Int) extends Serializable {
    val ballast = new Array[Byte](BlockBytes)

    val numbers: Stream[Int] = index #:: {
      evaluated.incrementAndGet()
      1 #:: Stream.empty[Int]
    }
  }

  final class Written(val index: Int) extends Serializable {
    val ballast = new Array[Byte](BlockBytes)
    @transient var state: String = s"state $index"

    private def writeObject(out: ObjectOutputStream): Unit = {
      out.defaultWriteObject()
      out.writeObject(state)
    }

    private def readObject(in: ObjectInputStream): Unit = {
      in.defaultReadObject()
      state = in.readObject().asInstanceOf[String]
    }
  }

  final class Named(index: Int) extends java.util.ArrayList[Array[Byte]] {
    val name: String = s"name $index"
    add(new Array[Byte](BlockBytes))
  }
}
