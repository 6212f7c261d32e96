"""A program whose bottleneck is a Python function."""

import time

from pyspark.sql import SparkSession
from pyspark.sql.functions import udf

spark = SparkSession.builder.getOrCreate()


@udf("long")
def slow(value):
    time.sleep(0.002)
    return value


print(spark.range(0, 6000, 1, 8).select(slow("id")).agg({"slow(id)": "sum"}).first())
spark.stop()
