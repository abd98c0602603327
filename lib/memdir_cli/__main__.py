"""Starts the command line: run as a file by bin/memdir, so that nothing needs to be installed."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from memdir_cli.main import main

sys.exit(main())
