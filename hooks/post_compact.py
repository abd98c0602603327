import sys

sys.path.insert(0, __file__[: -len("hooks/post_compact.py")] + "lib")

from memdir import hookio

hookio.run("post_compact")
