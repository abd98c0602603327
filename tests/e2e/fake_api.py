"""A scripted stand-in for the Anthropic Messages API on loopback, which keeps every request for the test to look at.

A scenario is a dict; every key is optional:

  "turns":   replies for main-loop requests (those offering tools), used in order.
  "rules":   checked before turns, first match wins. Each is {"match": REGEX, "in": PART, "turns": [...], "times": N},
             PART one of system, first_user, last_user, tools, model, all. Their "turns" are used in order, the last
             one repeating; after "times" uses the rule is spent. "has_tools": true or false restricts a rule.
  "default": the reply when nothing else applies (without it: {"text": "OK."}).

A reply is a dict:

  {"text": "..."}                              plain text
  {"tool": "Bash", "input": {...}}             one tool call (a "text" goes before it)
  {"tools": [{"name": "Read", "input": {}}]}   several tool calls in one message
  {"thinking": "..."}                          a thinking block first
  {"error": 529, "type": "overloaded_error", "message": "..."}   an HTTP error (retried: script it as default)
  {"json": {...}}                              text holding this JSON document
  {"structured": {...}}                        calls the StructuredOutput tool if offered, else text
  "delay": seconds before the reply; "usage": {"input_tokens": N, ...}; "stop_reason".
"""

import json
import os
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Json = dict[str, Any]
_OK: Json = {"text": "OK."}


def text_of(content: Any) -> str:
    """All text in the content of a message or tool result, whatever its shape."""
    if isinstance(content, str):
        return content
    parts = []
    for block in content or []:
        if isinstance(block, dict):
            if isinstance(block.get("text"), str):
                parts.append(block["text"])
            if block.get("type") == "tool_result":
                parts.append(text_of(block.get("content")))
    return "\n".join(parts)


class FakeApi:
    """The server, in this process: `with FakeApi(scenario, log_dir) as api:`, then `api.url`.

    Each request becomes `log_dir/NNNN.json`: {n, t, method, path, headers, body, source, reply}.
    """

    def __init__(self, scenario: Json, log_dir: Path) -> None:
        log_dir.mkdir(parents=True, exist_ok=True)
        self._scenario = scenario
        self._log_dir = log_dir
        self._count = len(list(log_dir.glob("*.json")))
        self._turns_used = 0
        self._rules_used = [0] * len(scenario.get("rules", []))
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"api": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "FakeApi":
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def choose(self, body: Json) -> "tuple[Json, str]":
        """The scripted reply to a request, and which part of the scenario it is."""
        parts = _parts(body)
        has_tools = bool(body.get("tools"))
        with self._lock:
            for i, rule in enumerate(self._scenario.get("rules", [])):
                used = self._rules_used[i]
                if (
                    bool(rule.get("has_tools", has_tools)) == has_tools
                    and used < rule.get("times", used + 1)
                    and re.search(rule.get("match", ""), parts[rule.get("in", "all")], re.DOTALL)
                ):
                    turns = rule.get("turns") or [_OK]
                    self._rules_used[i] += 1
                    return turns[min(used, len(turns) - 1)], f"rule {i}"
            turns = self._scenario.get("turns", [])
            if has_tools and self._turns_used < len(turns):
                self._turns_used += 1
                return turns[self._turns_used - 1], f"turn {self._turns_used - 1}"
        return self._scenario.get("default", _OK), "default"

    def record(self, request: Json) -> int:
        """Writes one request to the log; its number."""
        with self._lock:
            self._count += 1
            n = self._count
        path = self._log_dir / f"{n:04d}.json"
        part = path.with_suffix(".part")
        part.write_text(json.dumps({"n": n, "t": time.time(), **request}, ensure_ascii=False, indent=1), "utf-8")
        os.replace(part, path)
        return n


def _parts(body: Json) -> "dict[str, str]":
    users = [message for message in body.get("messages", []) if message.get("role") == "user"]
    return {
        "system": text_of(body.get("system")),
        "first_user": text_of(users[0]["content"]) if users else "",
        "last_user": text_of(users[-1]["content"]) if users else "",
        "tools": " ".join(str(tool.get("name")) for tool in body.get("tools") or []),
        "model": str(body.get("model")),
        "all": json.dumps(body, ensure_ascii=False),
    }


