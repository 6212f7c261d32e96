"""The error that ends a verb with one line: what is wrong, and the remedy."""


class Refused(Exception):
    pass
