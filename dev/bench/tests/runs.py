"""Runs as dev/bench/run records them, made up for tests."""


def run(number, variant="stock", scratch="tmpfs", wall=1.0, *, point=(), failure=None, counts=None,
        options=None, spark=None, iterations=(), phases=None):
    return {
        "round": number, "variant": variant, "scratch": scratch, "point": dict(point),
        "options": options or {}, "executors": 2, "failure": failure, "fingerprint": None,
        "wall_seconds": None if failure else wall, "phases": phases or {}, "figures": {},
        "iterations": list(iterations), "submit_seconds": wall + 5,
        "cpu_seconds": {"executors": 2 * wall, "driver": 1.0, "workers": 0.0, "servers": None,
                        "file_system": None},
        "peak_scratch_bytes": None,
        "peak_resident_bytes": {"executors": 300 << 20, "servers": 0},
        "spark": spark or {"peak_heap_bytes": 100 << 20, "shuffle_written_bytes": 5 << 20,
                           "spilled_bytes": 0, "evictions": 0, "tasks": 4},
        "counts": counts and {
            "totals": counts, "metadata_requests": sum(counts.values()), "data_requests": 7,
            "clients": [{"client": 0, "counts": {kind: {"other": n} for kind, n in counts.items()}}],
            "service": {}},
    }


ABOUT = {
    "command": "dev/bench/run --workload groupby", "workload": "groupby",
    "variants": ["stock", "hpc"], "scratches": ["tmpfs"], "nodes": 2, "heap": "1g", "cold": False,
    "keep_first": False,
    "cpu": "control group",
    "environment": {"date": "2026-01-01", "commit": "abc", "jvm": "a JVM", "os": "Linux",
                    "processor": "2 x any", "load": 0.1},
}
