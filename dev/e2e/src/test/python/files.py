"""Reads and writes files of an application that change all the time; prints "result NAME VALUE" lines.

files.py rounds DIRECTORY OTHER: tables and text files are appended to, overwritten, rewritten in place and deleted, by
tasks of this application, by this process and by a Spark at OTHER; after each change they are read again.
files.py read DIRECTORY: prints the sum of the table there.
files.py write DIRECTORY COUNT: writes a table of so many rows.
files.py append DIRECTORY COUNT: appends so many rows to the table.
files.py killed DIRECTORY COUNT: appends so many rows to the table; one task kills its executor while it writes.
files.py steps FILE: takes such words from lines that are appended to a file, until a line says "end". Results are
appended to FILE.said: after each step "result done", or "result failed" with the error.
files.py die DIRECTORY COUNT: appends so many rows in as many files; this program kills its driver's JVM as soon as the
first new file is in place.
"""

import contextlib
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

from pyspark.sql import SparkSession

FILES = 4


def spark():
    return SparkSession.builder.config("spark.sql.sources.partitionOverwriteMode", "dynamic").getOrCreate()


def rows(session, low, high):
    return session.range(low, high, 1, FILES).selectExpr("id", "id % 3 AS k")


class Table:
    """A partitioned table of numbers, and what it should hold."""

    def __init__(self, session, path):
        self.session, self.path, self.numbers = session, path, []
        self.append()

    def append(self):
        low = random.randrange(1000)
        rows(self.session, low, low + 20).write.partitionBy("k").mode("append").parquet(self.path)
        self.numbers += range(low, low + 20)

    def overwrite(self):
        # Only the partition that has new rows is replaced.
        low = 3 * random.randrange(300)
        new = self.session.range(low, low + 60, 3, FILES).selectExpr("id", "id % 3 AS k")
        new.write.partitionBy("k").mode("overwrite").parquet(self.path)
        self.numbers = [number for number in self.numbers if number % 3 != 0] + list(range(low, low + 60, 3))

    def is_right(self):
        found = [row.id for row in self.session.read.parquet(self.path).select("id").collect()]
        return sorted(found) == sorted(self.numbers)


class Texts:
    """Files of one line, rewritten in place with another line of the same length."""

    def __init__(self, session, path):
        self.session, self.path, self.text = session, path, "a"
        os.makedirs(path)
        self.by_tasks()

    def by_tasks(self):
        self.text = random.choice("bcdefgh")
        path, text = self.path, self.text

        def write(numbers):
            for number in numbers:
                with open(f"{path}/{number}", "w", encoding="utf-8") as file:
                    file.write(f"{text} {number}\n")

        self.session.sparkContext.parallelize(range(FILES), FILES).foreachPartition(write)

    def by_driver(self):
        self.text = random.choice("ijklmn")
        for number in range(FILES):
            # A new file takes the place of the old one.
            with open(f"{self.path}/.new", "w", encoding="utf-8") as file:
                file.write(f"{self.text} {number}\n")
            os.replace(f"{self.path}/.new", f"{self.path}/{number}")

    def is_right(self):
        found = self.session.sparkContext.textFile(f"file://{self.path}", FILES).collect()
        return sorted(found) == [f"{self.text} {number}" for number in range(FILES)]


class Another:
    """Another Spark, which runs one step after the other."""

    def __init__(self, home, file):
        self.file = file
        submit = [os.path.join(home, "bin", "spark-submit"), "--master", "local[1]"]
        command = [*submit, "--conf", "spark.ui.enabled=false", __file__, "steps", file]
        for name in (file, f"{file}.said"):
            pathlib.Path(name).touch()
        self.said = open(f"{file}.said", encoding="utf-8")
        self.process = subprocess.Popen(command, env=self.environment())

    @staticmethod
    def environment():
        """Returns this process's environment without what says where its own Spark is."""
        own = ("SPARK_", "_SPARK_", "PYSPARK_", "PYTHONPATH")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(own)}
        return {**kept, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}

    def tell(self, *words):
        with open(self.file, "a", encoding="utf-8") as steps:
            steps.write(" ".join(map(str, words)) + "\n")

    def step(self, *words):
        """Returns the step's results."""
        self.tell(*words)
        results = []
        while (line := self.said.readline()) != "result done\n":
            if line.startswith("result failed ") or (not line and self.process.poll() is not None):
                raise RuntimeError(f"{words}: {line}")
            if line:
                results.append(line.strip())
            else:
                time.sleep(0.05)
        return results

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tell("end")
        self.process.wait()
        self.said.close()


