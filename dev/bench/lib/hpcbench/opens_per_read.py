"""Measures the seconds of reads with an open and a close for each, and of as many reads with one open for all.

    python3 opens_per_read.py DIRECTORY READS BYTES

Prints {"each": seconds, "once": seconds}. Runs as a node, so it imports nothing else of
hpcbench.
"""

import json
import os
import sys
import time


def seconds(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def main(directory, reads, size):
    path, size = os.path.join(directory, "reads"), int(size)
    with open(path, "wb") as file:
        file.write(b"x" * size)

    def open_for_each():
        for _ in range(int(reads)):
            one = os.open(path, os.O_RDONLY)
            os.pread(one, size, 0)
            os.close(one)

    def open_once():
        one = os.open(path, os.O_RDONLY)
        for _ in range(int(reads)):
            os.pread(one, size, 0)
        os.close(one)

    found = {"each": seconds(open_for_each), "once": seconds(open_once)}
    os.unlink(path)
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
