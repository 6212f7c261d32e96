"""Lists the lines of each word: every word of the text is shuffled (PUMA)."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="lists the lines that each word of generated text is in",
    main="org.apache.spark.examples.hpc.InvertedIndex",
    options={"maps": "16", "reduces": "16", "lines-per-map": "1000", "words-per-line": "100",
             "vocabulary": "100000"},
    partitions=("maps", "reduces"),
)
