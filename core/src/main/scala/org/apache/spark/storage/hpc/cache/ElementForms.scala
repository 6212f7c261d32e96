package org.apache.spark.storage.hpc.cache

import java.util.concurrent.ConcurrentHashMap

import scala.reflect.ClassTag

import org.apache.spark.SparkConf
import org.apache.spark.serializer.{JavaSerializer, KryoSerializer, SerializerManager}
import org.sparkhpc.retain.{JavaForm, KryoForm, LostState, SerializedForm}

/** Finds out what the serializer of an RDD's blocks would lose of their elements. */
private[spark] final class ElementForms(serializers: SerializerManager) {
  import ElementForms._

  private lazy val plain = new KryoSerializer(new SparkConf(false))
  private val ofKryos = new ConcurrentHashMap[KryoSerializer, KryoForm]

  /** The values; iteration throws a [[LosesState]] at the first value of which the serializer would lose a part. */
  def checked[T](tag: ClassTag[_], values: Iterator[T]): Iterator[T] = {
    val lost = new LostState(of(tag))
    values.map { value =>
      for (why <- lost.in(value)) throw new LosesState(why)
      value
    }
  }

  /** What the serializer would lose of these values, if anything. */
  def lost(tag: ClassTag[_], values: Iterator[Any]): Option[String] = {
    val lost = new LostState(of(tag))
    values.map(lost.in).collectFirst { case Some(why) => why }
  }

  private def of(tag: ClassTag[_]): SerializedForm =
    serializers.getSerializer(tag, autoPick = true) match {
      case java: JavaSerializer if java.getClass == classOf[JavaSerializer] => JavaForm
      case kryo: KryoSerializer if kryo.getClass == classOf[KryoSerializer] =>
        ofKryos.computeIfAbsent(kryo, kryo => new KryoForm(kryo.newKryo(), plain.newKryo()))
      case other => new OfAnother(other.getClass)
    }
}

private object ElementForms {

  /** For a serializer that is not one of Spark's. */
  private final class OfAnother(serializer: Class[_]) extends SerializedForm {
    override protected def read(c: Class[_]): SerializedForm.OfClass =
      SerializedForm.Unknown(s"nothing is known of ${serializer.getName}")
  }
}
