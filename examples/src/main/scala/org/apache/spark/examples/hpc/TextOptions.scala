package org.apache.spark.examples.hpc

import scopt.OParser

/** How much text, and how many tasks work on it. */
final case class TextOptions(
    maps: Int = 16,
    reduces: Int = 16,
    linesPerMap: Long = 1000,
    wordsPerLine: Int = 100,
    vocabulary: Int = 100000,
    seed: Long = 1
) {

  def lines: Long = maps * linesPerMap
  def text: ZipfText = new ZipfText(vocabulary, wordsPerLine, seed)
}

/** The options of the programs that read generated text. */
trait TextSyntax extends Syntax[TextOptions] {
  import builder._

  protected def defaults: TextOptions = TextOptions()

  protected def text: Seq[OParser[_, TextOptions]] = Seq(
    count("maps", 1).action((x, o) => o.copy(maps = x)).text("default 16"),
    count("reduces", 1).action((x, o) => o.copy(reduces = x)).text("default 16"),
    amount("lines-per-map", 1, 1L << 32).action((x, o) => o.copy(linesPerMap = x))
      .text("default 1000"),
    count("words-per-line", 1, 1 << 20).action((x, o) => o.copy(wordsPerLine = x))
      .text("default 100"),
    count("vocabulary", 1, ZipfText.MostWords).action((x, o) => o.copy(vocabulary = x))
      .text("words that there are; default 100000"),
    seed.action((x, o) => o.copy(seed = x)),
    help("help").text("print this")
  )
}
