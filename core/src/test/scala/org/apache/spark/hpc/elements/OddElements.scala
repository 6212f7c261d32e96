package org.apache.spark.hpc.elements

import java.{util => ju}

import org.scalacheck.Gen

/** Objects at random that serialization may lose something of; what they hold is `inner`'s. */
private[elements] final class OddElements(inner: Int => Gen[Any]) {
  import LossyClasses._

  def any(depth: Int): Gen[Any] = Gen.oneOf(hidden(depth), own(depth), tables(depth))

  /** In fields that aren't written, if they hold something. */
  private def hidden(depth: Int): Gen[Any] = for {
    other <- inner(depth)
    filled <- inner(depth)
    isFilled <- Gen.oneOf(true, false)
    state = if (isFilled) filled else null
    n = if (isFilled) 7 else 0
    value <- Gen.oneOf[Any](
      new Hidden(n, state),
      HiddenCase(n)(state),
      new UnderHidden(state, other),
      new HiddenScalars(isFilled, n.toChar, n, n.toLong, n.toFloat, n.toDouble),
      { val trait0 = new OnHiddenTrait; trait0.hidden = state; trait0 },
      { val late = new LateBuffer(2); if (isFilled) late.buffer += 3; late },
      { val late = new LateBuffer(2); if (isFilled) late.buffer; late.size = 3; late },
      { val under = new OnUnserializable(state); under },
      new Unserializable(other),
      { val set = new OnPrepared(n); if (isFilled) set.prepared = null; set },
      { val set = new ByConstructor; if (isFilled) set.state = null; set },
      new Repeated(other, state, 2),
      { val enclosing = new Enclosing(state); new enclosing.Inner(other) },
      { val enclosing = new Enclosing(state); enclosing.One.value = other; enclosing },
      { val enclosing = new Enclosing(state); enclosing.One.value = other; enclosing.One }
    )
  } yield value

  /** Whose form is their class's own. */
  private def own(depth: Int): Gen[Any] = for {
    state <- inner(depth)
    n <- Gen.choose(0, 3)
    value <- Gen.oneOf[Any](
      new Writes(state),
      new Counts(n),
      new Replaces(state),
      new Resolves(state),
      new External(state),
      { val list = new NamedList(state); list.add(n); list },
      { val map = new NamedMap(state); map.put(n, state); map },
      { val buffer = new NamedBuffer(state); buffer += n; buffer },
      new NamedFailure(state),
      new KryoWrites(state),
      new ByAnnotation(state),
      new Left(state),
      new Registered(state),
      new WithoutField(n, state),
      new Sliced(new Narrow(state, n)),
      () => state,
      proxy(n)
    )
  } yield value

  private def proxy(n: Int): Any = java.lang.reflect.Proxy.newProxyInstance(
    getClass.getClassLoader,
    Array(classOf[Runnable], classOf[java.io.Serializable]),
    new Answering(n)
  )

  private def tables(depth: Int): Gen[Any] = for {
    keys <- Gen.listOf(Leaves.key.map(_.toString)).map(_.take(12))
    state <- inner(depth)
    pairs = keys.map(_ -> state)
    java = ju.Arrays.asList(keys: _*)
    value <- Gen.oneOf[Any](
      pairs.toMap.withDefaultValue(state),
      pairs.toMap.withDefault(_ => state),
      scala.collection.immutable.TreeMap(pairs: _*)(Ordering[String].reverse),
      scala.collection.immutable.ListMap(pairs: _*),
      scala.collection.mutable.HashMap(pairs: _*),
      scala.collection.mutable.LinkedHashMap(pairs: _*),
      scala.collection.mutable.Queue(keys: _*),
      keys.toStream.map(_.length),
      Stream.from(1),
      keys.view.map(_.length),
      keys.iterator.buffered,
      new ju.HashSet(java), {
        val tree = new ju.TreeSet[String](ju.Collections.reverseOrder[String]); tree.addAll(java);
        tree
      },
      { val queue = new ju.PriorityQueue[String](java); queue },
      { val map = new ju.LinkedHashMap[String, Any]; pairs.foreach(p => map.put(p._1, p._2)); map },
      { val map = new ju.IdentityHashMap[String, Any]; map.put("key", state); map },
      ju.Collections.unmodifiableList(java),
      java
    )
  } yield value
}

private final class Answering(n: Int) extends java.lang.reflect.InvocationHandler
    with java.io.Serializable {
  override def invoke(
      proxy: Any,
      method: java.lang.reflect.Method,
      arguments: Array[AnyRef]
  ): AnyRef = method.getName match {
    case "toString" => s"proxy $n"
    case "hashCode" => Int.box(n)
    case _ => null
  }
}
