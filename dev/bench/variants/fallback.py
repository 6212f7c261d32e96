"""Stock Spark whose executor is decommissioned after the map stage: it copies its map outputs to
the shared file system (FallbackStorage), and a new executor reads them from there."""

from hpcbench.variant import Trigger, Variant

VARIANT = Variant(
    about="stock Spark with FallbackStorage; run it with --executors 1",
    home="dist-stock",
    settings={
        "spark.decommission.enabled": "true",
        "spark.storage.decommission.enabled": "true",
        "spark.storage.decommission.shuffleBlocks.enabled": "true",
        # Blocks go there only if no other executor can take them.
        "spark.storage.decommission.fallbackStorage.path": "file://{shared}/fallback/",
        "spark.storage.decommission.fallbackStorage.cleanUp": "true",
        # An executor ends only after its next check for blocks, by default 30 s later.
        "spark.storage.decommission.replicationReattemptInterval": "1s",
    },
    trigger=Trigger("ShuffleMapStage 0 .* finished", ("kill", "-PWR", "{executors}")),
)
