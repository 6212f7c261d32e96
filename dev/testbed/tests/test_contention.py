"""Two nodes that work on the same names and bytes at once: nothing hangs, caches end up the same."""

import os
import subprocess
import sys
import unittest

from pfs_case import PfsCase

# Random operations on five names; every error that a race may cause is allowed.
PLAYER = """
import mmap, os, random, sys
d, seed, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
r = random.Random(seed)
for _ in range(rounds):
    f, g = (f"{d}/f{r.randrange(5)}" for _ in "ab")
    try:
        move = r.randrange(8)
        if move == 0:
            with open(f, "wb", buffering=0) as h: h.write(b"w" * r.randrange(9000))
        elif move == 1:
            with open(f, "ab", buffering=0) as h: h.write(b"a" * r.randrange(5000))
        elif move == 2:
            with open(f, "rb", buffering=0) as h: h.read()
        elif move == 3: os.rename(f, g)
        elif move == 4: os.unlink(f)
        elif move == 5: os.stat(f)
        elif move == 6: os.truncate(f, r.randrange(9000))
        else:
            # A file of its own: mapping what others cut short is a SIGBUS anywhere.
            with open(f"{d}/mapped", "r+b") as h:
                with mmap.mmap(h.fileno(), 0) as m: m[seed * 64] = 109
                os.fsync(h.fileno())
    except (FileNotFoundError, ValueError): pass
"""


class ContentionTest(PfsCase):
    nodes = 3

    def test_random_operations_from_three_nodes_end_in_one_state(self):
        os.mkdir(self.at(0, "d"))
        self.put(0, "d/mapped", b"." * 8192)
        players = [subprocess.Popen([sys.executable, "-c", PLAYER, self.at(node, "d"),
                                     str(10 * node + n), "3000"])
                   for node in range(self.nodes) for n in range(2)]
        for player in players:
            # Don't wait: a player that hangs in a request ends with the emulator, in the next cleanup.
            self.addCleanup(player.kill)
        for player in players:
            # No time is measured: a deadlock would last for ever.
            self.assertEqual(player.wait(timeout=240), 0)
        names = [sorted(os.listdir(self.at(node, "d"))) for node in range(self.nodes)]
        self.assertEqual(names, [names[0]] * self.nodes)
        self.assertIn("mapped", names[0])
        for name in names[0]:
            with open(os.path.join(self.instance.backing, "d", name), "rb") as f:
                truth = f.read()
            for node in range(self.nodes):
                self.assertEqual(self.get(node, f"d/{name}"), truth, (node, name))
                self.assertEqual(os.stat(self.at(node, f"d/{name}")).st_size, len(truth))


if __name__ == "__main__":
    unittest.main()
