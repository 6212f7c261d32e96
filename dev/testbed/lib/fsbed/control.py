"""Talks to an emulator through its control file: sends one JSON object and receives one."""

import json
import socket

from fsbed.refused import Refused


def ask(path, verb, patience=60, **members):
    """Returns the reply's members. Raises Refused, or OSError if nobody answers for `patience` seconds."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(patience)
        connection.connect(path)
        connection.sendall(json.dumps({"verb": verb, **members}).encode() + b"\n")
        with connection.makefile("rb") as reply:
            line = reply.read()
    if not line:
        raise ConnectionResetError("the emulator ended before it answered")
    answer = json.loads(line)
    if "error" in answer:
        raise Refused(answer["error"])
    return answer
