"""Graphs of tables, beside plain Python. Then it makes the mistakes that are named, of which the last ends it."""

import sys

import spark_hpc.graph
from pyspark.sql import SparkSession
from spark_hpc.refused import Refused

spark = SparkSession.builder.getOrCreate()
pairs = [(n % 37, n * n % 41) for n in range(300)]
edges = spark.createDataFrame([(f"v{a:02}", f"v{b:02}") for a, b in pairs], "source string, target string")
numbers = spark.createDataFrame(pairs, "src int, dst long")

MISTAKES = {
    "null": lambda: spark_hpc.graph.connected_components(spark.sql("SELECT 1 AS src, CAST(NULL AS INT) AS dst")),
    "column": lambda: spark_hpc.graph.pagerank(numbers, src="source"),
    "both": lambda: spark_hpc.graph.pagerank(numbers, iterations=3, tolerance=0.1),
    "frame": lambda: spark_hpc.graph.pagerank(pairs),
    "number": lambda: spark_hpc.graph.pagerank(numbers, reset="half"),
    "vertex": lambda: spark_hpc.graph.shortest_paths(numbers, [99]),
}


def ranks_of(iterations):
    vertices = {vertex for pair in pairs for vertex in pair}
    degrees = {vertex: sum(a == vertex for a, _ in pairs) for vertex in vertices}
    ranks = dict.fromkeys(vertices, 1.0)
    for _ in range(iterations):
        sums = dict.fromkeys(vertices, 0.0)
        for a, b in pairs:
            sums[b] += ranks[a] / degrees[a]
        ranks = {vertex: 0.15 + 0.85 * share for vertex, share in sums.items()}
    scale = len(vertices) / sum(ranks.values())
    return {vertex: rank * scale for vertex, rank in ranks.items()}


def components():
    labels = {vertex: vertex for pair in pairs for vertex in pair}
    for _ in labels:
        for a, b in pairs:
            labels[a] = labels[b] = min(labels[a], labels[b])
    return labels


def make(mistake):
    # Each mistake has to install by itself what says it in one line.
    sys.excepthook = sys.__excepthook__
    MISTAKES[mistake]()


wanted = ranks_of(20)
found = dict(spark_hpc.graph.pagerank(edges, src="source", dst="target").collect())
far = max(abs(found[f"v{vertex:02}"] - rank) / rank for vertex, rank in wanted.items())
print("result ranks", len(found) == len(wanted) and far < 1e-9)
settled = dict(spark_hpc.graph.pagerank(numbers, tolerance=1e-9).collect())
print("result settled", max(abs(settled[vertex] - rank) for vertex, rank in ranks_of(200).items()) < 1e-6)
print("result components", dict(spark_hpc.graph.connected_components(numbers).collect()) == components())
paths = spark_hpc.graph.shortest_paths(edges, ["v00"], src="source", dst="target")
print("result paths", paths.columns, paths.filter("id = 'v00'").collect())
several = spark_hpc.graph.personalized_pageranks(numbers, [0, 1], iterations=3)
print("result several", several.groupBy("source").sum("pagerank").orderBy("source").collect())
mistakes = sys.argv[1:]
for other in mistakes[:-1]:
    try:
        make(other)
    except Refused:
        # As Python does if nobody catches it.
        sys.excepthook(*sys.exc_info())
for last in mistakes[-1:]:
    make(last)
spark.stop()
