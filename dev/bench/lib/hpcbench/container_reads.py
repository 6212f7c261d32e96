"""Runs as a node: writes a container of map outputs, or reads reducers' blocks from it.

    python3 container_reads.py write PATH MAPS REDUCERS BYTES (once|twice)
    python3 container_reads.py read PATH MAPS REDUCERS BYTES LAYOUT

A map output is its blocks in the order of the reducers. The file has one output after the other, then an index
with 8 bytes for each block. In a copy with the suffix .merged, all blocks of a reducer are together. Prints the
seconds and the number of planned reads. Imports nothing else of hpcbench.
"""

import concurrent.futures
import json
import os
import sys
import time

CAP = 1 << 20
IN_FLIGHT = 4
GAP = 64 << 10
ENTRY = 8
TOGETHER = 8  # reducers whose blocks are read at once: those of one executor
READ = 2 * TOGETHER  # reducers


def write(path, maps, reducers, size, how):
    output = b"x" * (reducers * size)
    begin = time.perf_counter()
    with open(path, "wb", buffering=0) as file:
        for of_map in range(maps):
            if how == "twice":
                with open(f"{path}.{of_map}", "wb", buffering=0) as part:
                    put(part, output)
                with open(f"{path}.{of_map}", "rb", buffering=0) as part:
                    while piece := part.read(CAP):
                        file.write(piece)
                os.unlink(f"{path}.{of_map}")
            else:
                put(file, output)
        put(file, b"i" * (maps * reducers * ENTRY))
    taken = time.perf_counter() - begin
    with open(path + ".merged", "wb", buffering=0) as file:
        for _ in range(maps):
            put(file, output)
    return {"seconds": taken}


def put(file, data):
    for at in range(0, len(data), CAP):
        file.write(data[at:at + CAP])


def whole(start, length):
    return [(at, min(CAP, start + length - at)) for at in range(start, start + length, CAP)]


def merged(ranges, gap):
    """Merges sorted ranges at most `gap` apart into one read of at most CAP; only a single range may be longer."""
    found = []
    for start, length in ranges:
        if found and start - sum(found[-1]) <= gap and start + length - found[-1][0] <= CAP:
            found[-1] = (found[-1][0], start + length - found[-1][0])
        else:
            found.append((start, length))
    return found


def plan(layout, maps, reducers, size):
    """Returns lists of reads, one for each reducer or group of reducers."""
    output, data = reducers * size, maps * reducers * size
    index = maps * reducers * ENTRY
    blocks = [[(of_map * output + reducer * size, size) for of_map in range(maps)]
              for reducer in range(READ)]
    if layout == "strided":
        return blocks
    if layout == "tolerant":
        return [merged(ranges, GAP) for ranges in blocks]
    if layout == "grouped":
        return [merged(sorted(sum(blocks[at:at + TOGETHER], [])), GAP)
                for at in range(0, READ, TOGETHER)]
    if layout == "merged":
        return [whole(reducer * maps * size, maps * size) for reducer in range(READ)]
    if layout == "index-whole":
        return [whole(data, index)]
    if layout == "index-sliced":
        return [[(data + of_map * reducers * ENTRY + reducer * ENTRY, 2 * ENTRY)
                 for of_map in range(maps)] for reducer in range(READ)]
    raise ValueError(layout)


def read(path, maps, reducers, size, layout):
    lists = plan(layout, maps, reducers, size)
    with concurrent.futures.ThreadPoolExecutor(IN_FLIGHT) as threads:
        list(threads.map(abs, range(IN_FLIGHT)))  # starts the threads before the clock
        begin = time.perf_counter()
        file = os.open(path + ".merged" if layout == "merged" else path, os.O_RDONLY)
        for reads in lists:
            for _ in threads.map(lambda each: os.pread(file, each[1], each[0]), reads):
                pass
        os.close(file)
        return {"seconds": time.perf_counter() - begin, "reads": sum(map(len, lists))}


if __name__ == "__main__":
    [verb, where, *numbers, last] = sys.argv[1:]
    print(json.dumps({"write": write, "read": read}[verb](where, *map(int, numbers), last)))
