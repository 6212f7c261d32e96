"""Code that the kinds share: control files, mounts, nodes, presets, requirements."""
