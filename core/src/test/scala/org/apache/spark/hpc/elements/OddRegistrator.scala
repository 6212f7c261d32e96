package org.apache.spark.hpc.elements

import com.esotericsoftware.kryo.{Kryo, Serializer}
import com.esotericsoftware.kryo.io.{Input, Output}
import com.esotericsoftware.kryo.serializers.FieldSerializer

import org.apache.spark.serializer.KryoRegistrator

/** Serializers that lose something, as a program can register them. */
final class OddRegistrator extends KryoRegistrator {
  import LossyClasses._

  override def registerClasses(kryo: Kryo): Unit = {
    def fields[T](c: Class[T]) = new FieldSerializer[T](kryo, c)
    kryo.register(
      classOf[Registered],
      new Serializer[Registered] {
        override def write(kryo: Kryo, output: Output, value: Registered): Unit = ()
        override def read(kryo: Kryo, input: Input, c: Class[Registered]): Registered =
          new Registered("read")
      }
    )
    val without = fields(classOf[WithoutField])
    without.removeField("removed")
    kryo.register(classOf[WithoutField], without)
    val sliced = fields(classOf[Sliced])
    sliced.setFixedFieldTypes(true)
    kryo.register(classOf[Sliced], sliced)
    kryo.register(classOf[java.util.Date], fields(classOf[java.util.Date]))
    kryo.register(classOf[java.util.LinkedList[_]], fields(classOf[java.util.LinkedList[_]]))
    kryo.register(classOf[KeptClasses.Both]): Unit
  }
}
