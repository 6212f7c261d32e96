"""Sums that a Python worker can't hold; prints the sum, and where the worker's spills were."""

import os

from pyspark import shuffle
from pyspark.sql import SparkSession


def with_places(pairs):
    places = set()
    spill = shuffle.ExternalMerger._spill

    def told(merger):
        spill(merger)
        places.update(place for place in merger.localdirs if os.path.isdir(place))

    shuffle.ExternalMerger._spill = told
    merger = shuffle.ExternalMerger(shuffle.SimpleAggregator(lambda one, other: one + other), 1)
    merger.mergeValues(pairs)
    yield sum(value for _, value in merger.items()), sorted(places)


def main():
    spark = SparkSession.builder.appName("spills").getOrCreate()
    numbers = spark.sparkContext.parallelize(range(20000), 1).map(lambda n: (n % 5000, n))
    total, places = numbers.mapPartitions(with_places).first()
    print("result sum", total)
    print("result places", *places)
    spark.stop()


main()
