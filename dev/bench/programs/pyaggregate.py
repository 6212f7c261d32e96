"""Sums generated pairs by key, checks each sum, and prints its result as the programs of examples do."""

import argparse
import time

from pyspark.sql import SparkSession


def options():
    made = argparse.ArgumentParser()
    for name in ("maps", "reduces", "keys", "copies", "value-bytes"):
        made.add_argument(f"--{name}", type=int, required=True)
    return made.parse_args()


def main(its):
    spark = SparkSession.builder.getOrCreate()
    # With this threshold, each long value is returned to the system when it is freed. A worker spills when its memory
    # has grown by a twentieth since the last spill, so it spills again soon only if that spill made it smaller.
    spark.sparkContext.environment["MALLOC_MMAP_THRESHOLD_"] = "2048"
    begun = time.monotonic()
    numbers = spark.sparkContext.range(0, its.keys * its.copies, numSlices=its.maps)
    width = its.value_bytes
    # The copies of a key are numbers that differ by multiples of the number of keys. They are
    # formatted as text, since a number's width can't be chosen.
    sums = numbers.map(lambda n: (f"key-{n % its.keys}", f"{n:<{width}}")).reduceByKey(
        lambda one, other: f"{int(one) + int(other):<{width}}", its.reduces)
    wrong = sums.filter(lambda pair: int(pair[1]) != expected(int(pair[0][4:]), its)).count()
    keys = sums.count()
    seconds = time.monotonic() - begun
    spark.stop()
    if wrong or keys != its.keys:
        raise SystemExit(f"pyaggregate: {wrong} wrong sums of {keys} keys")
    print(f"pyaggregate: keys={keys} check=ok seconds={seconds:.3f}")


def expected(key, its):
    return its.copies * key + its.keys * its.copies * (its.copies - 1) // 2


if __name__ == "__main__":
    main(options())
