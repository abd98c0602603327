"""Records what Claude Code loads of a MEMORY.md, into tests/data/index_loads.json.

    index_loads.py CLAUDE_BINARY [NAME...]

Runs the client once for each text of `INPUTS` (or only for those named) with a home of its own, against a server on
loopback that keeps the first request and refuses it. No key is needed. To be sure that nothing leaves the machine:

    unshare -rn sh -c 'ip link set lo up; exec python3 tests/conformance/index_loads.py CLAUDE_BINARY'
"""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

RECORD = Path(__file__).parent.parent / "data" / "index_loads.json"
WHOLE_UNITS = 1500  # a longer answer is recorded by its digest
BEFORE = re.compile(r"Contents of [^\n]*MEMORY\.md \(user's auto-memory, persists across conversations\):\n\n")
AFTER = "\n</system-reminder>"
WARNING = "\n\n> WARNING: "

ENTRY = "- [T{n}](t{n}.md) - note {n}\n"
# name -> pieces of the text, each repeated; {n} counts the repetitions from 1
INPUTS: "dict[str, list[tuple[str, int]]]" = {
    "two entries": [("- [A](a.md) — b\n- [C](c.md) — d\n", 1)],
    "empty": [("", 1)],
    "blank": [(" \n\t\n\n", 1)],
    "199 lines": [(ENTRY, 199)],
    "200 lines": [(ENTRY, 200)],
    "201 lines": [(ENTRY, 201)],
    "201 lines, the last one long": [(ENTRY, 200), ("- [Long](long.md) - " + "word " * 40 + "\n", 1)],
    "201 lines, the last one of 80 units": [(ENTRY, 200), ("a" * 80, 1)],
    "201 lines, the last one of 81 units": [(ENTRY, 200), ("a" * 81, 1)],
    "201 lines, the last one Chinese": [(ENTRY, 200), ("记忆" * 60, 1)],
    "201 lines, the last one emoji": [(ENTRY, 200), ("🧪" * 60, 1)],
    "201 lines, the last one emoji after a letter": [(ENTRY, 200), ("a" + "🧪" * 60, 1)],
    "201 lines, the last one with a family": [(ENTRY, 200), ("a" * 77 + "👩‍👩‍👧‍👦" * 4, 1)],
    "201 lines, the last one with quotes and tabs": [(ENTRY, 200), ("\t\"quoted\"\t'single' \\ end", 1)],
    "201 lines, a blank after 40 letters": [(ENTRY, 200), ("a" * 40 + " " + "b" * 90, 1)],
    "201 lines, a blank after 41 letters": [(ENTRY, 200), ("a" * 41 + " " + "b" * 90, 1)],
    "201 lines, a wide blank": [(ENTRY, 200), ("a" * 60 + "\u3000" + "b" * 90, 1)],
    "201 lines, a blank amid emoji": [(ENTRY, 200), ("🧪" * 25 + " " + "🧪" * 40, 1)],
    "201 lines, the last one cannot be seen": [("a\n", 200), ("\x00", 1)],
    "units that cannot be seen": [("x" * 124 + "\n", 199), ("x" * 120 + "\u200b" * 10, 1)],
    "ends that cannot be seen": [(" \u200b \x85 a \u200b b \x1c \u200b\n", 1)],
    "201 lines, blanks at the cut of 80": [(ENTRY, 200), ("a" * 76 + " " * 10 + "b" * 20, 1)],
    "202 lines, line 201 empty": [(ENTRY, 200), ("\nlast", 1)],
    "200 lines and blank lines after": [(ENTRY, 200), ("\n  \n\t\n", 1)],
    "260 lines": [(ENTRY, 260)],
    "300 long lines": [("{n}" + "y" * 150 + "\n", 300)],
    "24,999 units": [("x" * 124 + "\n", 199), ("x" * 124, 1)],
    "25,000 units": [("x" * 124 + "\n", 199), ("x" * 125, 1)],
    "25,001 units": [("x" * 124 + "\n", 199), ("x" * 126, 1)],
    "a line ends exactly at unit 25,000": [("x" * 249 + "\n", 100), ("x" * 10, 1)],
    "a newline is unit 25,001": [("x" * 249 + "\n", 99), ("x" * 250 + "\nlast", 1)],
    "emoji lines within": [("🧪" * 99 + "\n", 120)],
    "emoji lines over": [("🧪" * 99 + "\n", 130)],
    "Chinese lines": [("# Index\n", 1), ("記" * 99 + "\n", 134)],
    "Chinese lines over": [("# Index\n", 1), ("記" * 149 + "\n", 180)],
    "one long line": [("x", 40000)],
    "one long line of emoji": [("🧪", 15000)],
    "one long line of emoji, odd": [("x", 1), ("🧪", 15000)],
    "a long line at the cut": [("- short\n", 3), ("y", 30000), ("\nlast\n", 1)],
    "a long first line, then others": [("y", 30000), ("\nlast\n", 1)],
    "a newline first, then a long line": [("\n", 1), ("y", 30000)],
    "blank at the cut": [("x" * 249 + "\n", 99), ("x" * 240 + " " * 100 + "end\n", 1)],
    "blank lines before the cut": [("x" * 249 + "\n", 99), ("\n\n\n" + "y" * 400 + "\n", 1)],
    "carriage returns": [("a\r\nb\r\n", 3)],
    "201 lines with carriage returns": [("a{n}\r\n", 201)],
    "201 lines with lone carriage returns": [("a{n}\r", 201)],
    "201 lines with lone carriage returns and a comment": [("<!-- note -->\n", 1), ("a{n}\r", 201)],
    "carriage returns that put it over 25,000 units": [("x" * 124 + "\r\n", 200)],
    "the same with frontmatter": [("---\r\nname: x\r\n---\r\n", 1), ("x" * 124 + "\r\n", 200)],
    "the same with a comment": [("<!-- note -->\r\n", 1), ("x" * 124 + "\r\n", 200)],
    "the same with a comment in a line": [("a <!-- note -->\r\n", 1), ("x" * 124 + "\r\n", 199)],
    "the same with a comment never closed": [("<!-- note\r\n", 1), ("x" * 124 + "\r\n", 199)],
    "25,856 units, 25.25 KB": [("x" * 100 + "\n", 255), ("x" * 101, 1)],
    "more than a megabyte": [("x" * 999 + "\n", 1100)],
    "a megabyte": [("x" * 1023 + "\n", 1023), ("x" * 1024, 1)],
    "nearly a megabyte": [("x" * 1023 + "\n", 1023), ("x" * 990, 1)],
    "lone carriage returns": [("a\rb\rc", 1)],
    "byte order mark": [("\ufeff# Index\n- a\n", 1)],
    "byte order mark and frontmatter": [("\ufeff---\nname: x\n---\n# Index\n", 1)],
    "frontmatter": [("---\nname: x\ntype: y\n---\n\n# Index\n", 1)],
    "frontmatter with carriage returns": [("---\r\nname: x\r\n---\r\n# Index\r\n", 1)],
    "frontmatter only": [("---\nname: x\n---\n", 1)],
    "empty frontmatter": [("---\n---\ntext\n", 1)],
    "frontmatter, blanks after the fences": [("---  \nname: x\n--- \t\ntext\n", 1)],
    "frontmatter never closed": [("---\nname: x\n\ntext\n", 1)],
    "frontmatter closed with dots": [("---\nname: x\n...\ntext\n", 1)],
    "frontmatter closed by dashes within a line": [("---\nname: a---b\ntext\n", 1)],
    "frontmatter closed by an indented fence": [("---\nname: x\n  ---\ntext\n", 1)],
    "frontmatter closed by four dashes": [("---\nname: x\n----\ntext\n", 1)],
    "frontmatter closed by dashes and text": [("---\nname: x\n--- text\nmore\n", 1)],
    "frontmatter that ends the file": [("---\nname: x\n---", 1)],
    "frontmatter that is a list": [("---\n- a\n---\ntext\n", 1)],
    "frontmatter of prose": [("---\njust words: here: too\n\n# Title\n---\ntext\n", 1)],
    "frontmatter of broken YAML": [('---\nname: "x\n: [\n---\ntext\n', 1)],
    "frontmatter after a blank line": [("\n---\nname: x\n---\ntext\n", 1)],
    "rule in the middle": [("# A\n\n---\n\nb: c\n\n---\n\nd\n", 1)],
    "block comment": [("# A\n<!-- note -->\n- b\n", 1)],
    "block comment between blank lines": [("# A\n\n<!-- note -->\n\n- b\n", 1)],
    "block comment of several lines": [("# A\n\n<!--\nnote\n\nmore\n-->\n\n- b\n", 1)],
    "block comment and text after it": [("# A\n\n<!-- note --> after\n- b\n", 1)],
    "block comment and text after its last line": [("# A\n\n<!-- note\nmore --> after\n- b\n", 1)],
    "two block comments on a line": [("# A\n\n<!-- one --> <!-- two -->\n- b\n", 1)],
    "two block comments and text between": [("# A\n\n<!-- one --> x <!-- two -->\n- b\n", 1)],
    "inline comment": [("- [A](a.md) <!-- note --> — b\n", 1)],
    "comment inside a paragraph": [("text\n<!-- note -->\nmore\n", 1)],
    "comment after a list": [("- a\n- b\n<!-- note -->\n- c\n", 1)],
    "indented comment": [("# A\n\n   <!-- three -->\n\n    <!-- four -->\n\n- b\n", 1)],
    "comment inside a list entry": [("- a\n  <!-- note -->\n- b\n", 1)],
    "comment in a fence": [("```\n<!-- kept -->\n```\n<!-- dropped -->\nend\n", 1)],
    "comment in a tilde fence": [("~~~ html\n<!-- kept -->\n~~~\n\n<!-- dropped -->\n\nend\n", 1)],
    "comment after a fence never closed": [("```\n<!-- kept -->\n\n- b\n", 1)],
    "comment in backticks": [("# A\n\n`<!-- kept -->`\n\n- b\n", 1)],
    "comment in a quote": [("> <!-- note -->\n> a\n", 1)],
    "comment never closed": [("# A\n\n<!-- note\n\n- b\n", 1)],
    "comment never closed, after a closed one": [("<!-- one -->\n# A\n\n<!-- note\n\n- b\n", 1)],
    "comment holding a fence": [("# A\n\n<!--\n```\n-->\n\n- b\n<!-- two -->\n", 1)],
    "comment only": [("<!-- note -->\n", 1)],
    "comment first": [("<!-- note -->\n- a\n", 1)],
    "empty comments": [("<!---->\n- a\n\n<!-->\n- b\n\n<!--->\n- c\n", 1)],
    "comment with carriage returns": [("# A\r\n\r\n<!-- note\r\nmore -->\r\n\r\n- b\r\n", 1)],
    "HTML block with a comment inside": [("<div>\n<!-- note -->\n</div>\n\n- b\n", 1)],
    "comment one blank in, below a list entry": [("- a\n <!-- note -->\n- b\n", 1)],
    "comment below a list and an empty line": [("- a\n\n<!-- note -->\n\n- b\n", 1)],
    "comment indented below a list and an empty line": [("- a\n\n  <!-- note -->\n\n- b\n", 1)],
    "comment one blank in, below a list and an empty line": [("- a\n\n <!-- note -->\n\n- b\n", 1)],
    "comments in a nested list": [("- a\n  - b\n    <!-- kept -->\n<!-- dropped -->\n- c\n", 1)],
    "comments in a numbered list": [("1. a\n   <!-- kept -->\n\n<!-- dropped -->\n2. b\n", 1)],
    "comment less indented than a numbered entry": [("10. a\n   <!-- note -->\n11. b\n", 1)],
    "comment after a lazy line of a list": [("- a\nlazy\n<!-- note -->\n- b\n", 1)],
    "comment as a list entry": [("- <!-- note -->\n- b\n<!-- note -->\n", 1)],
    "fence inside a list": [("- a\n  ```\n  <!-- kept -->\n  ```\n<!-- dropped -->\n- b\n", 1)],
    "comment at the margin of a fence in a list": [("- a\n  ```\n<!-- note -->\n  ```\n- b\n", 1)],
    "indented fence": [("   ```\n<!-- kept -->\n   ```\n<!-- dropped -->\nend\n", 1)],
    "long fence": [("````\n```\n<!-- kept -->\n````\n<!-- dropped -->\nend\n", 1)],
    "fence closed by a longer one": [("```\n~~~\n<!-- kept -->\n`````  \n<!-- dropped -->\nend\n", 1)],
    "fence not closed by one with a word": [("```\n``` sh\n<!-- kept -->\n```\n<!-- dropped -->\nend\n", 1)],
    "backticks that are no fence": [("``` a`b\n<!-- dropped -->\nend\n", 1)],
    "fence after text": [("text\n```\n<!-- kept -->\n```\nend\n", 1)],
    "comment and a line of blanks": [("# A\n<!-- note -->\n  \n- b\n", 1)],
    "comment and a comment opened behind it": [("<!-- one --> x <!-- two\nmore -->\n- d\n", 1)],
    "comments on following lines": [("<!-- one -->\n<!-- two -->\n\n\n<!-- three -->\n- d\n", 1)],
    "comment between lines of a quote": [("> a\n<!-- note -->\n> b\n", 1)],
    "comment after inline HTML": [("<b>x</b> y\n<!-- note -->\nz\n", 1)],
    "comment after an HTML block": [("<div>\nx\n</div>\n\n<!-- note -->\nz\n", 1)],
    "comment in details": [("<details>\n<summary>x</summary>\n\n<!-- note -->\n\n</details>\n", 1)],
    "comment with dashes inside": [("<!-- a -- b --- c -->\n- c\n", 1)],
    "comment behind a tab": [("# A\n\n\t<!-- note -->\n\n- b\n", 1)],
    "comment opened within a text": [("text <!-- a\nb -->\nmore\n", 1)],
    "comment in a table": [("| a | b |\n|---|---|\n| 1 | 2 |\n<!-- note -->\n| 3 | 4 |\n", 1)],
    "comment under a heading line": [("Title\n=====\n<!-- note -->\ntext\n", 1)],
    "comment after indented code": [("# A\n\n    code\n<!-- note -->\n- b\n", 1)],
    "comment in indented code": [("# A\n\n    code\n    <!-- kept -->\n\n- b\n", 1)],
    "comment of 30 lines, 190 entries": [
        ("---\nname: index\ntype: x\n---\n<!--\n", 1), ("line {n}\n", 28), ("-->\n", 1), (ENTRY, 190),
    ],
    "trailing blanks": [("# A  \n- b   \n\n  \n", 1)],
    "leading blanks": [("\n\n   - a\n", 1)],
    "tabs": [("\t- a\n\t\t- b\n", 1)],
    "form feeds": [("a\fb\n\f\n", 1)],
    "line separators": [("a\u2028b\u2029c\x85d\n", 1)],
    "line separators at the ends": [("\u2028\u00a0\x85\u3000a\u180e\u200b\x1c\n", 1)],
    "201 lines if line separators counted": [("a{n}\u2028\n", 200)],
    "angle brackets": [("<b>bold</b> &amp; <x-tag>\n", 1)],
    "control characters": [("a\x00b\x01c\x1b[0m\x7f\n", 1)],
}  # fmt: skip


