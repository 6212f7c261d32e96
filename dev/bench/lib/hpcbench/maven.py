"""Gets a jar of another project from Maven Central, with the ordinary client, at run time: none is in this repository."""

import os
import re
import shutil
import subprocess
import tempfile

from . import ROOT
from .refusal import Refusal

PLACE = ROOT / "target" / "bench" / "jars"


def version(pom, pattern):
    """Returns the version that a POM of this repository has, so that it is written once."""
    found = re.search(pattern, (ROOT / pom).read_text(encoding="utf-8"))
    if not found:
        raise Refusal(f"{pom}: nothing in it matches {pattern}")
    return found[1]


def jar(artifact):
    """Returns the file of GROUP:ARTIFACT:VERSION. It is got once."""
    _, name, number = artifact.split(":")
    file = PLACE / f"{name}-{number}.jar"
    if not file.is_file():
        PLACE.mkdir(parents=True, exist_ok=True)
        work = tempfile.mkdtemp(dir=PLACE)
        try:
            _copy(artifact, work)
            os.replace(os.path.join(work, file.name), file)
        finally:
            shutil.rmtree(work)
    return file


def _copy(artifact, directory):
    plugin = version("pom.xml", r"<artifactId>maven-dependency-plugin</artifactId>\s*<version>([^<]+)</version>")
    command = ["mvn", "-B", "-q", f"org.apache.maven.plugins:maven-dependency-plugin:{plugin}:copy",
               f"-Dartifact={artifact}", f"-DoutputDirectory={directory}"]
    try:
        # Outside of this repository, or its build would be read first.
        ran = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Refusal(f"{artifact}: mvn isn't on the PATH; install Maven, or put the jar at {PLACE}") from None
    if ran.returncode != 0:
        said = [line.partition("ERROR] ")[2] for line in ran.stdout.splitlines() if "ERROR] " in line]
        raise Refusal(f"{artifact}: Maven can't get it: {said[0] if said else f'exit code {ran.returncode}'}")
