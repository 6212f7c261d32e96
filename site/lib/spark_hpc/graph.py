"""Algorithms of graphs whose edges are the rows of a DataFrame. The results are DataFrames, too.

    import spark_hpc.graph

    ranks = spark_hpc.graph.pagerank(edges, src="from", dst="to", iterations=20)

Each row is an edge from the vertex in column `src` to the vertex in column `dst`. Vertices are whole numbers
from 0, or strings. A function computes when it is called, with GraphX in the executors: no row passes through
Python. What it returns stays cached until the program drops it. A mistake is refused before that, in one line.
"""

import functools

from spark_hpc import uncaught
from spark_hpc.refused import Refused


def _refusing(function):
    """Makes a Refused of what Spark says of a mistake, with the function's name."""

    @functools.wraps(function)
    def refusing(edges, *args, **kwargs):
        uncaught.say_in_one_line()
        try:
            # Inside, since PySpark may be one that spark_hpc.cluster() found.
            from pyspark.sql.utils import AnalysisException, IllegalArgumentException
            if not hasattr(edges, "_jdf"):
                raise Refused(f"edges is a {type(edges).__name__}: give a DataFrame of a SparkSession in this "
                              "process, not of Spark Connect or pandas")
            try:
                return function(edges, *args, **kwargs)
            except (AnalysisException, IllegalArgumentException) as mistake:
                raise Refused(str(mistake)) from None
        except Refused as mistake:
            raise Refused(f"graph.{function.__name__}: {mistake}") from None

    return refusing


@_refusing
def pagerank(edges, src="src", dst="dst", iterations=None, tolerance=None, reset=0.15, source=None):
    """PageRank: columns `id`, `pagerank`. The ranks' sum is the number of vertices.

    It ends after `iterations` (20), or, if `tolerance` is given, when no rank has changed by more. `reset` is
    the probability to begin again, at any vertex. With `source`, a vertex, ranks are personalised: each walk
    begins there, and the ranks' sum is 1.
    """
    if tolerance is None:
        return _table(edges, src, dst, "pageRank", _whole(iterations), _number("reset", reset), source)
    if iterations is not None:
        raise Refused("both iterations and tolerance are given: leave one of them out")
    return _table(edges, src, dst, "pageRankUntilConvergence", _number("tolerance", tolerance),
                  _number("reset", reset), source)


@_refusing
def personalized_pageranks(edges, sources, src="src", dst="dst", iterations=None, reset=0.15):
    """PageRank personalised for each of the vertices in the list `sources`: columns `id`, `source`, `pagerank`."""
    return _table(edges, src, dst, "personalizedPageRanks", list(sources), _whole(iterations),
                  _number("reset", reset))


@_refusing
def connected_components(edges, src="src", dst="dst"):
    """The connected components, whichever way edges lead: columns `id`, `component`.

    A component's name is its least vertex.
    """
    return _table(edges, src, dst, "connectedComponents")


@_refusing
def shortest_paths(edges, landmarks, src="src", dst="dst"):
    """How many edges lead from a vertex to each of the `landmarks` that it reaches: columns `id`, `landmark`,
    `distance`."""
    return _table(edges, src, dst, "shortestPaths", list(landmarks))


def _whole(iterations):
    if iterations is None:
        return 20
    if isinstance(iterations, bool) or not isinstance(iterations, int) or iterations > 2 ** 31 - 1:
        raise Refused(f"iterations is {iterations!r}: write a whole number above 0")
    return iterations


def _number(parameter, value):
    try:
        return float(value)
    except (TypeError, ValueError):
        raise Refused(f"{parameter} is {value!r}: write a number") from None


def _table(edges, src, dst, algorithm, *args):
    from pyspark.sql import DataFrame
    of = edges.sparkSession._jvm.org.apache.spark.sql.hpc.graph.EdgeTable
    # What Py4J gives for a class that isn't there.
    if type(of).__name__ == "JavaPackage":
        raise Refused("this Spark has no spark-hpc-sql jar: use that of the Spark-HPC distribution, by "
                      "spark_hpc.cluster() or spark-hpc submit")
    return DataFrame(getattr(of(edges._jdf, src, dst), algorithm)(*args), edges.sparkSession)
