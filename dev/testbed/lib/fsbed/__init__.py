"""What the kinds of file systems share: control files, mounts, nodes, presets, requirements."""
