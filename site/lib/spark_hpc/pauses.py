"""Pauses between looks at what comes soon or late: short at first, since most comes soon."""

_FIRST = 0.02  # seconds


def growing(most):
    """Seconds to sleep before each next look, at most so many."""
    pause = min(_FIRST, most)
    while True:
        yield pause
        pause = min(2 * pause, most)