def _blocks(turn: Json, body: Json, n: int) -> "list[Json]":
    blocks: list[Json] = []
    if "thinking" in turn:
        blocks.append({"type": "thinking", "thinking": turn["thinking"], "signature": "c2ln"})
    text = turn.get("text")
    if "json" in turn:
        text = json.dumps(turn["json"], ensure_ascii=False)
    calls = list(turn.get("tools", []))
    if "tool" in turn:
        calls.insert(0, {"name": turn["tool"], "input": turn.get("input", {})})
    if "structured" in turn:
        if any(tool.get("name") == "StructuredOutput" for tool in body.get("tools") or []):
            calls.append({"name": "StructuredOutput", "input": turn["structured"]})
        else:
            text = json.dumps(turn["structured"], ensure_ascii=False)
    if text is not None:
        blocks.append({"type": "text", "text": text})
    for k, call in enumerate(calls):
        use = {"type": "tool_use", "id": f"toolu_{n:04d}_{k}", "name": call["name"], "input": call.get("input", {})}
        blocks.append(use)
    return blocks or [{"type": "text", "text": "OK."}]


def _message(turn: Json, body: Json, n: int, input_tokens: int) -> Json:
    blocks = _blocks(turn, body, n)
    usage = {
        "input_tokens": input_tokens,
        "output_tokens": 10,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    }
    return {
        "id": f"msg_{n:04d}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": blocks,
        "stop_reason": turn.get("stop_reason") or ("tool_use" if blocks[-1]["type"] == "tool_use" else "end_turn"),
        "stop_sequence": None,
        "usage": usage | turn.get("usage", {}),
    }


def _events(message: Json) -> "Iterator[Json]":
    """The server-sent events that stream a finished message."""
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for i, block in enumerate(message["content"]):
        if block["type"] == "text":
            start: Json = {"type": "text", "text": ""}
            deltas: list[Json] = [{"type": "text_delta", "text": block["text"]}]
        elif block["type"] == "thinking":
            start = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = [
                {"type": "thinking_delta", "thinking": block["thinking"]},
                {"type": "signature_delta", "signature": block["signature"]},
            ]
        else:
            start = {**block, "input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": json.dumps(block["input"])}]
        yield {"type": "content_block_start", "index": i, "content_block": start}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": i, "delta": delta}
        yield {"type": "content_block_stop", "index": i}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": message["usage"]}
    yield {"type": "message_stop"}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    api: FakeApi

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._record(None, "other", None)
        self._send(404, {"type": "error", "error": {"type": "not_found_error", "message": "no"}})

    do_HEAD = do_DELETE = do_PUT = do_GET

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {"raw": raw.decode("utf-8", "replace")}
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"):
            self._record(body, "count_tokens", None)
            self._send(200, {"input_tokens": len(raw) // 4})
        elif path.endswith("/v1/messages"):
            turn, source = self.api.choose(body)
            n = self._record(body, source, turn)
            time.sleep(turn.get("delay", 0))
            self._reply(turn, body, n, len(raw) // 4)
        else:
            self._record(body, "other", None)
            self._send(200, {})

    def _reply(self, turn: Json, body: Json, n: int, input_tokens: int) -> None:
        if "error" in turn:
            error = {"type": turn.get("type", "api_error"), "message": turn.get("message", "scripted error")}
            self._send(turn["error"], {"type": "error", "error": error})
            return
        message = _message(turn, body, n, input_tokens)
        if not body.get("stream"):
            self._send(200, message)
            return
        stream = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _events(message))
        self._send_bytes(200, "text/event-stream", stream.encode())

    def _record(self, body: Any, source: str, reply: "Json | None") -> int:
        secret = ("x-api-key", "authorization")
        headers = {k.lower(): "<redacted>" if k.lower() in secret else v for k, v in self.headers.items()}
        request = {"method": self.command, "path": self.path, "headers": headers, "body": body}
        return self.api.record({**request, "source": source, "reply": reply})

    def _send(self, status: int, document: Json) -> None:
        self._send_bytes(status, "application/json", json.dumps(document).encode())

    def _send_bytes(self, status: int, kind: str, raw: bytes) -> None:
        try:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(raw)
        except OSError:
            self.close_connection = True  # the client went away
