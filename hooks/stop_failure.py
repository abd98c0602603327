import sys

sys.path.insert(0, __file__[: -len("hooks/stop_failure.py")] + "lib")

from memdir import hookio

hookio.run("stop_failure")
