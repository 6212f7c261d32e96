"""Cached RDDs and frames of which each is made from earlier ones, in Python."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext

numbers = sc.parallelize(range(1000), 4).cache()
squares = numbers.map(lambda n: n * n).cache()
odd = squares.filter(lambda n: n % 2).cache()
both = odd.zip(odd.map(str)).cache()
sums = numbers.map(lambda n: (n % 7, n)).reduceByKey(lambda a, b: a + b, 4).cache()
print("both=%d" % both.count())
print("sums=%d" % sums.mapValues(lambda n: n + 1).cache().values().sum())

frame = spark.range(0, 1000, 1, 4).selectExpr("id", "id % 7 as k").cache()
print("frame=%d" % frame.filter("k = 3").cache().count())
spark.stop()
