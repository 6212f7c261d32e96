"""What PySpark's users do, on so many executors; prints "result NAME VALUE" lines.

    workload.py FOLDER EXECUTORS all|frames CODE

"frames" leaves out RDDs and MLlib. It ends with the exit code CODE. Values are the same on every Spark; the lines whose
names begin with "where" say what ran.
Python workers can't ask their executor for its classes, so they look which jars it has open.
"""

import os
import pathlib
import sys
import time

import pandas
import pyspark
from pyspark import StorageLevel
from pyspark.ml.clustering import KMeans
from pyspark.ml.linalg import Vectors
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as f

import shipped

CLASSES = "reflect('org.apache.spark.examples.hpc.StorageClasses', 'here')"


def result(name, value):
    print("result", name, value, flush=True)


def executor_jar(_):
    """spark-core's jar in the JVM above this worker's daemon, or above the worker itself."""
    pid = os.getpid()
    while pid > 1:
        for link in pathlib.Path(f"/proc/{pid}/fd").iterdir():
            try:
                name = os.path.basename(os.readlink(link))
            except FileNotFoundError:
                continue
            if name.startswith("spark-core_") and name.endswith(".jar"):
                return name
        pid = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return "none"


def await_executors(sc, count):
    """The driver counts as one."""
    deadline = time.monotonic() + 60
    while sc._jsc.sc().getExecutorMemoryStatus().size() < count + 1:
        if time.monotonic() > deadline:
            sys.exit(f"fewer than {count} executors after a minute")
        time.sleep(0.1)


def rdds(sc):
    words = sc.parallelize([f"word{i % 50}" for i in range(5000)], 4)
    words.persist(StorageLevel.MEMORY_AND_DISK)
    counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b, 3)
    result("rdd.counts", sorted(counts.collect())[:3])
    names = sc.broadcast({f"word{i}": i for i in range(0, 50, 7)})
    seen = sc.accumulator(0)

    def known(pair):
        seen.add(1)
        return pair[0] in names.value

    joined = counts.filter(known).join(words.distinct().map(lambda word: (word, len(word))))
    result("rdd.join", sorted(joined.collect()))
    result("rdd.accumulator", seen.value)
    result("rdd.sorted", counts.sortBy(lambda pair: (-pair[1], pair[0])).take(2))
    result("rdd.checked", words.map(shipped.squared_length).sum())


def frames(spark, folder):
    table = spark.range(0, 1000, 1, 4).select("id", (f.col("id") % 7).alias("key"))
    for form in ("parquet", "avro"):
        path = os.path.join(folder, form)
        table.write.format(form).partitionBy("key").save(path)
        read = spark.read.format(form).load(path)
        sums = read.groupBy("key").agg(f.sum("id"), f.count("id")).orderBy("key")
        result(f"frame.{form}", [tuple(row) for row in sums.limit(3).collect()])
    rank = f.row_number().over(Window.partitionBy("key").orderBy(f.desc("id")))
    result("frame.window", [row.id for row in table.where("key = 3").select("id", rank).limit(3).collect()])
    result("frame.arrow", int(table.toPandas()["id"].sum()))
    return table


def udfs(table):
    plain = f.udf(lambda n: n * n + 1, "long")
    result("udf", table.select(f.sum(plain("id"))).first()[0])

    @f.pandas_udf("double")
    def halved(column: pandas.Series) -> pandas.Series:
        return column / 2

    result("udf.pandas", table.select(f.sum(halved("id"))).first()[0])

    @f.pandas_udf("double")
    def median(column: pandas.Series) -> float:
        return float(column.median())

    medians = table.groupBy("key").agg(median("id").alias("m")).orderBy("key").collect()
    result("udf.grouped", [row.m for row in medians])
    tops = table.groupBy("key").applyInPandas(lambda pdf: pdf.nlargest(1, "id"), "id long, key long")
    result("udf.applied", sorted(row.id for row in tops.collect()))


def learning(spark):
    points = spark.createDataFrame([(Vectors.dense([float(i % 2 * 100), i / 10]),) for i in range(20)], ["features"])
    model = KMeans(k=2, seed=1, initMode="random", maxIter=4).fit(points)
    result("ml.kmeans", sorted([round(float(x), 3) for x in center] for center in model.clusterCenters()))


def main():
    folder, executors, parts, code = sys.argv[1:]
    spark = SparkSession.builder.appName("workload").getOrCreate()
    sc = spark.sparkContext
    await_executors(sc, int(executors))
    udfs(frames(spark, folder))
    if parts == "all":
        rdds(sc)
        learning(spark)
    result("where.pyspark", os.path.dirname(pyspark.__file__))
    jars = sc.parallelize(range(8), 8).map(executor_jar).collect()
    for jar in sorted(set(jars)):
        result("where.jar", jar)
    for row in spark.range(0, 40, 1, 40).selectExpr(CLASSES).distinct().collect():
        print(row[0])
    spark.stop()
    sys.exit(int(code))


main()
