"""Stock Spark with MEMORY_AND_DISK written by hand wherever the program caches."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="stock Spark with storage level MEMORY_AND_DISK",
    home="dist-stock",
    options={"storage-level": "MEMORY_AND_DISK"},
)
