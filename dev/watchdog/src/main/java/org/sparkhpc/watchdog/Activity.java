package org.sparkhpc.watchdog;

import java.time.Duration;

/** What a suite does at the moment: a test, or what is before, between and after its tests. */
final class Activity {

    /** Past its limit an activity is told of, then its thread is interrupted, then all ends. */
    enum State {
        IN_TIME,
        TOLD,
        INTERRUPTED
    }

    final String suite;
    final String what;
    final String thread;
    final Duration limit;
    private State state = State.IN_TIME;
    private long nanos;

    Activity(String suite, String what, String thread, Duration limit) {
        this.suite = suite;
        this.what = what;
        this.thread = thread;
        this.limit = limit;
    }

    State state() {
        return state;
    }

    void enter(State next) {
        state = next;
        nanos = 0;
    }

    void age(long byNanos) {
        nanos += byNanos;
    }

    /** The suite's name in names of directories. */
    String shortName() {
        return suite.substring(suite.lastIndexOf('.') + 1);
    }

    /** Whether it is time for the next state; a fifth of the limit is left for each to have an effect. */
    boolean isOverdue() {
        Duration time = state == State.IN_TIME ? limit : limit.dividedBy(5);
        return nanos > time.toNanos();
    }

    @Override
    public String toString() {
        return suite + ": " + what;
    }
}
