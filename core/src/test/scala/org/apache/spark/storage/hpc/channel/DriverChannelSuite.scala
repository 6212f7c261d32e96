package org.apache.spark.storage.hpc.channel

import org.scalatest.funsuite.AnyFunSuite

class DriverChannelSuite extends AnyFunSuite {
  import DriverChannelSuite._

  test("each message is answered by the feature that registered its class") {
    val channel = new DriverChannel
    var heard = Seq.empty[String]
    channel.onAsk[Question](_.number + 1)
    channel.onAsk[Whole.type](_ => true)
    channel.onTell[News](news => heard :+= news.text)
    assert(channel.receive(Question(7)) == 8)
    assert(channel.receive(Whole) == true)
    assert(channel.receive(News("it rains")) == null && heard == Seq("it rains"))
  }

  test("a message that no feature registered is an error that names it") {
    val failure = intercept[IllegalArgumentException](new DriverChannel().receive(Question(7)))
    assert(failure.getMessage.contains("Question(7)"))
  }
}

object DriverChannelSuite {
  private final case class Question(number: Int)
  private final case class News(text: String)
  private case object Whole
}
