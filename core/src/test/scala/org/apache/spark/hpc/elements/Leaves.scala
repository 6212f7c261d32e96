package org.apache.spark.hpc.elements

import java.{time => jt, util => ju}

import org.scalacheck.{Arbitrary, Gen}

import org.apache.spark.unsafe.types.UTF8String

/** Values that refer to no others, at random. */
private[elements] object Leaves {
  private def arbitrary[T: Arbitrary]: Gen[T] = Arbitrary.arbitrary[T]

  /** Some of them collide in hash tables. */
  val text: Gen[String] = Gen.frequency(
    6 -> Gen.alphaNumStr.map(_.take(8)),
    1 -> arbitrary[String].map(_.take(8)),
    2 -> Gen.oneOf("AaAa", "BBBB", "AaBB", "BBAa", "", "é", 0xd800.toChar.toString)
  )

  val number: Gen[Any] = Gen.oneOf[Any](
    arbitrary[Boolean],
    arbitrary[Byte],
    arbitrary[Char],
    arbitrary[Short],
    arbitrary[Int],
    arbitrary[Long],
    arbitrary[Float],
    arbitrary[Double],
    Gen.oneOf(Double.NaN, -0.0, Double.MinPositiveValue)
  )

  val key: Gen[Any] = Gen.frequency(3 -> text, 2 -> number, 1 -> Gen.zip(text, number))

  private val time: Gen[Any] = for {
    seconds <- Gen.choose(-100000000000L, 100000000000L)
    nanos <- Gen.oneOf(Gen.const(0), Gen.choose(0, 999999999))
    value <- Gen.oneOf[Any](
      new ju.Date(seconds),
      new java.sql.Date(seconds),
      { val stamp = new java.sql.Timestamp(seconds); stamp.setNanos(nanos); stamp },
      jt.Duration.ofSeconds(seconds, nanos.toLong),
      jt.Instant.ofEpochSecond(seconds, nanos.toLong),
      jt.LocalDate.ofEpochDay(seconds / 100000),
      jt.LocalTime.ofNanoOfDay(nanos.toLong * 1000),
      jt.LocalDateTime.ofEpochSecond(seconds, nanos, jt.ZoneOffset.UTC),
      jt.Period.of(nanos % 100, -3, 5)
    )
  } yield value

  val known: Gen[Any] = Gen.frequency[Any](
    6 -> text,
    6 -> number,
    2 -> time,
    1 -> arbitrary[BigInt],
    1 -> arbitrary[BigInt].map(_.bigInteger),
    1 -> Gen.zip(arbitrary[Long], Gen.choose(-5, 5)).map { case (n, scale) =>
      java.math.BigDecimal.valueOf(n, scale)
    },
    1 -> Gen.zip(arbitrary[Long], arbitrary[Long]).map { case (a, b) => new ju.UUID(a, b) },
    1 -> Gen.oneOf(classOf[String], classOf[Int], classOf[Array[Long]]),
    1 -> Gen.oneOf[Any](None, Nil, 1 until 10 by 3, 1 to 5, 5 to 1),
    1 -> Gen.oneOf[Any](Thread.State.NEW, ju.concurrent.TimeUnit.DAYS),
    1 -> Gen.oneOf[Any](KeptClasses.Red, KeptClasses.Blue),
    1 -> text.map(UTF8String.fromString),
    1 -> Gen.const(null)
  )

  /** Of which Kryo forgets how they round. */
  val decimal: Gen[Any] = Gen.zip(arbitrary[Long], Gen.choose(1, 50)).map { case (n, precision) =>
    BigDecimal(n, new java.math.MathContext(precision))
  }

  /** Of classes on nobody's list. */
  val others: Gen[Any] = for {
    n <- arbitrary[Int]
    value <- Gen.oneOf[Any](
      new ju.concurrent.atomic.AtomicLong(n.toLong),
      new ju.concurrent.atomic.AtomicReference[Any](n),
      { val bits = new ju.BitSet; bits.set(n & 63); bits },
      { val properties = new ju.Properties; properties.setProperty("n", n.toString); properties },
      { val random = new ju.Random(n.toLong); random.nextInt(); random },
      java.util.regex.Pattern.compile(s"$n+", n & 2),
      new java.net.URL(s"http://localhost/$n"),
      ju.Locale.forLanguageTag("pt-BR"),
      Symbol(s"n$n"),
      (),
      LossyClasses.Numbers.Two,
      new java.lang.ref.WeakReference[AnyRef](ju.concurrent.TimeUnit.DAYS),
      { val own = new ThreadLocal[Int]; own.set(n); own },
      ju.Optional.of(n),
      new StringBuilder(s"$n")
    )
  } yield value
}
