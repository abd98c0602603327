import sys

sys.path.insert(0, __file__[: -len("hooks/stop.py")] + "lib")

from memdir import hookio

hookio.run("stop")
