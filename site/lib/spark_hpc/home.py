"""The distribution that this package is part of."""

import os

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
