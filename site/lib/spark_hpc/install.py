"""The command hpc-install: installs versions of Spark-HPC side by side below one prefix, without root.

    PREFIX/VERSION/                     the distribution, and its class-data archives
    PREFIX/modulefiles/NAME/VERSION     its module file; module use PREFIX/modulefiles
    PREFIX/conf/site.conf               the site's settings, for all versions; never overwritten

A version is installed and removed as a whole. No file in the prefix names the prefix, so the prefix can be
moved or copied. All users can read it, whatever the umask is.
"""

import argparse
import glob
import os
import re
import shutil
import sys
import tempfile

from spark_hpc import class_data, page, shipped, site_conf
from spark_hpc.modulefile import text as module_text
from spark_hpc.refused import Refused

_RELEASE = re.compile(r"Spark-HPC (\S+), Spark ")


def main(home, arguments, env):
    """The exit code."""
    parser = argparse.ArgumentParser(prog="hpc-install", description="Installs the distribution that "
                                     "contains it, beside other versions.")
    parser.add_argument("--prefix", required=True, metavar="DIR")
    parser.add_argument("--uninstall", metavar="VERSION", help="removes this version instead")
    class_data_too = parser.add_mutually_exclusive_group()
    class_data_too.add_argument("--class-data", dest="class_data", action="store_true", default=None,
                                help="makes Java's archives of Spark's classes anew, or fails; by default they "
                                "are made if this Java has made none yet: some minutes and 150 MB")
    class_data_too.add_argument("--no-class-data", dest="class_data", action="store_false",
                                help="makes none: starts take longer")
    options = parser.parse_args(arguments)
    try:
        prefix = Prefix(options.prefix)
        if options.uninstall:
            prefix.uninstall(options.uninstall)
        else:
            prefix.install(home, env, options.class_data)
    except Refused as why:
        print(f"hpc-install: {why}", file=sys.stderr)
        return 1
    except OSError as why:
        print(f"hpc-install: {why.filename or options.prefix}: {why.strerror}: choose a --prefix that "
              "you can write in, and where there is room", file=sys.stderr)
        return 1
    return 0


def version_of(home):
    """The version of the distribution `home`; None if it isn't one of Spark-HPC."""
    try:
        with open(os.path.join(home, "RELEASE"), encoding="utf-8") as f:
            match = _RELEASE.match(f.readline())
    except OSError:
        return None
    return match.group(1) if match else None


class Prefix:
    def __init__(self, path):
        self._path = os.path.abspath(path)
        self._site_file = self._at("conf", "site.conf")

    def _at(self, *names):
        return os.path.join(self._path, *names)

    def _conf(self):
        conf = site_conf.SiteConf()
        conf.read(self._site_file, users=False)
        return conf

    def versions(self):
        try:
            names = os.listdir(self._path)
        except FileNotFoundError:
            return []
        return sorted(name for name in names if version_of(self._at(name)) == name)

    def install(self, home, env, with_class_data):
        """Installs the version of `home`. If the version is installed already, this only rewrites its module
        file, from the site's current settings. Class data is made if with_class_data is True, or if it is
        None and the current Java has made none."""
        version = version_of(home)
        if version is None:
            raise Refused(f"{home} isn't a distribution of Spark-HPC: run hpc-install from one")
        if os.path.lexists(self._at(version)) and version not in self.versions():
            raise Refused(f"{self._at(version)} is there, but isn't Spark-HPC: remove it, or choose "
                          "another --prefix")
        conf = self._conf()
        os.makedirs(self._at("conf"), exist_ok=True)
        if not os.path.exists(self._site_file):
            _write(self._site_file, page.site_file())
        if version not in self.versions():
            self._copy(home, version)
        self._write_module(version, conf)
        if with_class_data:
            class_data.make(self._at(version), conf["java.home"], env, _say)
        elif with_class_data is None:
            self._make_class_data(self._at(version), conf["java.home"], env)
        for path in (self._path, self._at("conf")):
            _open_to_readers(path, 0o755)
        print(f"installed {self._at(version)}")
        print(f"settings  {self._site_file}")
        print(f"use it    module use {self._at('modulefiles')}; "
              f"module load {conf['module.name']}/{version}")

    @staticmethod
    def _make_class_data(there, java_home, env):
        """Makes class data unless it is there. A failure is only reported, because without it starts only
        take longer."""
        if class_data.why_not(there, java_home, env) is None:
            return
        try:
            class_data.make(there, java_home, env, _say)
        except (Refused, OSError) as why:
            print(f"hpc-install: without class data starts take longer, and none was made: {why}", file=sys.stderr)

    def _copy(self, home, version):
        work = tempfile.mkdtemp(prefix=f".{version}.", dir=self._path)
        try:
            new = os.path.join(work, version)
            others = shipped.left_out(home)
            if others:
                _say(f"left out  {', '.join(others)}: not of the distribution")
            shipped.copy(home, new, _say)
            os.symlink(os.path.join("..", "..", "conf", "site.conf"),
                       os.path.join(new, "conf", "site.conf"))
            os.rename(new, self._at(version))
        finally:
            shutil.rmtree(work)

    def _write_module(self, version, conf):
        py4j = glob.glob(os.path.join(glob.escape(self._at(version)), "python", "lib",
                                      "py4j-*-src.zip"))
        if len(py4j) != 1:
            raise Refused(f"{self._at(version)}/python/lib has {len(py4j)} py4j-*-src.zip: uninstall "
                          "this version, and install it from a whole distribution")
        directory = self._at("modulefiles", conf["module.name"])
        os.makedirs(directory, exist_ok=True)
        for path in (os.path.dirname(directory), directory):
            _open_to_readers(path, 0o755)
        _write(os.path.join(directory, version),
               module_text(version, os.path.basename(py4j[0]), conf))

    def uninstall(self, version):
        """Removes a version, and with the last version also the site's settings if nobody changed them."""
        if version not in self.versions():
            raise Refused(f"{self._path} has no version {version}, but "
                          f"{', '.join(self.versions()) or 'none at all'}: name one of these")
        # The module file goes first, and the version is renamed: nobody starts a half-removed version.
        for path in glob.glob(os.path.join(glob.escape(self._at("modulefiles")), "*", version)):
            os.unlink(path)
            _remove_if_empty(os.path.dirname(path), self._at("modulefiles"))
        gone = tempfile.mkdtemp(prefix=f".{version}.", dir=self._path)
        os.rename(self._at(version), os.path.join(gone, version))
        shutil.rmtree(gone)
        print(f"removed {self._at(version)}")
        if not self.versions():
            self._remove_settings()
            _remove_if_empty(self._at("conf"), self._path)

    def _remove_settings(self):
        with open(self._site_file, encoding="utf-8") as f:
            unchanged = f.read() == page.site_file()
        if unchanged:
            os.unlink(self._site_file)
        else:
            print(f"kept    {self._site_file}: it differs from the file that hpc-install writes")


def _say(text):
    print(text, flush=True)


def _write(path, content):
    new = path + ".new"
    with open(new, "w", encoding="utf-8") as f:
        f.write(content)
    _open_to_readers(new, 0o644)
    os.rename(new, path)


def _open_to_readers(path, mode):
    if os.stat(path).st_uid == os.getuid():
        os.chmod(path, mode)


def _remove_if_empty(*paths):
    for path in paths:
        try:
            os.rmdir(path)
        except OSError:
            return
