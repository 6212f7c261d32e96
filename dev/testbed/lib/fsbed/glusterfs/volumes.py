"""The volume files of GlusterFS: what a brick's server does with requests, and what a client does before it sends them.

A file is a list of translators, each on top of those that it names. The client delays
writes and opens, and keeps small files and attributes.
"""

# (translator, its options)
_BRICK = (("features/access-control", {}), ("features/locks", {}), ("performance/io-threads", {}))
_CLIENT = (("performance/write-behind", {}), ("performance/open-behind", {}), ("performance/quick-read", {}),
           ("performance/md-cache", {}))


def of_brick(name, directory, address, port):
    layers = [_volume("posix", "storage/posix", {"directory": directory})]
    for kind, options in _BRICK:
        layers.append(_volume(_name(kind), kind, options, _top(layers)))
    # A client names the brick by the translator that it is to reach.
    layers[-1] = (name, *layers[-1][1:])
    layers.append(_volume("server", "protocol/server", {
        "transport-type": "tcp", "transport.socket.bind-address": address, "transport.socket.listen-port": port,
        f"auth.addr.{name}.allow": "*"}, name))
    return _text(layers)


def of_client(bricks, address, own_address):
    """`bricks` is [(name, port)]."""
    layers = [_volume(f"to-{name}", "protocol/client", {
        "transport-type": "tcp", "remote-host": address, "remote-port": port, "remote-subvolume": name,
        "transport.socket.source-addr": own_address}) for name, port in bricks]
    layers.append(_volume("distribute", "cluster/distribute", {}, " ".join(layer[0] for layer in layers)))
    for kind, options in _CLIENT:
        layers.append(_volume(_name(kind), kind, options, _top(layers)))
    return _text(layers)


def _volume(name, kind, options, below=None):
    return name, kind, options, below


def _name(kind):
    return kind.partition("/")[2]


def _top(layers):
    return layers[-1][0]


def _text(layers):
    lines = []
    for name, kind, options, below in layers:
        lines += [f"volume {name}", f"  type {kind}"]
        lines += [f"  option {key} {value}" for key, value in options.items()]
        lines += [f"  subvolumes {below}"] if below else []
        lines.append("end-volume")
    return "\n".join(lines) + "\n"
