"""Starts a CephFS of its own, from Debian's packages but without their services: everything is below one base directory
and in one private network namespace.

Monitor, manager, metadata server and object servers have the address 10.79.0.1, and mounts any. Objects are in the memory of the object servers. There is one copy of each, and nobody has to prove who he is.
"""

import os
import uuid

from fsbed import daemons, mounts
from fsbed.refused import Refused

SERVER = "10.79.0.1"
PORT = 6789
POOLS = ("metadata", "data")
GROUPS = "8"  # placement groups of a pool
TRIES = 5

CONFIGURATION = """\
[global]
fsid = {fsid}
mon_host = {server}:{port}
public_addr = {server}
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
keyring = {base}/keyring
run_dir = {base}
log_file = {base}/log/$name.log
admin_socket = {base}/$name.$pid.asok
mon_data = {base}/mon
mgr_data = {base}/mgr
mds_data = {base}/mds
osd_data = {base}/osd-$id
osd_objectstore = memstore
memstore_device_bytes = {capacity}
osd_failsafe_full_ratio = 100
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
mon_data_avail_warn = 2
mon_data_avail_crit = 1
"""


class Daemons(daemons.Daemons):
    def __init__(self, base, namespace):
        super().__init__(base, namespace)
        self._configuration = self.at("ceph.conf")

    def configure(self, capacity):
        """`capacity` is that of an object server in bytes."""
        fsid = str(uuid.uuid4())
        with open(self._configuration, "w", encoding="utf-8") as f:
            f.write(CONFIGURATION.format(fsid=fsid, server=SERVER, port=PORT, base=self.at(), capacity=capacity))
        with open(self.at("keyring"), "w", encoding="utf-8"):
            pass
        self.run("monmap", "monmaptool", "--create", "--add", "a", f"{SERVER}:{PORT}", "--fsid", fsid, self.at("monmap"))

    def start_servers(self, object_servers):
        for name in ("mon", "mgr", "mds", *(f"osd-{n}" for n in range(object_servers))):
            os.mkdir(self.at(name))
        self._make("mon", "a", "--monmap", self.at("monmap"))
        self._start("mon", "a")
        for n in range(object_servers):
            own = str(uuid.uuid4())
            self._tell("osd", "new", own, str(n))
            self._make("osd", str(n), "--osd-uuid", own)
            _again(lambda n=n: self._start_object_server(n))
        # Only a manager knows how much room there is.
        self._start("mgr", "a")
        for pool in POOLS:
            self._tell("osd", "pool", "create", pool, GROUPS)
        self._tell("fs", "new", "cephfs", *POOLS)
        metadata_server = self._start("mds", "a")
        self.wait_for(lambda: "=up:active" in self._tell("mds", "stat"), metadata_server, "mds.a")

    def _start_object_server(self, n):
        server = self._start("osd", str(n))
        self.wait_for(lambda: f" {n + 1} up" in self._tell("osd", "stat"), server, f"osd.{n}")

    def mount(self, node, mount_point):
        name = f"mount-{node}"
        client = self.spawn(name, "ceph-fuse", "--conf", self._configuration, "--name", "client.admin", "--foreground",
                            mount_point)
        self.wait_for(lambda: mounts.is_mounted(mount_point) and os.statvfs(mount_point).f_blocks > 0, client, name)

    def _make(self, kind, number, *options):
        self.run(f"make-{kind}.{number}", *self._program(kind, number), "--mkfs", *options)

    def _start(self, kind, number):
        return self.serve(f"{kind}.{number}", *self._program(kind, number), "--foreground")

    def _program(self, kind, number):
        return [f"ceph-{kind}", "--conf", self._configuration, "--id", number]

    def _tell(self, *command):
        """Asks the monitor, and returns its last answer."""
        name = f"ceph-{'-'.join(command[:2])}"
        _again(lambda: self.run(name, "ceph", "--conf", self._configuration, "--connect-timeout", str(daemons.PATIENCE),
                                *command))
        with open(self.at("log", name), encoding="utf-8", errors="replace") as f:
            return (f.read().strip().splitlines() or [""])[-1]


def _again(start):
    """Starts something that may be refused: a program that asks the monitor before it knows the cluster's id is told that
    the id is wrong, or that it has no right to ask."""
    for _ in range(TRIES - 1):
        try:
            return start()
        except Refused:
            pass
    return start()
