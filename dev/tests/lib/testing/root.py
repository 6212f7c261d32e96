"""Where the checkout is, and where a run of tests leaves what it says."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[4]
LOGS = ROOT / "target" / "tests"
