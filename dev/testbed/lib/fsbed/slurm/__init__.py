"""A Slurm of several nodes on this host."""
