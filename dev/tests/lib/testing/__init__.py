"""Runs this project's tests in lanes, runs failed ones once more, and reports the results."""
