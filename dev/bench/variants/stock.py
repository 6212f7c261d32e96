"""Spark as published."""

from hpcbench.variant import Variant

VARIANT = Variant(about="Spark as published", home="dist-stock")
