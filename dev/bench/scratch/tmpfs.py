"""tmpfs[:SIZE], a file system in memory for each node (the paper's ramdisk), by default of 8g."""

import os
import subprocess

from hpcbench.refusal import Refusal
from hpcbench.scratch import Directories


class Kind(Directories):
    in_memory = True

    def start(self, group):
        super().start(group)
        for node in range(self.nodes):
            size = f"size={self.argument or '8g'}"
            done = subprocess.run(["mount", "-t", "tmpfs", "-o", size, "hpcbench", self.local(node)],
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise Refusal(f"scratch tmpfs: {done.stderr.strip()}; mounting needs root")

    def used_bytes(self):
        states = [os.statvfs(self.local(node)) for node in range(self.nodes)]
        return sum((state.f_blocks - state.f_bfree) * state.f_frsize for state in states)

    def stop(self):
        for node in range(self.nodes):
            if os.path.ismount(self.local(node)):
                subprocess.run(["umount", "-l", self.local(node)], check=True)
        super().stop()
