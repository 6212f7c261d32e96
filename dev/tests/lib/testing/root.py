"""The directory of the checkout, and that of the logs of a test run."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[4]
LOGS = ROOT / "target" / "tests"
