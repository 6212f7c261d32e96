"""Queries like TPC-H's on a partitioned table of many small Parquet files, and a write of a part of it.

With --make, writes the tables. Otherwise runs the queries on --warm-up's copy of the tables, untimed, and then queries 1, 3, 6 and 12, writes a year of the largest table, and prints the
time of each and a digest of all results, as the programs of examples do.
"""

import argparse
import hashlib
import time

from pyspark.sql import SparkSession

TABLES = ("lineitem", "orders", "customer")
FIRST = "DATE '1992-01-01'"
DAYS = 2520  # of orders; 83 months
AN_ORDER = 4  # lines


def options():
    made = argparse.ArgumentParser()
    for name in ("rows", "files"):
        made.add_argument(f"--{name}", type=int)
    for name in ("make", "input", "output"):
        made.add_argument(f"--{name}")
    made.add_argument("--warm-up", action="append", default=[])
    return made.parse_args()


def draw(column, salt, values):
    """Returns an expression of a number below `values`: the same for the same row, whoever asks."""
    return f"pmod(xxhash64({column}, {salt}), {values})"


def one_of(column, salt, texts):
    listed = ", ".join(f"'{text}'" for text in texts)
    return f"element_at(array({listed}), cast({draw(column, salt, len(texts))} + 1 AS int))"


def make(spark, its):
    orders = its.rows // AN_ORDER
    customers = max(orders // 10, 1)
    placed = f"date_add({FIRST}, cast({{}} AS int))"
    lines = spark.range(0, its.rows, numPartitions=its.files).selectExpr(
        f"id DIV {AN_ORDER} AS l_orderkey",
        f"cast(1 + {draw('id', 1, 50)} AS decimal(12,2)) AS l_quantity",
        f"cast(900 + {draw('id', 2, 100000)} / 100 AS decimal(12,2)) AS l_extendedprice",
        f"cast({draw('id', 3, 11)} / 100 AS decimal(12,2)) AS l_discount",
        f"cast({draw('id', 4, 9)} / 100 AS decimal(12,2)) AS l_tax",
        f"{one_of('id', 5, 'ANR')} AS l_returnflag",
        f"{one_of('id', 6, 'FO')} AS l_linestatus",
        f"{one_of('id', 7, ('AIR', 'FOB', 'MAIL', 'RAIL', 'SHIP', 'TRUCK'))} AS l_shipmode",
        f"{placed.format(draw(f'id DIV {AN_ORDER}', 8, DAYS))} AS l_shipdate",
    ).selectExpr("*", "date_format(l_shipdate, 'yyyy-MM') AS l_month")
    # Each task writes a file into each month's directory.
    lines.write.partitionBy("l_month").parquet(f"{its.make}/lineitem")
    spark.range(0, orders, numPartitions=its.files * 4).selectExpr(
        "id AS o_orderkey",
        f"{draw('id', 9, customers)} AS o_custkey",
        f"{placed.format(draw('id', 8, DAYS))} AS o_orderdate",
        f"{one_of('id', 10, ('1-URGENT', '2-HIGH', '3-MEDIUM', '4-LOW', '5-NONE'))} AS o_orderpriority",
    ).write.parquet(f"{its.make}/orders")
    spark.range(0, customers, numPartitions=its.files).selectExpr(
        "id AS c_custkey",
        f"{one_of('id', 11, ('AUTOMOBILE', 'BUILDING', 'FURNITURE', 'HOUSEHOLD', 'MACHINERY'))} AS c_mktsegment",
    ).write.parquet(f"{its.make}/customer")


QUERIES = {
    "q1": """SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice),
                    sum(l_extendedprice * (1 - l_discount)), avg(l_discount), count(*)
             FROM lineitem WHERE l_shipdate <= DATE '1998-09-02'
             GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus""",
    "q3": """SELECT l_orderkey, sum(l_extendedprice * (1 - l_discount)) AS revenue, o_orderdate
             FROM customer JOIN orders ON c_custkey = o_custkey JOIN lineitem ON l_orderkey = o_orderkey
             WHERE c_mktsegment = 'BUILDING' AND o_orderdate < DATE '1995-03-15' AND l_month > '1995-02'
                OR c_mktsegment = 'MACHINERY'
             GROUP BY l_orderkey, o_orderdate ORDER BY revenue DESC, o_orderdate, l_orderkey LIMIT 10""",
    "q6": """SELECT sum(l_extendedprice * l_discount) AS revenue FROM lineitem
             WHERE l_month BETWEEN '1994-01' AND '1994-12' AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24""",
    "q12": """SELECT l_shipmode, count_if(o_orderpriority IN ('1-URGENT', '2-HIGH')) AS high, count(*) AS lines
              FROM orders JOIN lineitem ON o_orderkey = l_orderkey
              WHERE l_shipmode IN ('MAIL', 'SHIP') AND l_month BETWEEN '1994-01' AND '1995-12'
              GROUP BY l_shipmode ORDER BY l_shipmode""",
}


def opened(spark, directory):
    for name in TABLES:
        spark.read.parquet(f"{directory}/{name}").createOrReplaceTempView(name)
    return []


def year(spark):
    return spark.sql("SELECT * FROM lineitem WHERE l_month LIKE '1995-%'")


def written(spark, output):
    year(spark).write.partitionBy("l_month").parquet(output)
    return []


def queries(spark, directory, output):
    """Yields (phase, seconds, rows)."""
    steps = {"open": lambda: opened(spark, directory),
             **{name: lambda text=text: spark.sql(text).collect() for name, text in QUERIES.items()},
             "write": lambda: written(spark, output)}
    for phase, step in steps.items():
        begun = time.monotonic()
        rows = step()
        yield phase, time.monotonic() - begun, rows


def main(its):
    spark = SparkSession.builder.getOrCreate()
    if its.make:
        make(spark, its)
        return
    digest = hashlib.sha256()
    times = {}
    for number, copy in enumerate(its.warm_up):
        for _ in queries(spark, copy, f"{its.output}/warm-up-{number}"):
            pass
    for phase, seconds, rows in queries(spark, its.input, f"{its.output}/measured"):
        digest.update(f"{phase} {rows}".encode())
        times[phase] = seconds
    # Outside of the measured time.
    found, wanted = (table.selectExpr("count(*)", "sum(l_extendedprice)", "sum(xxhash64(l_orderkey, l_month))").collect()
                     for table in (spark.read.parquet(f"{its.output}/measured"), year(spark)))
    if found != wanted:
        raise SystemExit(f"orders: wrote {found} instead of {wanted}")
    spark.stop()
    phases = " ".join(f"seconds.{phase}={seconds:.3f}" for phase, seconds in times.items())
    print(f"orders: digest={digest.hexdigest()[:16]} {phases} seconds={sum(times.values()):.3f}")


if __name__ == "__main__":
    main(options())
