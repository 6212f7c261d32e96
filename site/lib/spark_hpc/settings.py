"""The settings of a site: each is declared here once, with its default, what it may be and what it
does. The page, the site file's text and every error are made from this."""

import collections

from spark_hpc import kinds

# `users` says whether a user's own file and --set may change it.
Setting = collections.namedtuple("Setting", "key default kind users text")

ALL = [
    Setting("driver.memory", "1g", kinds.BYTES, True,
            "The heap of the driver. It is kept free on the first node, where the driver runs."),
    Setting("encryption", "off", kinds.choice("off", "on"), True,
            "Whether what Spark sends, and what it writes to scratch, is encrypted."),
    Setting("event.log", "", kinds.PLACE_OR_NONE, True,
            "A directory in which each program leaves its event log, for spark-hpc history. All nodes must see "
            "it; start makes it, for its user alone. Without it, programs leave none."),
    Setting("executors.cores", "16", kinds.whole(1, 4096), True,
            "A node with more cores than this gets more than one executor. One was faster than several where "
            "that was measured, on 4 cores; 16 is chosen."),
    Setting("executors.per.node", "0", kinds.whole(0, 256), True,
            "How many executors each node gets; 0 leaves that to executors.cores."),
    Setting("java.home", "", kinds.PATH, True,
            "The Java that runs Spark. Without it, that of JAVA_HOME or else of PATH."),
    Setting("limits.files", "0", kinds.whole(0, 1 << 30), False,
            "How many files a process of Spark may have open; 0: as many as the node lets it."),
    Setting("limits.nodes", "4096", kinds.whole(1, 100000), False,
            "The most nodes of one cluster."),
    Setting("log.level", "WARN", kinds.choice("ERROR", "WARN", "INFO", "DEBUG"), True,
            "What drivers that spark-hpc starts print of their log: this level and what is graver; --verbose "
            "shows INFO. A log4j2 file in the user's SPARK_CONF_DIR takes its place. Executors' logs have all "
            "from INFO on."),
    Setting("login.cores", "2", kinds.whole(1, 4096), False,
            "The cores of a cluster on a login node where login.policy is limit."),
    Setting("login.memory", "4g", kinds.BYTES, False,
            "The memory of a cluster on a login node where login.policy is limit."),
    Setting("login.policy", "auto", kinds.choice("auto", "refuse", "limit", "allow"), False,
            "What spark-hpc start does where it isn't in an allocation, as on a login node: refuse, "
            "a cluster of login.cores and login.memory on that host, or one of the whole host. auto refuses "
            "where a scheduler's srun, qsub, bsub or flux is on PATH, and allows elsewhere, as on a "
            "workstation."),
    Setting("memory.overhead", "0.15", kinds.share(0, 0.9), True,
            "The share of an executor's memory that isn't heap: JVM, network buffers, Python."),
    Setting("module.conflict", "spark", kinds.MODULES, False,
            "Modules that ours can't be loaded beside, besides its own other versions."),
    Setting("module.family", "spark", kinds.MODULE, False,
            "The family of our module: only one module of a family is loaded."),
    Setting("module.load", "", kinds.MODULES, False,
            "Modules that ours loads first, such as java/17."),
    Setting("module.name", "spark-hpc", kinds.MODULE, False,
            "The name of our module; the version comes behind it."),
    Setting("network.interfaces", "hsn*, ib*, bond*, e*", kinds.PATTERNS, True,
            "Names of network interfaces, the best first: the first that a node has, with an IPv4 "
            "address, carries Spark's traffic."),
    Setting("network.ports", "any", kinds.PORTS, False,
            "The ports that Spark listens on, where a firewall between the nodes wants to know."),
    Setting("python", "python3", kinds.PROGRAM, True,
            "The Python of PySpark's driver and workers. Where PYSPARK_PYTHON is set, that is used."),
    Setting("run.directory", "$HOME/.spark-hpc", kinds.PLACE, True,
            "Where each job has a directory for its settings, its secret and its logs. All nodes "
            "must see it; only its user can. Set it in a file: every command has to find it."),
    Setting("run.keep", "20", kinds.whole(0, 100000), True,
            "The logs of how many ended jobs are kept."),
    Setting("scratch.tiers", "$SLURM_TMPDIR, $TMPDIR, /tmp, $SCRATCH", kinds.PATHS, True,
            "Directories for scratch, of each kind the best first. Those that can be written on a node, one "
            "for each file system, are its tiers: memory, then its disks, then what other nodes see as well. "
            "Spark's own files go to the first disk; without one to memory, or else to the first of all. "
            "One whose variable isn't set is passed over."),
    Setting("shuffle.directory", "$SCRATCH", kinds.STRIPED_PLACE, True,
            "A directory that all nodes see, in which each job gets one of its own: there programs that set "
            "spark.hpc.shuffle.placement=global have their map outputs. It is passed over where its variable "
            "isn't set, and where it can't be written. ?stripes=4 says over how many targets of a Lustre "
            "their files are spread (-1: all); without it, over 4 if the directory has Lustre's own default "
            "layout."),
    Setting("stage.tiers", "$SLURM_TMPDIR, $TMPDIR, /tmp, /dev/shm", kinds.PATHS, True,
            "Directories for the copies that start --stage makes, the best first: the first that is "
            "the node's own (a disk or memory), has room and isn't mounted noexec is used there."),
    Setting("start.seconds", "120", kinds.whole(5, 3600), True,
            "How long spark-hpc start waits for the nodes."),
    Setting("stop.seconds", "20", kinds.whole(1, 3600), True,
            "How long Spark's processes have for ending in order. It should be shorter than what "
            "the scheduler leaves between SIGTERM and SIGKILL: Slurm's KillWait, often 30."),
]

BY_KEY = {setting.key: setting for setting in ALL}
