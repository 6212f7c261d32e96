"""Starts a MooseFS of its own, from Debian's packages but without their services: everything is
below one base directory and in one private network namespace.

    10.77.0.1      master and chunk servers (a chunk server refuses 127/8)
    10.77.0.2      the delaying proxy, where there is one
    10.77.1.N      node N's mount: the proxy tells by this address whose request it is
"""

import os
import shutil
import time

from fsbed import daemons
from fsbed.daemons import PATIENCE

SERVER = "10.77.0.1"
PROXY = "10.77.0.2"
CLIENT_PORT = 9421
EMPTY_METADATA = "/var/lib/mfs/metadata.mfs.empty"


def node_address(node):
    return f"10.77.1.{node}"


def addresses(nodes):
    return [f"{a}/32" for a in (SERVER, PROXY, *map(node_address, range(nodes)))]


class Daemons(daemons.Daemons):
    def _common(self, data):
        # Run as the caller, who owns the data, and with no more priority than anything else here.
        return {"WORKING_USER": "root", "WORKING_GROUP": "root", "NICE_LEVEL": 0,
                "DISABLE_OOM_KILLER": 0, "DATA_PATH": self.at(data)}

    def _configure(self, name, settings):
        path = self.at(f"{name}.cfg")
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(f"{key} = {value}\n" for key, value in settings.items())
        return path

    def start_servers(self, chunk_servers):
        """Starts master and chunk servers, and waits until the master knows all chunk servers."""
        os.mkdir(self.at("master"))
        shutil.copy(EMPTY_METADATA, self.at("master", "metadata.mfs"))
        exports = self._configure("exports", {})
        with open(exports, "w", encoding="utf-8") as f:
            f.write("* / rw,alldirs,admin,maproot=0:0\n* . rw\n")
        listen = {f"{who}_LISTEN_HOST": SERVER for who in ("MATOML", "MATOCS", "MATOCL")}
        configuration = self._configure("master", {
            **self._common("master"), **listen, "EXPORTS_FILENAME": exports})
        # -a: after a kill, it restores its metadata from its logs.
        master = self.serve("master", "mfsmaster", "-f", "-a", "-c", configuration, "start")
        self.await_log(master, "master", "daemon initialized properly")
        for n in range(chunk_servers):
            self._start_chunk_server(n)
        self.await_log(master, "master", "chunkserver register end", chunk_servers)

    def _start_chunk_server(self, n):
        name = f"chunkserver-{n}"
        os.mkdir(self.at(name))
        os.mkdir(self.at(f"chunks-{n}"))
        disks = self._configure(f"disks-{n}", {})
        with open(disks, "w", encoding="utf-8") as f:
            f.write(self.at(f"chunks-{n}") + "\n")
        configuration = self._configure(name, {
            **self._common(name), "HDD_CONF_FILENAME": disks, "HDD_LEAVE_SPACE_DEFAULT": "256MiB",
            "MASTER_HOST": SERVER, "CSSERV_LISTEN_HOST": SERVER, "CSSERV_LISTEN_PORT": 9500 + n})
        self.serve(name, "mfschunkserver", "-f", "-c", configuration, "start")

    def start_proxy(self, program, control, nodes, seed):
        process = self.spawn("proxy", program, control, PROXY, SERVER, str(CLIENT_PORT),
                             node_address(0), str(nodes), str(seed))
        self.wait_for(lambda: os.path.exists(control), process, "proxy")

    def mount(self, node, mount_point, master):
        """Mounts with the default cache times: with a longer one for names, a remote rename was stale."""
        self.run(f"mount-{node}", "mfsmount", mount_point, "-H", master, "-P", str(CLIENT_PORT),
                 "-B", node_address(node), "-o", "mfsnice=0,mfsallowoomkiller,max_threads=64")

    def set_up(self, mount_point):
        """Sets one copy of each chunk, no trash, and write permission for everybody. The tools run in the
        namespace, where they reach the mount by its loopback: elsewhere they would silently change nothing."""
        for _ in range(100 * PATIENCE):
            if os.statvfs(mount_point).f_blocks > 0:
                break
            time.sleep(0.01)
        self.run("tools", "mfssetgoal", "-r", "1", mount_point)
        self.run("tools", "mfssettrashtime", "-r", "0", mount_point)
        os.chmod(mount_point, 0o1777)
