"""Counts words with Zipf's frequencies: map-side sums keep the shuffle small (HiBench, PUMA)."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="counts words of generated text; maps, lines and words set the work",
    main="org.apache.spark.examples.hpc.WordCount",
    options={"maps": "16", "reduces": "16", "lines-per-map": "2000", "words-per-line": "100",
             "vocabulary": "100000"},
    partitions=("maps", "reduces"),
)
