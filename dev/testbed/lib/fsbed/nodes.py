"""Runs commands as a node: in their own mount namespace, where the node's mount is at the path that is
the same for all nodes. Nothing persists: the namespace ends with its processes."""

import os

# "$1" is the node's mount, "$2" the common path. Changes outside, such as an unmount at stop, are seen inside.
_AS_NODE = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'


def arguments(mount_point, common_path, command):
    """Returns the command line that runs `command` as the node."""
    return ["unshare", "--mount", "--propagation", "slave", "sh", "-c", _AS_NODE, "sh",
            mount_point, common_path, *command]


def become(node, mount_point, common_path, command):
    """Replaces this process by `command` as the node."""
    line = arguments(mount_point, common_path, command)
    os.execvpe(line[0], line, {**os.environ, "TESTBED_NODE": str(node)})
