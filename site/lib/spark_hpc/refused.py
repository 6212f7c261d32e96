"""The exception that ends a command with one line: what is wrong, where, and the remedy."""


class Refused(Exception):
    pass
