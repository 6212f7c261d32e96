"""Shuffle services of other projects. Their clients come from Maven Central. Their servers aren't there: whoever measures
provides them, and says where in one of two environment variables.

HPC_BENCH_NAME=HOST:PORT names servers that run already; then nobody measures their memory and CPU time.
HPC_BENCH_NAME_SERVERS=PROGRAM starts them: `PROGRAM start DIRECTORY` prints HOST:PORT as its last line and ends, `PROGRAM
stop DIRECTORY` ends them. They should keep their data in DIRECTORY, which is new, and be ready when `start` ends.
"""

import dataclasses
import os
import re
import subprocess
import sys

from . import BENCH, maven
from .refusal import Refusal

PROGRAM = str(BENCH / "servers" / "service")
ADDRESS = re.compile(r"[^\s:]+:\d+")


@dataclasses.dataclass(frozen=True)
class Service:
    # GROUP:ARTIFACT of the client; dev/e2e/pom.xml has its version.
    client: str
    # The setting for the address of the server that clients ask first.
    address: str


SERVICES = {
    "celeborn": Service("org.apache.celeborn:celeborn-client-spark-3-shaded_2.12", "spark.celeborn.master.endpoints"),
    "uniffle": Service("org.apache.uniffle:rss-client-spark3-shaded", "spark.rss.coordinator.quorum"),
}


def variables(name):
    """Returns the names of the two environment variables."""
    return f"HPC_BENCH_{name.upper()}", f"HPC_BENCH_{name.upper()}_SERVERS"


def commands(name):
    """Returns the start and the stop command of the service's variant, as arguments of Variant."""
    return {verb: (PROGRAM, name, verb, "{shared}/servers") for verb in ("start", "stop")}


def start(name, directory):
    """Returns the settings of an application that uses the service."""
    address = _address(name, directory)
    its = SERVICES[name]
    number = maven.version("dev/e2e/pom.xml", rf"<{name}\.version>([^<]+)</{name}\.version>")
    jar = str(maven.jar(f"{its.client}:{number}"))
    return {its.address: address, "spark.driver.extraClassPath": jar, "spark.executor.extraClassPath": jar}


def _address(name, directory):
    running, starting = variables(name)
    program = os.environ.get(starting)
    if program:
        os.makedirs(directory, exist_ok=True)
        said = _call(program, "start", directory)
        found, where = said[-1] if said else "nothing", f"{program} start"
    else:
        found, where = os.environ.get(running), running
    if not found:
        raise Refusal(f"{name}: its servers aren't on Maven Central; set {running}=HOST:PORT of running ones, or "
                      f"{starting}=PROGRAM that starts them (docs/benchmark.md)")
    if not ADDRESS.fullmatch(found):
        raise Refusal(f"{where}: HOST:PORT is wanted, not {found}")
    return found


def stop(name, directory):
    program = os.environ.get(variables(name)[1])
    if program:
        _call(program, "stop", directory)


def _call(program, verb, directory):
    """Returns the lines that the program prints. Servers may keep its output open, so it goes to a file."""
    log = f"{directory}/{verb}.log"
    with open(log, "w+", encoding="utf-8") as out:
        code = subprocess.run([program, verb, directory], stdin=subprocess.DEVNULL, stdout=out, check=False).returncode
        out.seek(0)
        lines = out.read().split("\n")
    os.unlink(log)
    if code != 0:
        raise Refusal(f"{program} {verb}: exit code {code}")
    return [line.strip() for line in lines if line.strip()]


def main(words):
    try:
        name, verb, directory = words
        if verb == "stop":
            stop(name, directory)
        else:
            for key, value in start(name, directory).items():
                print(f"{key}={value}")
    except (Refusal, OSError) as failure:
        print(failure)
        return 2
    return 0


def run():
    sys.exit(main(sys.argv[1:]))
