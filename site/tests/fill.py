"""A user's program: shuffles 128 MB that no codec makes smaller; says what was written, and what was read."""

from pyspark.sql import SparkSession
from pyspark.sql.functions import expr, sha2, unhex

session = SparkSession.builder.appName("fill").getOrCreate()
rows = session.range(2_000_000).select("id", unhex(sha2(expr("string(id)"), 512)).alias("bytes"))


def summary(of):
    return of.selectExpr("count(*)", "sum(id)", "sum(crc32(bytes))").first()


print("written", *summary(rows))
print("read", *summary(rows.repartition(24, "id")))
