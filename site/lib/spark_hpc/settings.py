"""The settings of a site: each is declared here once, with its default, its values and its effect. The page,
the site file's text and every error are made from these declarations."""

import collections

from spark_hpc import kinds

# `users` says whether a user's own file and --set may change it.
Setting = collections.namedtuple("Setting", "key default kind users text")

ALL = [
    Setting("driver.memory", "1g", kinds.BYTES, True,
            "The heap of the driver. It is kept free on the first node, where the driver runs."),
    Setting("encryption", "off", kinds.choice("off", "on"), True,
            "Whether Spark's network traffic and its files in scratch are encrypted."),
    Setting("event.log", "", kinds.PLACE_OR_NONE, True,
            "A directory in which each program leaves its event log, for spark-hpc report and history. All nodes must see "
            "it; start makes it, for its user alone. Without it, programs leave none."),
    Setting("executors.cores", "16", kinds.whole(1, 4096), True,
            "A node with more cores than this gets more than one executor. On 4 cores, one executor was measured "
            "to be faster than several; 16 is chosen."),
    Setting("executors.per.node", "0", kinds.whole(0, 256), True,
            "How many executors each node gets; 0 leaves that to executors.cores."),
    Setting("java.home", "", kinds.PATH, True,
            "The Java that runs Spark. Without it, the Java of JAVA_HOME, or else of PATH."),
    Setting("limits.files", "0", kinds.whole(0, 1 << 30), False,
            "How many files a process of Spark may have open; 0: as many as the node allows."),
    Setting("limits.nodes", "4096", kinds.whole(1, 100000), False,
            "The most nodes of one cluster."),
    Setting("log.level", "WARN", kinds.choice("ERROR", "WARN", "INFO", "DEBUG"), True,
            "Drivers that spark-hpc starts print log lines of this level and above; --verbose shows INFO. A log4j2 "
            "file in the user's SPARK_CONF_DIR takes its place. Executors' logs always have INFO and above."),
    Setting("login.cores", "2", kinds.whole(1, 4096), False,
            "The cores of a cluster on a login node where login.policy is limit."),
    Setting("login.memory", "4g", kinds.BYTES, False,
            "The memory of a cluster on a login node where login.policy is limit."),
    Setting("login.policy", "auto", kinds.choice("auto", "refuse", "limit", "allow"), False,
            "What spark-hpc start does outside an allocation, as on a login node: refuse starts none; limit "
            "starts a cluster of login.cores and login.memory on that host; allow starts one of the whole host. "
            "auto refuses if a scheduler's srun, qsub, bsub or flux is on PATH, and allows elsewhere, as on a "
            "workstation."),
    Setting("memory.overhead", "0.15", kinds.share(0, 0.9), True,
            "The share of an executor's memory that isn't heap: JVM, network buffers, Python."),
    Setting("module.conflict", "spark", kinds.MODULES, False,
            "Modules that conflict with ours, in addition to its own other versions."),
    Setting("module.family", "spark", kinds.MODULE, False,
            "The family of our module: only one module of a family is loaded."),
    Setting("module.load", "", kinds.MODULES, False,
            "Modules that ours loads first, such as java/17."),
    Setting("module.name", "spark-hpc", kinds.MODULE, False,
            "The name of our module; the version follows it."),
    Setting("network.interfaces", "hsn*, ib*, bond*, e*", kinds.PATTERNS, True,
            "Names of network interfaces, the best first: the first that a node has, with an IPv4 "
            "address, carries Spark's traffic."),
    Setting("network.ports", "any", kinds.PORTS, False,
            "The ports that Spark listens on, for a firewall between the nodes."),
    Setting("python", "python3", kinds.PROGRAM, True,
            "The Python of PySpark's driver and workers. Where PYSPARK_PYTHON is set, that is used."),
    Setting("run.directory", "$HOME/.spark-hpc", kinds.PLACE, True,
            "Where each job has a directory for its settings, its secret and its logs. All nodes must see it; "
            "only its user can read it. Set it in a file, because every command has to find it."),
    Setting("run.keep", "20", kinds.whole(0, 100000), True,
            "How many ended jobs' logs are kept."),
    Setting("scratch.tiers", "$SLURM_TMPDIR, $TMPDIR, /tmp, $SCRATCH", kinds.PATHS, True,
            "Directories for scratch, within each kind the best first. Those that can be written on a node, one "
            "for each file system, are its tiers: memory, then its disks, then shared file systems. Spark's own "
            "files go to the first disk; without a disk, to memory; without memory, to the first tier. A directory "
            "whose variable isn't set is passed over."),
    Setting("shuffle.directory", "$SCRATCH", kinds.STRIPED_PLACE, True,
            "A directory that all nodes see. Each job gets a directory in it, for the map outputs of programs that "
            "set spark.hpc.shuffle.placement=global. It is passed over if its variable isn't set or it can't be "
            "written. ?stripes=4 spreads the files over 4 Lustre targets (-1: all); without it, they are spread "
            "over 4 if the directory has Lustre's own default layout."),
    Setting("stage.tiers", "$SLURM_TMPDIR, $TMPDIR, /tmp, /dev/shm", kinds.PATHS, True,
            "Directories for the copies that start --stage makes, the best first: the first that is "
            "the node's own (a disk or memory), has room and isn't mounted noexec is used there."),
    Setting("start.seconds", "120", kinds.whole(5, 3600), True,
            "How long spark-hpc start waits for the nodes."),
    Setting("stop.seconds", "20", kinds.whole(1, 3600), True,
            "How long Spark's processes may take to end in order. It should be shorter than the scheduler's time "
            "between SIGTERM and SIGKILL: Slurm's KillWait, often 30."),
]

BY_KEY = {setting.key: setting for setting in ALL}
