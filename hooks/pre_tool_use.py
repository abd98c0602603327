import sys

sys.path.insert(0, __file__[: -len("hooks/pre_tool_use.py")] + "lib")

from memdir import hookio

hookio.run("pre_tool_use")