def rounds(session, directory, other):
    random.seed(24)
    table, texts = Table(session, f"{directory}/table"), Texts(session, f"{directory}/texts")
    right = []
    for _ in range(6):
        random.choice([table.append, table.overwrite])()
        random.choice([texts.by_tasks, texts.by_driver])()
        for _ in range(2):
            right += [table.is_right(), texts.is_right()]
    say("rounds", right.count(False), "of", len(right), "wrong")
    with tempfile.TemporaryDirectory() as own, Another(other, f"{own}/steps") as another:
        shared(session, table, f"{directory}/others", another)
    say("checksum files", len(list(pathlib.Path(directory).glob("t*/**/.*.crc"))))


def shared(session, table, path, another):
    """A table that two Sparks change, of which the other one is stock Spark."""
    another.step("write", path, 10)
    say("another's", session.read.parquet(path).count())
    say("another's checksum files", any(pathlib.Path(path).glob(".*.crc")))
    for file in pathlib.Path(path).glob("*.parquet"):
        # As stock Spark leaves it when it is killed: its checksum file stays.
        file.unlink()
    session.range(0, 30).write.mode("append").parquet(path)
    table.session.read.parquet(table.path).repartition(1).write.mode("append").parquet(path)
    total = session.read.parquet(path).selectExpr("count(id)", "sum(id)").first()
    # Stock Spark verifies the checksum files that it finds.
    say("mine", another.step("read", path) == [f"result read {total[0]} {total[1]}"])


def brief(failure):
    """Returns the words of an error that tests look for. With its stack trace, log lines could come between."""
    words = ("does not exist", "is not a Parquet file", "Input/output error", "No space left on device",
             "Mkdirs failed to create", "Permission denied")
    said = str(failure)
    return next((word for word in words if word in said), " ".join(said.split())[:300])


def lost(session, directory):
    """A file that is deleted, replaced or cut off between the listing and the scan."""
    for change in ("deleted", "replaced", "cut off"):
        path = pathlib.Path(directory, "lost")
        session.range(0, 1000, 1, FILES).write.mode("overwrite").parquet(str(path))
        listed = session.read.parquet(str(path))
        listed.count()
        victim, another = sorted(path.glob("*.parquet"))[:2]
        if change == "deleted":
            victim.unlink()
        elif change == "replaced":
            (path / "new").write_bytes(another.read_bytes())
            (path / "new").replace(victim)
        else:
            os.truncate(victim, 100)
        try:
            say(change, *listed.selectExpr("count(id)", "count(DISTINCT id)").first())
        except Exception as failure:  # noqa: BLE001: its words are the result
            say(change, brief(failure))


def parent(process):
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def killed(session, directory, count):
    mark = f"{directory}-killed"

    def kill_once(numbers):
        for number in numbers:
            yield (number,)
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        # A worker's parent is PySpark's daemon, whose parent is the executor.
        os.kill(parent(os.getppid()), signal.SIGKILL)
        time.sleep(600)

    new = session.sparkContext.range(100, 100 + count, numSlices=2 * FILES).mapPartitions(kill_once)
    session.createDataFrame(new, "id long").write.mode("append").parquet(directory)
    os.unlink(mark)


def die(session, directory, count):
    before = set(os.listdir(directory))
    driver = os.getppid()

    def kill_at_the_first_file():
        while not any(name.startswith("part-") for name in set(os.listdir(directory)) - before):
            time.sleep(0.001)
        os.kill(driver, signal.SIGKILL)

    threading.Thread(target=kill_at_the_first_file, daemon=True).start()
    session.range(100, 100 + count, 1, count).write.mode("append").parquet(directory)


def say(*words):
    # In one piece, so that no log line comes between.
    sys.stdout.write(" ".join(["result", *map(str, words)]) + "\n")
    sys.stdout.flush()


def followed(file):
    """Yields the lines of a file as they are appended, until one says "end"."""
    with open(file, encoding="utf-8") as lines:
        while (line := lines.readline()) != "end\n":
            if line:
                yield line
            else:
                time.sleep(0.05)


def steps(session, file):
    with open(f"{file}.said", "a", encoding="utf-8") as said, contextlib.redirect_stdout(said):
        for line in followed(file):
            try:
                step(session, *line.split())
                say("done")
            except Exception as failure:  # noqa: BLE001: its words are the result
                say("failed", brief(failure))


def step(session, verb, directory, *words):
    if verb == "rounds":
        rounds(session, directory, words[0])
    elif verb == "lost":
        lost(session, directory)
    elif verb == "read":
        say("read", *session.read.parquet(directory).selectExpr("count(id)", "sum(id)").first())
    elif verb == "append":
        session.range(100, 100 + int(words[0]), 1, FILES).write.mode("append").parquet(directory)
    elif verb == "killed":
        killed(session, directory, int(words[0]))
    elif verb == "die":
        die(session, directory, int(words[0]))
    else:
        session.range(0, int(words[0]), 1, FILES).write.mode("overwrite").parquet(directory)


def main(verb, *words):
    session = spark()
    if verb == "steps":
        steps(session, *words)
    else:
        step(session, verb, *words)
    session.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
