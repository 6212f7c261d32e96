"""Spark-HPC at a site: its installation, its settings, and Spark inside a scheduler's allocation.

Standard library only, and no newer Python than 3.6: that is RHEL 8's own.
"""
