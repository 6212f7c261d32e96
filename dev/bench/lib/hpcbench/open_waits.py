"""Measures the seconds of opens of existing files. Each thread opens its own file repeatedly.

    python3 open_waits.py DIRECTORY OPENS THREADS

Prints {"median": ..., "mean": ..., "p99": ..., "worst": ...} over the OPENS of all threads
together. Runs as a node, so it imports nothing else of hpcbench.
"""

import json
import os
import statistics
import sys
import threading
import time


def opened(path, times, found):
    for _ in range(times):
        begin = time.perf_counter()
        one = os.open(path, os.O_RDONLY)
        found.append(time.perf_counter() - begin)
        os.close(one)


def main(directory, opens, threads):
    paths = [os.path.join(directory, f"opened-{number}") for number in range(int(threads))]
    for path in paths:
        with open(path, "wb") as file:
            file.write(b"x")
    found = []
    running = [threading.Thread(target=opened, args=(path, int(opens) // len(paths), found))
               for path in paths]
    for each in running:
        each.start()
    for each in running:
        each.join()
    for path in paths:
        os.unlink(path)
    found.sort()
    print(json.dumps({"median": statistics.median(found), "mean": statistics.mean(found),
                      "p99": found[len(found) * 99 // 100], "worst": found[-1]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
