"""Measures workloads on scratch file systems with variants of Spark: see docs/benchmark.md."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[4]
BENCH = ROOT / "dev" / "bench"
