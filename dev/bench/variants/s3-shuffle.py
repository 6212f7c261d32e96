"""Stock Spark with spark-s3-shuffle, which keeps map outputs in a shared directory. HPC_BENCH_S3_SHUFFLE_JAR names its
jar, which isn't on Maven Central."""

import os

from hpcbench.refusal import Refusal
from hpcbench.variant import Variant

JAR = os.environ.get("HPC_BENCH_S3_SHUFFLE_JAR", "")
if not os.path.isfile(JAR):
    raise Refusal(f"variant s3-shuffle: HPC_BENCH_S3_SHUFFLE_JAR is '{JAR}': set it to a jar of spark-s3-shuffle for "
                  "Spark 3.5, as its README says how to build")

VARIANT = Variant(
    about="stock Spark with spark-s3-shuffle on a shared directory",
    home="dist-stock",
    jars=(os.path.abspath(JAR),),
    settings={
        "spark.shuffle.manager": "org.apache.spark.shuffle.sort.S3ShuffleManager",
        "spark.shuffle.sort.io.plugin.class": "org.apache.spark.shuffle.S3ShuffleDataIO",
        "spark.shuffle.s3.rootDir": "file://{shared}/",
    },
)
