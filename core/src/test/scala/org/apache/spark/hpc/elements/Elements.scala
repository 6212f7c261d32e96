package org.apache.spark.hpc.elements

import java.{util => ju}

import scala.collection.mutable.{ArrayBuffer, ListBuffer, WrappedArray}

import org.scalacheck.Gen
import org.scalacheck.rng.Seed

/** Elements of an RDD at random, of all the classes of this package and of Java's and Scala's.
  *
  * @param lossy in how many of a hundred objects something is that serialization may lose
  * @param plain whether serializers keep all of them: no object refers to itself
  */
final class Elements(lossy: Int, plain: Boolean = false) extends Serializable {
  import KeptClasses._

  @transient private lazy val odd = new OddElements(any)

  /** The element of this seed, the same each time. */
  def of(seed: Long, depth: Int = 3): Any =
    composed(depth).pureApply(Gen.Parameters.default, Seed(seed))

  def any(depth: Int): Gen[Any] =
    if (depth == 0) Leaves.known
    else Gen.frequency(1 -> Leaves.known, 3 -> Gen.lzy(composed(depth)))

  private def composed(depth: Int): Gen[Any] =
    Gen.frequency(
      2 * (100 - lossy) -> Gen.lzy(kept(depth - 1)),
      2 * (100 - lossy) -> Gen.lzy(collection(depth - 1)),
      (if (plain) 0 else 30) -> Gen.lzy(ring(depth - 1)),
      (if (plain) 0 else 5) -> Leaves.decimal,
      2 * lossy -> Gen.lzy(odd.any(depth - 1)),
      lossy / 2 -> Leaves.others
    )

  private def kept(depth: Int): Gen[Any] = for {
    one <- any(depth)
    other <- any(depth)
    text <- Leaves.text
    n <- Gen.choose(-3, 3)
    value <- Gen.oneOf[Any](
      Scalars(n > 0, n.toByte, 'c', n.toShort, n, n.toLong, n.toFloat, -n.toDouble, text),
      Both(one, other),
      Both(one, one),
      { val link = new Link(one); Both(link, link) },
      new Child(one, other),
      new Special(n),
      new Special(n.toDouble),
      new Special(one),
      { val tagged = new WithTrait(one); tagged.tag = other; tagged },
      new ByInterface(text, n, Vector(one, other), new ju.ArrayList(ju.Arrays.asList(one, other))),
      new Typed(one),
      new OfText(text),
      Both(n, text).copy(other = new Meters(n.toDouble)),
      { val around = new Around(one); new around.Inside(other) },
      new Around(one).function,
      new Later(one),
      { val later = new Later(one); later.kept; later },
      { val bare = new Bare; bare.value = one; bare },
      { val root = new Tree(null, Nil); new Tree(root, List(root)) },
      new Named(one, text)
    )
  } yield value

  private def collection(depth: Int): Gen[Any] = for {
    size <- Gen.frequency(1 -> 0, 6 -> Gen.choose(1, 4), 1 -> Gen.choose(5, 12))
    values <- Gen.listOfN(size, any(depth))
    keys <- Gen.listOfN(size, Leaves.key)
    numbers = keys.map(_.hashCode)
    all = values.asInstanceOf[List[AnyRef]]
    java = ju.Arrays.asList(all: _*)
    value <- Gen.oneOf[Any](
      values,
      values.toVector,
      all.toArray,
      values.map(new Link(_)).toArray,
      numbers.toArray,
      numbers.map(_.toDouble).toArray,
      keys.map(_.toString).toArray,
      Array(numbers.map(_.toLong).toArray),
      numbers.map(Special(_)).toArray,
      values.headOption,
      if (size > 2) Left(values.head) else Right(values),
      if (size > 2) (values(0), values(1)) else (size, values),
      (size, numbers.sum),
      (size, numbers.sum.toLong),
      (size.toDouble, 'c'),
      if (size > 2) (values(0), values(1), values(2), keys) else Tuple1(values),
      keys.zip(values).toMap,
      keys.toSet,
      ArrayBuffer(values: _*),
      ListBuffer(values: _*),
      WrappedArray.make[Any](all.toArray),
      WrappedArray.make[Any](numbers.toArray),
      new ju.ArrayList(java),
      new ju.LinkedList(java),
      new ju.ArrayDeque(ju.Arrays.asList(keys: _*)),
      compact(values)
    )
  } yield value

  private def Special(n: Int) = new Special(n)

  private def compact(values: List[Any]) = {
    val buffer = new org.apache.spark.util.collection.CompactBuffer[Any]
    values.foreach(buffer += _)
    buffer
  }

  private def ring(depth: Int): Gen[Any] = for {
    value <- any(depth)
    text <- Leaves.text
    link = new Link(value)
    through <- Gen.oneOf[Any](
      link,
      Both(link, value),
      new Link(link),
      Array[Any](link, value),
      (link, value),
      Some(link),
      List(value, link),
      Vector(link),
      Map(text -> link),
      Set(link),
      ArrayBuffer[Any](link, value),
      new ju.ArrayList[Any](ju.Arrays.asList(link)),
      knots(text, link),
      tree(text, link)
    )
    fromLink <- Gen.oneOf(true, false)
  } yield {
    link.next = through
    if (fromLink) link else through
  }

  /** Keys of a table that lead to it. */
  private def knots(text: String, link: Any): Any = {
    val all = (1 to text.length + 2).map(n => new Named(link, s"$text $n"))
    val table = all.toSet
    for (named <- all) named.aims = table
    if (text.length % 2 == 0) all.head else table
  }

  private def tree(text: String, link: Any): Any = {
    val root = new Tree(null, Nil)
    root.children = text.map(_ => new Tree(root, Nil)).toList
    if (text.length % 2 == 0) Both(root, link) else (root.children, link)
  }
}
