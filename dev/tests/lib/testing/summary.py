"""The last lines of a run, and whether it passed."""

from testing import second_tries
from testing.counts import Counts


def passed(first, second, say, *, file=second_tries.FILE, must_have_all=False):
    """Reports the results of the first and second tries, and returns whether the run passed."""
    failed_first = {unit for _, outcome in first for unit in outcome.failed}
    failed_twice = {unit for _, outcome in second for unit in outcome.failed}
    passed_later = sorted(failed_first - failed_twice)
    too_often = second_tries.add(passed_later, file) if passed_later else []

    # If a unit ran twice, the second run counts.
    by_unit = {unit: its for _, outcome in [*first, *second] for unit, its in outcome.counts.items()}
    total = Counts.total(by_unit.values())
    for _, outcome in second:
        for unit, said in outcome.failed.items():
            say(f"failed twice: {unit}\n{said}")
    if passed_later:
        say(f"{len(passed_later)} passed only at the second try: {' '.join(passed_later)}")
        say(f"  They are written down in {file}.")
    for unit in too_often:
        say(f"failed: {unit} passed only at the second try {second_tries.DEFECT} times by now: it is a defect")
    is_skipped = must_have_all and total.skipped > 0
    if is_skipped:
        say("failed: some were skipped, and this machine must have all that a test needs")
    if total.passed == 0:
        say("failed: no test passed")
    say(f"{total.passed} passed, {total.failed} failed, {total.skipped} skipped")
    return not failed_twice and not too_often and not is_skipped and total.passed > 0
