package org.apache.spark.storage.hpc.scratch

import java.io.IOException
import java.nio.file.{Files, Path, Paths}
import java.util.UUID
import java.util.concurrent.TimeUnit

import scala.util.control.NonFatal

import org.apache.spark.SparkEnv
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.internal.Logging
import org.apache.spark.storage.hpc.channel.DriverChannel
import org.sparkhpc.tier.{DirectoryToken, Tier}

/** Finds out whether an executor's shared tiers are the same directories as the driver's. At some sites, each node has
  * a different directory under the same name.
  *
  * Driver and executor each write a token into their own directory in the tier. The tier is proven when each has read
  * the other's token. Until then, files in it are used by this process only.
  *
  * @param ofDriver the driver's tokens
  * @param isSeenByDriver asks the driver whether it sees this executor's token
  * @param clock a clock in nanoseconds, which tests replace
  */
private[storage] final class GlobalProof(
    tiers: Seq[Tier],
    ofDriver: Map[String, String],
    isSeenByDriver: TokenQuestion => Boolean,
    clock: () => Long = () => System.nanoTime(),
    pause: Long => Unit = Thread.sleep(_)
) extends Logging {
  import GlobalProof._

  private val thread = new Thread(() => tiers.foreach(prove), "hpc-global-proof")
  thread.setDaemon(true)

  /** Starts the proof in the background, so that no task waits for it. */
  def start(): Unit = thread.start()

  def stop(): Unit = thread.interrupt()

  private[storage] def prove(tier: Tier): Unit =
    try {
      val question = TokenQuestion.write(tier)
      val theirs = ofDriver.get(question.parent).map(_.split(" ", 2)).collect {
        case Array(name, words) => TokenQuestion(question.parent, name, words)
      }
      val proven = theirs.exists { theirs =>
        DirectoryToken.within(LongestNanos, clock, pause) {
          theirs.isAnswered && isSeenByDriver(question)
        }
      }
      if (proven) {
        // Files that all executors may read are in the driver's directory, and are removed with it.
        val ofApplication = theirs.map(_.directory.resolve(tier.directory.getName))
        tier.forAll = ofApplication.map(Files.createDirectory(_).toFile)
        logInfo(s"Scratch tier $tier is global: it is the same directory as the driver's")
      } else {
        logWarning(
          s"Scratch tier $tier is not the driver's directory of that name, or shows new files too " +
            "late: it is used for this node only"
        )
      }
    } catch {
      case _: InterruptedException => // the executor ends
      case NonFatal(failure) =>
        logWarning(s"Cannot find out whether scratch tier $tier is global: $failure")
    }
}

private[storage] object GlobalProof extends Logging {
  private val LongestNanos = TimeUnit.SECONDS.toNanos(10)

  /** The driver's tokens in its shared tiers, by the tier's directory, for its executors. */
  def tokens(env: SparkEnv): Map[String, String] =
    sharedTiers(env).flatMap { tier =>
      try {
        val token = TokenQuestion.write(tier)
        Some(token.parent -> s"${token.name} ${token.words}")
      } catch {
        case failure: IOException =>
          logWarning(s"Cannot write a token that would prove scratch tier $tier global: $failure")
          None
      }
    }.toMap

  /** The driver's part: looks for executors' tokens. */
  def register(channel: DriverChannel): Unit = channel.onAsk[TokenQuestion](_.isAnswered)

  /** An executor's part, for the tokens that its driver wrote; None if the executor has no shared tier. */
  def of(
      context: PluginContext,
      env: SparkEnv,
      ofDriver: Map[String, String]
  ): Option[GlobalProof] = {
    val tiers = sharedTiers(env)
    def ask(question: TokenQuestion) = context.ask(question).asInstanceOf[Boolean]
    if (tiers.isEmpty) None else Some(new GlobalProof(tiers, ofDriver, ask(_)))
  }

  private def sharedTiers(env: SparkEnv): Seq[Tier] =
    Option(env.blockManager).toSeq
      .flatMap(blocks => HpcDiskBlockManager.of(blocks.diskBlockManager))
      .flatMap(_.sharedTiers)
}

/** Asks whether the file `name` below the tier's directory `parent` has a token with these words. */
private[storage] final case class TokenQuestion(parent: String, name: String, words: String) {
  def isAnswered: Boolean = token.isSeen

  /** The directory of the process that wrote the token. */
  def directory: Path = token.file.getParent

  private def token = DirectoryToken(Paths.get(parent, name), words)
}

private[storage] object TokenQuestion {

  /** Writes a token into this process's directory in the tier. */
  def write(tier: Tier): TokenQuestion = {
    val own = tier.directory
    val question =
      TokenQuestion(own.getParent, s"${own.getName}/token", UUID.randomUUID().toString)
    question.token.write()
    question
  }
}
