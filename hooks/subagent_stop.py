import sys

sys.path.insert(0, __file__[: -len("hooks/subagent_stop.py")] + "lib")

from memdir import hookio

hookio.run("subagent_stop")
