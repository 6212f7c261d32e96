"""A driver's output: log lines from log.level up, and on a terminal a progress bar of its tasks.

The level is set in Log4j2's own file. No other place applies from the start, and to the driver alone:
spark.log.level takes effect only when the SparkContext starts, and executors inherit it. The file is the
distribution's template with another level. A log4j2 file of the user's own is left as it is.
"""

import os
import re

from spark_hpc import private

FILE = "log4j2.properties"
_TEMPLATE = FILE + ".template"
_LEVEL = re.compile(r"(?m)^(rootLogger\.(?:appenderRef\.\w+\.)?level *=).*$")
# The template's lines for single loggers, which show or hide output whatever the root level is.
_LOGGER = re.compile(r"(?m)^logger\..*\n")
# The loggers that give Spark's shells their level.
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
    """Writes the file into a driver's configuration directory, unless the user has a log4j2 file there."""
    path = os.path.join(directory, FILE)
    if os.path.isfile(path) and not os.path.islink(path):
        os.unlink(path)
    if any(name.startswith("log4j2") for name in os.listdir(directory)):
        return
    try:
        with open(os.path.join(home, "conf", _TEMPLATE), encoding="utf-8") as f:
            private.write(path, text(f.read(), level))
    except FileNotFoundError:
        pass  # another Spark that was patched may have no template


def defaults(level, is_terminal):
    """[lines of spark-defaults.conf], which stand before the user's. Between log lines, a progress bar is
    useless."""
    return ["spark.ui.showConsoleProgress true"] if is_terminal and level in _QUIET else []
