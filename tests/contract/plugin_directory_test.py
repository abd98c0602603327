"""What the plugin directory asks of a plugin, as far as it takes no client; with one, tests/e2e/plugin_test.py asks."""

import json
import re
import struct
import subprocess
import sys

import pytest

from support.checkout import ROOT

ICON = ROOT / ".claude-plugin" / "icon.png"
DRAW = ROOT / "docs" / "icon"
MANIFEST = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_bytes())
MARKETPLACE = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_bytes())


def test_the_icon_is_a_square_of_a_size_that_is_taken():
    image = ICON.read_bytes()
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", image[16:24])
    assert width == height
    assert 512 <= width <= 2048
    assert len(image) < 200_000


def _copy_of_the_script(tmp_path):
    """The script draws for the tree that it lies in; the repository is not to change."""
    script = tmp_path / "docs" / "icon"
    script.parent.mkdir()
    script.write_bytes(DRAW.read_bytes())
    (tmp_path / ".claude-plugin").mkdir()
    return script, tmp_path / ".claude-plugin" / "icon.png"


def _run(script, *args):
    return subprocess.run([sys.executable, str(script), *args], capture_output=True, text=True, check=False)


def test_the_icon_is_what_its_script_draws():
    done = _run(DRAW, "--check")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("damage", ["missing", "empty", "cut off", "another pixel", "another size"])
def test_a_picture_that_it_would_not_draw_is_told(tmp_path, damage):
    script, icon = _copy_of_the_script(tmp_path)
    image = ICON.read_bytes()
    if damage == "another pixel":
        text = script.read_text()
        assert "TABLE, SHADOW, CARD = (31, 78, 95)" in text
        script.write_text(text.replace("TABLE, SHADOW, CARD = (31, 78, 95)", "TABLE, SHADOW, CARD = (31, 78, 96)"))
    damaged = {
        "empty": b"",
        "cut off": image[: len(image) // 2],
        "another pixel": image,
        "another size": image[:16] + struct.pack(">II", 256, 256) + image[24:],
    }
    if damage in damaged:
        icon.write_bytes(damaged[damage])
    done = _run(script, "--check")
    assert done.returncode == 1
    assert "is not what docs/icon draws: run docs/icon" in done.stderr
    assert "Traceback" not in done.stderr


def test_drawn_anew_it_is_the_same(tmp_path):
    script, icon = _copy_of_the_script(tmp_path)
    assert _run(script).returncode == 0
    assert _run(script, "--check").returncode == 0
    assert struct.unpack(">II", icon.read_bytes()[16:24]) == struct.unpack(">II", ICON.read_bytes()[16:24])


def test_license_and_readme_are_there_and_agree_with_the_manifest():
    assert MANIFEST["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text("utf-8").startswith("MIT License")
    assert len((ROOT / "README.md").read_text("utf-8")) > 1000


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_readme_has_the_line_that_installs_it_in_one_step(name):
    (plugin,) = MARKETPLACE["plugins"]
    wanted = rf"/plugin install {plugin['name']} --marketplace \S+/{MARKETPLACE['name']}\b"
    assert re.search(wanted, (ROOT / name).read_text("utf-8"))


def test_the_marketplace_describes_itself_and_the_plugin():
    (plugin,) = MARKETPLACE["plugins"]
    assert plugin["name"] == MANIFEST["name"] == MARKETPLACE["name"]
    assert plugin["source"] == "./"
    for text in (MARKETPLACE["metadata"]["description"], plugin["description"], MANIFEST["description"]):
        assert 40 <= len(text) <= 250
        assert "Windows under WSL" in text


def test_hosts_are_declared_once_a_module_connects_to_any():
    modules = [path.read_text("utf-8") for path in (ROOT / "lib").rglob("*.py")]
    assert len(modules) > 100
    connects = r"(?m)^\s*(?:import|from)\s+(?:socket|ssl|urllib\.request|http\.client|anthropic|requests|httpx)\b"
    assert bool(MANIFEST["network"]["hosts"]) is any(re.search(connects, text) for text in modules)
