"""An application that ends with the exit code that it is given, or fails without one."""

import sys

if len(sys.argv) > 1:
    sys.exit(int(sys.argv[1]))
raise RuntimeError("thrown by the script")
