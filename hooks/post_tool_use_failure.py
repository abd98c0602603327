import sys

sys.path.insert(0, __file__[: -len("hooks/post_tool_use_failure.py")] + "lib")

from memdir import hookio

hookio.run("post_tool_use_failure")
