"""The distribution that contains this package."""

import os

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
