"""Pauses between polls: short at first, because most events come soon."""

_FIRST = 0.02  # seconds


def growing(most):
    """Yields the seconds to sleep before each next poll, at most `most`."""
    pause = min(_FIRST, most)
    while True:
        yield pause
        pause = min(2 * pause, most)
