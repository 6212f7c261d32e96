"""Checks of a shared file system's semantics between two nodes; see dev/testbed/semantics."""
