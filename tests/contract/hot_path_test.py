"""Every module can be imported by every Python that the launcher may meet: worker and command line run on it, too."""

import subprocess

_IMPORT_ALL = """
import sys
lib, *names = sys.argv[1:]
sys.path.insert(0, lib)
for name in names:
    __import__(name)
"""


def test_every_module_can_be_imported(plugin, each_python):
    lib = plugin / "lib"
    files = [path for path in lib.rglob("*.py") if path.stem != "__main__"]
    names = [".".join(path.relative_to(lib).with_suffix("").parts) for path in files]
    command = [each_python, "-I", "-S", "-B", "-c", _IMPORT_ALL, str(lib), *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
