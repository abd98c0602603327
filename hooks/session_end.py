import sys

sys.path.insert(0, __file__[: -len("hooks/session_end.py")] + "lib")

from memdir import hookio

hookio.run("session_end")
