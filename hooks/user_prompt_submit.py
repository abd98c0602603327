import sys

sys.path.insert(0, __file__[: -len("hooks/user_prompt_submit.py")] + "lib")

from memdir import hookio

hookio.run("user_prompt_submit")
