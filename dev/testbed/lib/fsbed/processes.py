"""Whether a process still runs."""


def running(pid):
    """False also for a zombie: it has ended, and only its parent can remove it."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
