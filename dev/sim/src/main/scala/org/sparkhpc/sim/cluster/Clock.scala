package org.sparkhpc.sim.cluster

import java.util.{ArrayDeque, PriorityQueue}

/** Virtual time: runs actions in the order of their times, and those of the same time in the order in which they were
  * added.
  */
final class Clock {
  private val waiting = new PriorityQueue[Clock.Event]
  private var number = 0L
  private var time = 0L

  /** Nanoseconds since the beginning. */
  def now: Long = time

  def at(when: Long)(action: => Unit): Unit = {
    require(when >= time, s"$when is before now, $time")
    number += 1
    waiting.add(new Clock.Event(when, number, () => action)): Unit
  }

  /** Runs until there is nothing more to do. */
  def run(): Unit =
    while (!waiting.isEmpty) {
      val next = waiting.poll()
      time = next.when
      next.action()
    }
}

private object Clock {
  final class Event(val when: Long, val number: Long, val action: () => Unit)
      extends Comparable[Event] {
    override def compareTo(other: Event): Int =
      if (when != other.when) java.lang.Long.compare(when, other.when)
      else java.lang.Long.compare(number, other.number)
  }
}

/** Threads of which each serves one at a time; who comes when all are taken waits for its turn. */
final class Gate(threads: Int) {
  private var free = threads
  private val waiting = new ArrayDeque[() => Unit]

  /** Runs `action` when a thread is free. It must call [[leave]] at its end. */
  def enter(action: => Unit): Unit =
    if (free > 0) {
      free -= 1
      action
    } else waiting.add(() => action): Unit

  def leave(): Unit = Option(waiting.poll()) match {
    case Some(next) => next()
    case None => free += 1
  }
}

/** A processor with some cores, or a link: `take` says when work is done that begins now. */
final class Line(servers: Int) {
  private val freeAt = new Array[Long](servers)
  private var used = 0L

  def busyNanos: Long = used

  def take(now: Long, nanos: Long): Long = {
    var best = 0
    for (each <- 1 until servers) if (freeAt(each) < freeAt(best)) best = each
    freeAt(best) = math.max(now, freeAt(best)) + nanos
    used += nanos
    freeAt(best)
  }
}
