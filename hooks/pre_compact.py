import sys

sys.path.insert(0, __file__[: -len("hooks/pre_compact.py")] + "lib")

from memdir import hookio

hookio.run("pre_compact")
