"""python -I -S …/memdir_worker STATE_DIR: works off the queue once and ends; started by hooks, detached."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from memdir import paths
from memdir_worker import worker

if __name__ == "__main__":
    os.nice(10)  # the person's own work comes first
    packages = paths.record("site_packages", os.environ)
    if os.path.isdir(packages):
        sys.path.append(packages)  # behind the standard library, which no package may stand in for
    worker.run(sys.argv[1])