def text_of(pieces: "list[tuple[str, int]] | list[list]") -> str:
    return "".join(text.replace("{n}", str(n)) for text, times in pieces for n in range(1, times + 1))


def summary(text: str) -> "str | dict[str, str | int]":
    """The text, or for a long one what identifies it and shows its ends."""
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    if units <= WHOLE_UNITS:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return {"units": units, "sha256": digest, "start": text[:40], "end": text[-40:]}


def main(binary: str, *names: str) -> None:
    record = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {"loads": {}}
    version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.split()[0]
    loads = {}
    for name, pieces in INPUTS.items():
        if names and name not in names:
            if name in record["loads"]:
                loads[name] = record["loads"][name]
            continue
        loaded = load(binary, text_of(pieces))
        text, mark, notice = (loaded or "").partition(WARNING)
        loads[name] = {"input": pieces, "loaded": None if loaded is None else summary(text)}
        if mark:
            loads[name]["notice"] = mark.lstrip("\n") + notice
        print(name, file=sys.stderr)
    lines = [f"{json.dumps(name)}: {json.dumps(entry, ensure_ascii=False)}" for name, entry in loads.items()]
    body = ",\n".join(lines)
    RECORD.write_text(f'{{"client": "{version}", "loads": {{\n{body}\n}}}}\n', "utf-8")


