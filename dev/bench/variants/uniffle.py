"""Stock Spark with Uniffle, whose servers HPC_BENCH_UNIFFLE or HPC_BENCH_UNIFFLE_SERVERS provides."""

from hpcbench import services
from hpcbench.variant import Variant

VARIANT = Variant(
    about="stock Spark with Uniffle",
    home="dist-stock",
    settings={
        "spark.shuffle.manager": "org.apache.spark.shuffle.RssShuffleManager",
        # Spark then knows that outputs outlive their executor.
        "spark.shuffle.sort.io.plugin.class": "org.apache.spark.shuffle.RssShuffleDataIo",
        "spark.rss.storage.type": "MEMORY_LOCALFILE",
        # The only one with which Uniffle may move serialized records.
        "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
    },
    **services.commands("uniffle"),
)
