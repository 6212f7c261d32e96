"""TeraSort: more bytes than any other workload here, in few large blocks."""

from hpcbench.workload import Step, Workload


def records(options):
    return Step("org.apache.spark.examples.hpc.TeraGen",
                ("--records", options["records"], "--files", options["maps"]))


WORKLOAD = Workload(
    about="TeraSort of --records records of 100 bytes, validated",
    main="org.apache.spark.examples.hpc.TeraSort",
    options={"records": "2000000", "maps": "16", "reduces": "16"},
    only_prepare=("records", "maps"),
    partitions=("reduces",),
    prepare=records,
    output="--output",
)
