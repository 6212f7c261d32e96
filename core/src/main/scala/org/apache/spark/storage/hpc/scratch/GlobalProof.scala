package org.apache.spark.storage.hpc.scratch

import java.io.IOException
import java.nio.file.{Files, Path, Paths}
import java.util.UUID
import java.util.concurrent.TimeUnit

import scala.util.control.NonFatal

import org.apache.spark.SparkEnv
import org.apache.spark.internal.Logging
import org.sparkhpc.tier.{DirectoryToken, Tier}

/** Finds out whether an executor's shared tiers are the directories that the driver has under the same
  * names: at some sites each node has one of its own there.
  *
  * Driver and executor write a token each, in their own directories in the tier. When each has read the
  * other's, the tier is proven; until then its files are taken as this process's own.
  *
  * @param ofDriver the driver's tokens
  * @param isSeenByDriver asks the driver for a token of ours
  * @param clock nanoseconds; tests have one of their own
  */
private[storage] final class GlobalProof(
    tiers: Seq[Tier],
    ofDriver: Map[String, String],
    isSeenByDriver: TokenQuestion => Boolean,
    clock: () => Long = () => System.nanoTime(),
    pause: () => Unit = () => Thread.sleep(200)
) extends Logging {
  import GlobalProof._

  private val thread = new Thread(() => tiers.foreach(prove), "hpc-global-proof")
  thread.setDaemon(true)

  /** In the background: no task waits for it. */
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
        // The application's: it is removed with the driver's.
        val ofApplication = theirs.map(_.directory.resolve(tier.directory.getName))
        tier.forAll = ofApplication.map(Files.createDirectory(_).toFile)
        logInfo(s"Scratch tier $tier is the directory that the driver has there: it is global")
      } else {
        logWarning(
          s"Scratch tier $tier isn't the directory that the driver has under that name, or shows " +
            "its files too late: it is taken as this node's own"
        )
      }
    } catch {
      case _: InterruptedException => // the executor ends
      case NonFatal(failure) => logWarning(s"Whether $tier is global isn't known: $failure")
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
          logWarning(s"Whether $tier is global can't be proven, since it refuses a token: $failure")
          None
      }
    }.toMap

  def sharedTiers(env: SparkEnv): Seq[Tier] =
    Option(env.blockManager).toSeq
      .flatMap(blocks => HpcDiskBlockManager.of(blocks.diskBlockManager))
      .flatMap(_.sharedTiers)
}

/** Is a token with these words in the file of this name below this tier's directory? */
private[storage] final case class TokenQuestion(parent: String, name: String, words: String) {
  def isAnswered: Boolean = token.isSeen

  /** Of the process that wrote the token. */
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
