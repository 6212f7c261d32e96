"""A node: an agent process that does file operations for the checks, with its own view of the files."""

import json
import os
import subprocess
import sys


class Failed(OSError):
    """A failed operation of the agent, with its errno."""


class Node:
    """Calls on it run in the agent: node.write("f", data="x") is agent.write("f", data="x")."""

    def __init__(self, command, directory):
        agent = os.path.join(os.path.dirname(__file__), "agent.py")
        self._process = subprocess.Popen([*command, sys.executable, agent, directory],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait()

    def send(self, operation, *positional, **named):
        """Starts an operation; receive() returns its answer. So two nodes can work at the same time."""
        self._process.stdin.write(json.dumps([operation, positional, named]) + "\n")
        self._process.stdin.flush()

    def receive(self):
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the agent ended")
        answer = json.loads(line)
        if "errno" in answer:
            raise Failed(answer["errno"], os.strerror(answer["errno"]))
        return answer["value"]

    def __getattr__(self, operation):
        def call(*positional, **named):
            self.send(operation, *positional, **named)
            return self.receive()
        return call
