"""Keeps tests, and runs of them, from hanging."""
