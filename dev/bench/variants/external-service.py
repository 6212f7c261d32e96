"""Stock Spark with its external shuffle service: map outputs stay when their executor is lost."""

from hpcbench import BENCH
from hpcbench.variant import Variant

VARIANT = Variant(
    about="stock Spark with the external shuffle service",
    home="dist-stock",
    start=(str(BENCH / "servers" / "external-service"), "{run}"),
)
