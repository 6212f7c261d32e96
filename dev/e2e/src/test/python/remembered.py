"""Runs a query, says where its web page is, and ends when the file of its argument is gone."""

import pathlib
import sys
import time

from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("remembered").getOrCreate()
spark.range(0, 100000, 1, 8).selectExpr("id % 97 AS key").groupBy("key").count().collect()
print(f"shown at {spark.sparkContext.uiWebUrl}", flush=True)
while pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.1)
spark.stop()
