package org.apache.spark.hpc.retain

import scala.util.Try

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tags.Slow

import org.apache.spark.SparkConf
import org.apache.spark.hpc.elements.{Elements, OddRegistrator, Shape}
import org.apache.spark.serializer.{JavaSerializer, KryoSerializer, Serializer}
import org.sparkhpc.retain.{JavaForm, KryoForm, LostState}

/** Elements at random of which [[LostState]] says that nothing is lost come back as they were, with all
  * fields, or not at all. `dev/cache-fuzz` sends more of them.
  */
@Slow
class GeneratedElementsSuite extends AnyFunSuite {
  import GeneratedElementsSuite._

  private val elements = sys.props("generated.elements").toInt
  private val seed = sys.props("generated.seed").toLong

  for {
    (name, conf) <- Settings
    (mix, some) <- Mixes
  } test(s"$name: what is accepted of $elements $mix elements comes back (seed $seed)") {
    val serializer = if (name == "Java") new JavaSerializer(conf) else new KryoSerializer(conf)
    val form = serializer match {
      case kryo: KryoSerializer =>
        new KryoForm(kryo.newKryo(), new KryoSerializer(new SparkConf(false)).newKryo())
      case _ => JavaForm
    }
    val lost = new LostState(form)
    var accepted, kept, failed = 0
    for (number <- 0 until elements) {
      val own = new scala.util.Random(seed + number).nextLong()
      val element = some.of(own)
      if (lost.in(element).isEmpty) {
        accepted += 1
        // Of its own, since a look at it may compute what is lazy.
        val expected = Shape.of(some.of(own))
        // Failures are told apart from losses: then the block is computed again.
        val copy = Try(sent(serializer, element))
        failed += copy.failed.toOption.size
        for (copy <- copy) {
          val found = Shape.of(copy)
          assert(found == expected, s"element $number of seed $seed, by $name")
          kept += 1
        }
      }
    }
    info(s"$accepted accepted, of which $kept came back and $failed couldn't be written or read")
    assert(kept > elements * (if (mix == "plain") 0.7 else 0.3), s"of $elements")
    assert(accepted < elements || mix == "plain", s"of $elements")
  }
}

object GeneratedElementsSuite {
  private val Mixes = Seq(
    "plain" -> new Elements(lossy = 0, plain = true),
    "ring" -> new Elements(lossy = 0),
    "lossy" -> new Elements(lossy = 30)
  )

  private def kryo(settings: (String, String)*) = new SparkConf(false).setAll(settings)

  private val Settings: Seq[(String, SparkConf)] = Seq(
    "Java" -> new SparkConf(false),
    "Kryo" -> kryo(),
    "Kryo without references" -> kryo("spark.kryo.referenceTracking" -> "false"),
    "Kryo with others' serializers" ->
      kryo("spark.kryo.registrator" -> classOf[OddRegistrator].getName),
    "Kryo with unsafe" -> kryo("spark.kryo.unsafe" -> "true")
  )

  private def sent(serializer: Serializer, element: Any): Any = {
    val instance = serializer.newInstance()
    instance.deserialize[Any](instance.serialize[Any](element))
  }
}
