"""This host's network interfaces, their IPv4 addresses, and the choice of the address for Spark."""

import fcntl
import fnmatch
import socket
import struct

from spark_hpc.refused import Refused

SIOCGIFADDR = 0x8915  # linux/sockios.h


def addresses():
    """{name: address} of the interfaces that have an IPv4 address."""
    found = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(any_socket.fileno(), SIOCGIFADDR, request)
            except OSError:
                continue
            found[name] = socket.inet_ntoa(answer[20:24])
    return found


def choose(patterns, found):
    """The address of the first pattern that an interface matches; None if none matches. The loopback is
    chosen only by its name, because no other node can reach it."""
    for pattern in patterns:
        for name in sorted(found):
            if fnmatch.fnmatchcase(name, pattern) and (name != "lo" or pattern == "lo"):
                return found[name]
    return None


def address(conf, is_alone):
    """The address of this host that network.interfaces selects. If that setting is the default and selects
    none, a cluster that is alone on its host, as on a workstation, uses the loopback."""
    found = addresses()
    chosen = choose(conf["network.interfaces"], found)
    if chosen is None and is_alone and conf.is_default("network.interfaces"):
        chosen = found.get("lo")
    if chosen is None:
        raise conf.refusal("network.interfaces",
                           f"{socket.gethostname()} has none of these, but {', '.join(sorted(found))}:"
                           " name one")
    return chosen


def free_port(host, conf):
    """A free port of `host`, one of network.ports if that is set."""
    ports = conf["network.ports"]
    for port in range(ports[0], ports[1] + 1) if ports else (0,):
        with socket.socket() as probe:
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return probe.getsockname()[1]
    raise Refused(f"network.ports = {ports[0]}-{ports[1]}: none is free on {host}")


def listens(host, port):
    """Whether a connection to that port succeeds."""
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex((host, port)) == 0
