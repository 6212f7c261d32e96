"""Stock Spark with Celeborn, whose servers HPC_BENCH_CELEBORN or HPC_BENCH_CELEBORN_SERVERS provides."""

from hpcbench import services
from hpcbench.variant import Variant

VARIANT = Variant(
    about="stock Spark with Celeborn",
    home="dist-stock",
    settings={
        "spark.shuffle.manager": "org.apache.spark.shuffle.celeborn.SparkShuffleManager",
        # Spark then knows that outputs outlive their executor.
        "spark.shuffle.sort.io.plugin.class": "org.apache.spark.shuffle.celeborn.CelebornShuffleDataIO",
        # The only one with which Celeborn may move serialized records.
        "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
    },
    **services.commands("celeborn"),
)
