"""Sums of generated pairs by key; checks each sum, and ends as the programs of examples do."""

import argparse
import time

from pyspark.sql import SparkSession


def options():
    made = argparse.ArgumentParser()
    for name in ("maps", "reduces", "keys", "copies"):
        made.add_argument(f"--{name}", type=int, required=True)
    return made.parse_args()


def main(its):
    spark = SparkSession.builder.getOrCreate()
    begun = time.monotonic()
    numbers = spark.sparkContext.range(0, its.keys * its.copies, numSlices=its.maps)
    # The copies of a key are numbers that differ by multiples of the number of keys.
    sums = numbers.map(lambda n: (f"key-{n % its.keys}", n)).reduceByKey(
        lambda one, other: one + other, its.reduces)
    wrong = sums.filter(lambda pair: pair[1] != expected(int(pair[0][4:]), its)).count()
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
