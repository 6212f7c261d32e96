"""Shuffles of RDDs and of DataFrames; prints "result NAME VALUE" lines, the same on every Spark."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as f


def result(name, value):
    print("result", name, value, flush=True)


def rdds(sc):
    pairs = sc.parallelize(range(5000), 8).map(lambda n: (n % 17, n))
    result("rdd.sums", sorted(pairs.reduceByKey(lambda a, b: a + b, 5).collect()))
    result("rdd.groups", sorted(pairs.groupByKey(3).mapValues(len).collect()))
    # All its tasks at once, as many as there are cores.
    barrier = pairs.repartition(2).barrier().mapPartitions(lambda rows: rows)
    result("rdd.barrier", sorted(barrier.reduceByKey(lambda a, b: a + b, 5).collect()))


def frames(spark):
    """A join in which most rows have one key, so that adaptive execution splits that partition."""
    key = f.when(f.col("id") % 10 < 7, 0).otherwise(f.col("id") % 1000)
    large = spark.range(0, 200000, 1, 8).select("id", key.alias("key"))
    small = spark.range(0, 1000, 1, 4).select(f.col("id").alias("key"), (f.col("id") * 3).alias("value"))
    joined = large.join(small, "key").agg(f.count("id"), f.sum("id"), f.sum("value"))
    result("frame.join", [tuple(row) for row in joined.collect()])
    plan = joined._jdf.queryExecution().executedPlan().toString()
    for kind in ("coalesced", "skewed"):
        result(f"frame.{kind}", any(kind in line for line in plan.splitlines() if "AQEShuffleRead" in line))


def main():
    spark = SparkSession.builder.appName("shuffled").getOrCreate()
    rdds(spark.sparkContext)
    frames(spark)
    spark.stop()


main()
