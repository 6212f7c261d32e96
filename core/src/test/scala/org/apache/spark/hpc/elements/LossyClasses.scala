package org.apache.spark.hpc.elements

import java.io.{Externalizable, ObjectInput, ObjectInputStream, ObjectOutput, ObjectOutputStream}

import scala.collection.mutable.ArrayBuffer

import com.esotericsoftware.kryo.{DefaultSerializer, Kryo, KryoSerializable}
import com.esotericsoftware.kryo.io.{Input, Output}
import com.esotericsoftware.kryo.serializers.FieldSerializer.Optional
import com.esotericsoftware.kryo.serializers.JavaSerializer

/** Classes as programs cache them, of which serialization loses or changes something, or can. */
object LossyClasses {
  class Hidden(val index: Int, @transient val state: Any) extends Serializable
  final case class HiddenCase(index: Int)(@transient val state: Any)
  class UnderHidden(state: Any, val own: Any) extends Hidden(1, state)

  class HiddenScalars(
      @transient val z: Boolean,
      @transient val c: Char,
      @transient val i: Int,
      @transient val l: Long,
      @transient val f: Float,
      @transient val d: Double
  ) extends Serializable

  trait HiddenTrait {
    @transient var hidden: Any = _
  }

  final class OnHiddenTrait extends HiddenTrait with Serializable

  /** Derived from what may change afterwards. */
  class LateBuffer(var size: Int) extends Serializable with Observed {
    @transient lazy val buffer: ArrayBuffer[Int] = ArrayBuffer.fill(size)(size)
    override def observe: Any = buffer.toList
  }

  class Unserializable(var below: Any)
  class OnUnserializable(below: Any) extends Unserializable(below) with Serializable

  /** Its constructor sets what a subclass has. */
  abstract class Prepared {
    prepare()
    def prepare(): Unit
  }

  class OnPrepared(val index: Int) extends Prepared with Serializable {
    @transient var prepared: String = _
    override def prepare(): Unit = prepared = "by the constructor"
  }

  class ByConstructor extends Serializable {
    @transient var state: Any = "by the constructor"
  }

  class Writes(@transient var state: Any) extends Serializable {
    private def writeObject(out: ObjectOutputStream): Unit = {
      out.defaultWriteObject()
      out.writeObject(state)
    }

    private def readObject(in: ObjectInputStream): Unit = {
      in.defaultReadObject()
      state = in.readObject()
    }
  }

  class Counts(var read: Int) extends Serializable {
    private def readObject(in: ObjectInputStream): Unit = {
      in.defaultReadObject()
      read += 1
    }
  }

  class Replaces(val state: Any) extends Serializable {
    protected def writeReplace(): AnyRef = KeptClasses.Both("replaced", null)
  }

  class Resolves(val state: Any) extends Serializable {
    protected def readResolve(): AnyRef = new Resolves("resolved")
  }

  class External(@transient var state: Any) extends Externalizable {
    def this() = this(null)
    override def writeExternal(out: ObjectOutput): Unit = out.writeInt(1)
    override def readExternal(in: ObjectInput): Unit = state = in.readInt()
  }

  class NamedList(val name: Any) extends java.util.ArrayList[Any]
  class NamedMap(val name: Any) extends java.util.HashMap[Any, Any]
  class NamedBuffer(val name: Any) extends ArrayBuffer[Any]
  class NamedFailure(val name: Any) extends RuntimeException("failed")

  class Repeated(value: Any, @transient val hidden: Any, val length: Int)
      extends scala.collection.immutable.Seq[Any] with Serializable {
    override def apply(index: Int): Any = value
    override def iterator: Iterator[Any] = Iterator.fill(length)(value)
  }

  class Enclosing(@transient val state: Any) extends Serializable {
    class Inner(val own: Any) extends Serializable
    object One extends Serializable {
      var value: Any = _
    }
  }

  class KryoWrites(var state: Any) extends KryoSerializable {
    override def write(kryo: Kryo, output: Output): Unit = output.writeString("written")
    override def read(kryo: Kryo, input: Input): Unit = state = input.readString()
  }

  @DefaultSerializer(classOf[JavaSerializer])
  class ByAnnotation(@transient val state: Any) extends Serializable

  class Left(value: Any) extends Serializable {
    @Optional("nobody has it") val optional: Any = value
  }

  /** [[OddRegistrator]] says how Kryo is to write these. */
  class Registered(val state: Any) extends Serializable
  class WithoutField(val kept: Any, val removed: Any) extends Serializable
  class Sliced(val one: Wide) extends Serializable
  class Wide(val wide: Any) extends Serializable
  class Narrow(wide: Any, val narrow: Any) extends Wide(wide)

  object Numbers extends Enumeration {
    val One, Two = Value
  }
}
