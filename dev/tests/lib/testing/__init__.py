"""Runs this project's tests in lanes, what failed once more, and says what came of it."""
