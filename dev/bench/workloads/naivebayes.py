"""MLlib's naive Bayes: one pass over documents that sums by class (HiBench)."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="MLlib's naive Bayes of generated documents",
    main="org.apache.spark.examples.hpc.NaiveBayes",
    options={"documents": "30000", "classes": "10", "vocabulary": "10000",
             "words-per-document": "100", "partitions": "16"},
    partitions=("partitions",),
)
