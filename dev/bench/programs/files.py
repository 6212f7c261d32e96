"""Writes tables of small files and scans them; prints the file system's requests of each phase, one line of JSON each.

The file system is the testbed's emulator of Lustre in the directory --base, which counts the requests. Each table is made with
both --files numbers, so that what a file takes is told from what a scan takes.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import time

from pyspark.sql import SparkSession

TESTBED = pathlib.Path(__file__).resolve().parents[2] / "testbed" / "testbed"
ROWS = 1000  # of a file
PARTITIONS = 10  # of a partitioned table
PAUSE = 0.4  # seconds without a request after which a phase is over


class Counter:
    def __init__(self, base):
        self.base = base

    def verb(self, verb, *words):
        command = [TESTBED, "pfs", verb, "--base", self.base, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def stats(self):
        return json.loads(self.verb("stats", "--json"))

    def during(self, work):
        """Returns what the work gave, and the requests that it caused."""
        self.verb("reset")
        result = work()
        before, now = None, self.stats()
        while before is None or now["totals"] != before["totals"]:
            time.sleep(PAUSE)
            before, now = now, self.stats()
        return result, {"metadata": now["metadata_requests"], "data": now["data_requests"], **now["totals"]}


class Table:
    """A table on the file system, and one way to scan it: `plan` finds its files, `scan` reads them all."""

    is_scanned = True

    def __init__(self, spark, format="parquet", options=None, settings=None, given=False, partitioned=False):
        self.spark, self.format, self.options = spark, format, options or {}
        self.settings, self.given, self.partitioned = settings or {}, given, partitioned

    def write(self, files, path):
        # Of a partitioned table, each task writes a file in each partition.
        tasks = files // PARTITIONS if self.partitioned else files
        rows = self.spark.range(0, files * ROWS, 1, tasks)
        text = "concat('row ', id) AS value"
        rows = rows.selectExpr(text) if self.format == "text" else rows.selectExpr("id", text, f"id % {PARTITIONS} AS k")
        writer = rows.write.format(self.format).options(**{"header": "true"} if self.format == "csv" else {})
        (writer.partitionBy("k") if self.partitioned else writer).save(path)

    def plan(self, path):
        for key, value in self.settings.items():
            self.spark.conf.set(key, value)
        reader = self.spark.read.format(self.format).options(**self.options)
        return (reader.schema("id LONG, value STRING, k LONG") if self.given else reader).load(path)

    def scan(self, planned):
        planned.write.format("noop").mode("overwrite").save()
        for key in self.settings:
            self.spark.conf.unset(key)


class Binary(Table):
    def plan(self, path):
        return self.spark.read.format("binaryFile").load(path)


class Lines(Table):
    """By sc.textFile."""

    def plan(self, path):
        lines = self.spark.sparkContext.textFile(path)
        lines.getNumPartitions()
        return lines

    def scan(self, planned):
        planned._jrdd.rdd().count()  # without Python workers


class HiveTable(Table):
    """Written and read by Hive's own classes."""

    @staticmethod
    def name(path):
        return "files" + path.rpartition("-")[2]

    def write(self, files, path):
        columns = "id BIGINT, value STRING, k BIGINT"
        self.spark.sql(f"CREATE TABLE {self.name(path)} ({columns}) STORED AS {self.format} LOCATION '{path}'")
        rows = self.spark.range(0, files * ROWS, 1, files).selectExpr("id", "concat('row ', id) AS value", "id AS k")
        rows.write.insertInto(self.name(path))

    def plan(self, path):
        return self.spark.table(self.name(path))


class Stream(Table):
    """By streaming's file source; the checkpoint is elsewhere."""

    def plan(self, path):
        return self.spark.readStream.schema("id LONG, value STRING, k LONG").format(self.format).load(path)

    def scan(self, planned):
        with tempfile.TemporaryDirectory() as checkpoint:
            sink = planned.writeStream.format("noop").option("checkpointLocation", checkpoint)
            sink.trigger(availableNow=True).start().awaitTermination()


class Batches(Table):
    """A streaming query with as many micro-batches as there should be files. A batch adds two files to the checkpoint, and two
    to its state if it has one."""

    is_scanned = False

    def __init__(self, spark, has_state):
        super().__init__(spark)
        self.has_state = has_state

    def write(self, files, path):
        rows = self.spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 4).load()
        if self.has_state:
            rows = rows.groupBy("value").count()

        def until_the_last(batch, number):
            batch.write.format("noop").mode("overwrite").save()
            if number == files:
                raise RuntimeError("the last batch")

        self.spark.conf.set("spark.sql.shuffle.partitions", 2)
        query = rows.writeStream.outputMode("update").option("checkpointLocation", path).foreachBatch(until_the_last).start()
        try:
            query.awaitTermination()
        except Exception as ended:  # noqa: BLE001: Spark's exception is of several classes
            if "the last batch" not in str(ended):
                raise


def tables(spark):
    rows = {"spark.sql.parquet.enableVectorizedReader": "false", "spark.sql.orc.enableVectorizedReader": "false"}
    header = {"header": "true"}
    return {
        "Parquet": Table(spark),
        "Parquet, not vectorised": Table(spark, settings=rows),
        "Parquet, schemas merged": Table(spark, options={"mergeSchema": "true"}),
        "Parquet, partitioned": Table(spark, partitioned=True),
        "Parquet, streaming": Stream(spark),
        "ORC": Table(spark, "orc"),
        "ORC, not vectorised": Table(spark, "orc", settings=rows),
        "Avro": Table(spark, "avro"),
        "Hive, text": HiveTable(spark, "textfile"),
        "CSV, schema given": Table(spark, "csv", header, given=True),
        "CSV, schema inferred": Table(spark, "csv", {**header, "inferSchema": "true"}),
        "JSON, schema given": Table(spark, "json", given=True),
        "JSON, schema inferred": Table(spark, "json"),
        "text": Table(spark, "text"),
        "text, by sc.textFile": Lines(spark, "text"),
        "binaryFile": Binary(spark, "text"),
        "a micro-batch's 2 files of a checkpoint": Batches(spark, has_state=False),
        "a micro-batch's 4 files of a checkpoint with state": Batches(spark, has_state=True),
    }


def measured(table, counter, files, path):
    """Yields (phase, requests)."""
    yield "write", counter.during(lambda: table.write(files, path))[1]
    if not table.is_scanned:
        return
    counter.verb("drop")
    for planning, tasks in (("planning", "tasks"), ("second planning", "second tasks")):
        planned, requests = counter.during(lambda: table.plan(path))
        yield planning, requests
        yield tasks, counter.during(lambda its=planned: table.scan(its))[1]


def main():
    made = argparse.ArgumentParser()
    made.add_argument("--directory", required=True)
    made.add_argument("--base", required=True)
    made.add_argument("--files", type=int, nargs=2, required=True)
    made.add_argument("--tables", default="")
    made.add_argument("--left-out", default="")
    its = made.parse_args()
    spark = (
        SparkSession.builder.enableHiveSupport()
        .config("spark.hadoop.javax.jdo.option.ConnectionURL", "jdbc:derby:memory:files;create=true")
        .getOrCreate()
    )
    counter = Counter(its.base)
    for name, table in tables(spark).items():
        for files in its.files if its.tables in name and name != its.left_out else ():
            path = pathlib.Path(its.directory, f"{name.replace(' ', '-').replace(',', '').replace(chr(39), '')}-{files}")
            for phase, requests in measured(table, counter, files, f"file://{path}"):
                print(json.dumps({"table": name, "files": files, "phase": phase, "requests": requests}), flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
