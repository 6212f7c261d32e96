"""A client of Spark Connect; prints "result NAME VALUE" lines: connect_client.py URL...

Of several servers, all but the last have to refuse it: each error is a line "refused" on the standard error.
"""

import sys
import traceback

import pandas
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

CLASSES = "reflect('org.apache.spark.examples.hpc.StorageClasses', 'here')"


def result(name, value):
    print("result", name, value, flush=True)


def ask(address):
    spark = SparkSession.builder.remote(address).getOrCreate()
    try:
        result("session", type(spark).__module__)
        query(spark)
    finally:
        # So that the next one is another session.
        spark.stop()


def query(spark):
    # Outside of a session it would be a UDF of the other kind.
    squared = f.udf(lambda n: n * n, "long")

    @f.pandas_udf("double")
    def halved(column: pandas.Series) -> pandas.Series:
        return column / 2

    table = spark.range(0, 1000, 1, 4).withColumn("key", f.col("id") % 7)
    sums = table.groupBy("key").agg(f.sum("id").alias("s")).orderBy("key")
    result("shuffle", [row.s for row in sums.limit(3).collect()])
    result("udf", table.select(f.sum(squared("id"))).first()[0])
    result("udf.pandas", table.select(f.sum(halved("id"))).first()[0])
    result("arrow", int(sums.toPandas()["s"].sum()))
    for row in spark.range(0, 40, 1, 40).selectExpr(CLASSES).distinct().collect():
        print(row[0])


def main():
    *refusing, last = sys.argv[1:]
    for address in refusing:
        try:
            ask(address)
        except Exception:  # noqa: BLE001: its words are the result
            print("refused", *traceback.format_exc().split(), file=sys.stderr)
    ask(last)


main()