def load(binary: str, text: str) -> "str | None":
    """What stands for this MEMORY.md in the client's first request."""
    with tempfile.TemporaryDirectory() as folder, FirstRequest() as server:
        home = Path(folder, "home")
        project = Path(folder, "project")
        project.mkdir()
        memory = home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(project.resolve())) / "memory"
        memory.mkdir(parents=True)
        (memory / "MEMORY.md").write_bytes(text.encode("utf-8"))
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(home),
            "TMPDIR": folder,
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.port}",
            "ANTHROPIC_API_KEY": "dummy-key",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
        }
        subprocess.run([binary, "-p", "hello"], cwd=project, env=environment, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)  # fmt: skip
        for block in server.body["messages"][0]["content"]:
            found = BEFORE.search(block.get("text", ""))
            if found:
                content: str = block["text"][found.end() :].rstrip("\n")
                return content.removesuffix(AFTER.strip()).removesuffix("\n")
        return None


class FirstRequest:
    """A server that keeps the first message request and answers all with an error that is not retried."""

    def __enter__(self) -> "FirstRequest":
        outer = self
        self.body: dict = {}

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                if not outer.body and "messages" in body:
                    outer.body = body
                answer = b'{"type":"error","error":{"type":"invalid_request_error","message":"recorded"}}'
                self.send_response(400)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


if __name__ == "__main__":
    main(*sys.argv[1:])
