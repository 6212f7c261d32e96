"""What a driver prints: its log from log.level on, and on a terminal a bar of its tasks' progress.

Log4j2's own file is the only place that holds from the start, and for the driver alone: spark.log.level
begins with the SparkContext, and executors take it over. The file is the distribution's template with another
level. A log4j2 file of the user's own is left as it is.
"""

import os
import re

from spark_hpc import private

FILE = "log4j2.properties"
_TEMPLATE = FILE + ".template"
_LEVEL = re.compile(r"(?m)^(rootLogger\.(?:appenderRef\.\w+\.)?level *=).*$")
# What says which lines are shown, or not, besides the level.
_LOGGER = re.compile(r"(?m)^logger\..*\n")
# Those that a shell has its level from.
_SHELLS = ("org.apache.spark.repl.Main", "org.apache.spark.api.python.PythonGatewayServer",
           "org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver")
_QUIET = ("ERROR", "WARN")


def text(template, level):
    if level not in _QUIET:
        template = _LOGGER.sub("", template)
    shells = "".join(f"logger.shell{number}.name = {name}\nlogger.shell{number}.level = {level.lower()}\n"
                     for number, name in enumerate(_SHELLS))
    return _LEVEL.sub(rf"\1 {level.lower()}", template).rstrip("\n") + "\n\n# By log.level.\n" + shells


def write(home, directory, level):
    """Into a driver's configuration directory, unless what the user has is there."""
    path = os.path.join(directory, FILE)
    if os.path.isfile(path) and not os.path.islink(path):
        os.unlink(path)
    if any(name.startswith("log4j2") for name in os.listdir(directory)):
        return
    try:
        with open(os.path.join(home, "conf", _TEMPLATE), encoding="utf-8") as f:
            private.write(path, text(f.read(), level))
    except FileNotFoundError:
        pass  # such as in another Spark that was patched


def defaults(level, is_terminal):
    """[lines of spark-defaults.conf], which the user's come after. A bar between log lines is no use."""
    return ["spark.ui.showConsoleProgress true"] if is_terminal and level in _QUIET else []
