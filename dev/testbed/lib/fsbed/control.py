"""Talks to an emulator through its control file: one JSON object there, one back."""

import json
import socket

from fsbed.refused import Refused


def ask(path, verb, patience=60, **members):
    """The reply's members; raises Refused, or OSError when nobody answers for `patience` seconds."""
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
