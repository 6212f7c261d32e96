"""Talks to an emulator through its control file: one JSON object there, one back."""

import json
import socket


class Refused(Exception):
    """The emulator understood and said no."""


def ask(path, verb, **members):
    """The reply's members; raises Refused, or OSError when nobody listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(path)
        connection.sendall(json.dumps({"verb": verb, **members}).encode() + b"\n")
        with connection.makefile("rb") as reply:
            answer = json.loads(reply.read())
    if "error" in answer:
        raise Refused(answer["error"])
    return answer
