"""An error that the user can fix, in one line."""


class Refusal(Exception):
    """Nothing was measured: the text names the key, its value and the remedy."""
