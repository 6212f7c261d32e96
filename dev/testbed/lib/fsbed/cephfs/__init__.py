"""A real parallel file system on one machine: see dev/testbed/kinds/cephfs."""
