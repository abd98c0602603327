"""A session's transcript: what the person said, what Claude answered and which tools it used, turn by turn.

The file is Claude Code's own, JSON lines in a form that it may change: what is not known is passed over, no error.
"""

import os
import stat

from memdir import jsonio, messages, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from typing import Any, BinaryIO, Optional

LIMIT = 32 << 20  # bytes of one read
LINE_BYTES = 16 << 20  # a longer line is passed over
ANSWER_CHARS = 20_000
OUTPUT_CHARS = 2_000
_CHUNK = 1 << 20

# How lines begin that hold whole requests, most of a transcript: never parsed. As the client writes them, and with
# blanks.
_BULK = (b'{"type":"api-request', b'{"type": "api-request')

_INTERRUPTED = "[Request interrupted by user"
_CONTINUED = "This session is being continued from a previous conversation"


class ToolUse:
    """One call of a tool. `outcome`: "ok", "error" or "" (no result in what was read); `output`: the result's ends."""

    def __init__(self, id: str, name: str, input: "dict[str, Any]", cwd: str) -> None:
        self.id = id
        self.name = name
        self.input = input
        self.cwd = cwd
        self.outcome = ""
        self.output = ""


class Turn:
    """From one prompt to the next.

    `said` is empty where a command (then `command` is "/name args" or "! shell command") or a picture alone began it,
    and where what was read begins within it. `start`, `end`: byte offsets of its lines; `uuid`, `last_uuid`: of its
    first and its last record.
    """

    def __init__(self, record: "dict[str, Any]", start: int) -> None:
        self.said: "list[str]" = []
        self.command = ""
        self.answers: "list[str]" = []
        self.tools: "list[ToolUse]" = []
        self.started = messages.string(record, "timestamp")
        self.uuid = messages.string(record, "uuid")
        self.last_uuid = self.uuid
        self.cwd = messages.string(record, "cwd")
        self.start = start
        self.end = start
        self.interrupted = False
        self._places: "dict[str, int]" = {}  # message id → which of the answers

    def answer(self, message: str, text: str) -> None:
        """Adds a block of the answer with that message id: each block is a line of its own, others between them."""
        if message not in self._places:
            self._places[message] = len(self.answers)
            self.answers.append(text[:ANSWER_CHARS])
        else:
            at = self._places[message]
            self.answers[at] = f"{self.answers[at]}\n\n{text}"[:ANSWER_CHARS]


class Slice:
    """What one read found. `end`: after the last whole record, where the next read begins."""

    def __init__(self, start: int) -> None:
        self.turns: "list[Turn]" = []
        self.start = start
        self.end = start
        self.last_uuid = ""
        self.skipped = 0  # lines that hold no JSON object, or too much
        self.tokens = 0  # the context's size at the last answer; 0: unknown
        self.more = False  # it stopped at the limit


def read(path: str, start: int = 0, *, session_id: str = "", limit: int = LIMIT) -> Slice:
    """The turns from byte `start` on, without those that a rewind left behind. Raises OSError.

    With `session_id`, what a fork copied from another session is in no turn. No line is begun after `limit` bytes;
    then the last turn waits for the next read, unless it is the only one.
    """
    found = Slice(start)
    reader = _Reader(found, session_id)
    with _open(path) as file:
        for line, at, end in _lines(file, start):
            if at - start >= limit:
                found.more = True
                break
            bulk = line is not None and line.startswith(_BULK)
            record = None if line is None or bulk else _object(line)
            if record is not None:
                reader.take(record, at, end)
            elif line is not None and not line.endswith(b"\n"):
                break  # it is still being written
            elif line is None or (not bulk and line.strip(b"\0 \t\r\n")):
                found.skipped += 1
            found.end = end
    reader.finish()
    return found


def position_after(path: str, uuids: "Collection[str]") -> int:
    """The offset after the last record with one of these uuids, which a fork's copies have too; 0 without one.

    Raises OSError.
    """
    wanted = {uuid.encode("utf-8", "replace") for uuid in uuids if uuid}
    found = 0
    with _open(path) as file:
        for line, _, end in _lines(file, 0) if wanted else ():
            if line and not line.startswith(_BULK) and not wanted.isdisjoint(_uuids(line)):
                record = _object(line)
                if record is not None and record.get("uuid") in uuids:
                    found = end
    return found


def _uuids(line: bytes) -> "Iterator[bytes]":
    """What may be the uuid of a record: a parser would have to read all of it."""
    for piece in line.split(b'"uuid"')[1:]:
        yield piece.lstrip(b": ")[1:].partition(b'"')[0]


def is_transcript(path: str, env: "Mapping[str, str]") -> bool:
    """Whether it is a regular file, no link, below the `projects` of Claude Code's configuration directory."""
    folder = paths.claude_config_dir(env)
    if not folder or not paths.is_path(path):
        return False
    try:
        return stat.S_ISREG(os.lstat(path).st_mode) and paths.under(path, folder + "/projects")
    except OSError:
        return False


def _open(path: str) -> "BinaryIO":
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
    except ValueError:  # a NUL, half a surrogate pair
        raise OSError(f"not a path: {path!r}") from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(f"not a regular file: {path}")
    return open(fd, "rb", buffering=_CHUNK)


def _lines(file: "BinaryIO", start: int) -> "Iterator[tuple[Optional[bytes], int, int]]":
    """Each line with the offsets of its beginning and its end; None in place of one that is too long."""
    file.seek(start)
    while line := file.readline(LINE_BYTES + 1):
        size = len(line)
        if size > LINE_BYTES:
            while line and not line.endswith(b"\n"):
                line = file.readline(_CHUNK)
                size += len(line)
            if not line:
                return  # it is still being written
            yield None, start, start + size
        else:
            yield line, start, start + size
        start += size


def _object(line: bytes) -> "Optional[dict[str, Any]]":
    """The JSON object on a line, with no half of a surrogate pair in its strings; None for anything else."""
    try:
        value = jsonio.loads(line.strip(b"\0 \t\r\n"))
        if b"\\ud" in line or b"\\uD" in line:
            value = _mended(value)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _mended(value: "Any") -> "Any":
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return "".join(["\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in value])
    elif isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    elif isinstance(value, list):
        return [_mended(item) for item in value]
    return value


class _Reader:
    """Puts the records of a file, in its order, into the turns of a slice."""

    def __init__(self, found: Slice, session_id: str) -> None:
        self._found = found
        self._session_id = session_id
        self._turn: "Optional[Turn]" = None
        self._calls: "dict[str, ToolUse]" = {}
        self._branches = _Branches()
        self._dead: "set[Turn]" = set()
        self._before = ("", 0, 0)  # last_uuid, tokens and skipped when the last turn began

    def take(self, record: "dict[str, Any]", at: int, end: int) -> None:
        """One record, with the offsets of its line."""
        found = self._found
        uuid = messages.string(record, "uuid")
        if record.get("isSidechain") is True or uuid in self._branches.of:
            return
        before = (found.last_uuid, found.tokens, found.skipped)
        found.last_uuid = uuid or found.last_uuid
        if self._is_copy(record):
            self._turn = None
            return
        kind = record.get("subtype") if record.get("type") == "system" else record.get("type")
        began = None
        if kind == "assistant":
            self._take_answer(record, at, end - at)
        elif kind == "attachment":
            self._take_queued(record, at)
        elif kind == "user":
            began = self._take_user(record, at)
        elif kind == "local_command":
            self._drop_local(messages.string(record, "content"))
        elif kind == "compact_boundary":
            self._settle()  # what comes after it is no branch of what was before
        if began is not None:
            self._before = before
        if uuid:
            self._branches.note(uuid, messages.string(record, "parentUuid"), began)
        if self._turn is not None:
            self._turn.end = end
            self._turn.last_uuid = uuid or self._turn.last_uuid

    def _is_copy(self, record: "dict[str, Any]") -> bool:
        """Whether a fork took it over from its origin: clients differ in how they mark that."""
        if not self._session_id:
            return False
        origin = messages.string(messages.mapping(record, "forkedFrom"), "sessionId")
        if {messages.string(record, "sessionId"), origin} - {"", self._session_id}:
            return True
        if messages.string(record, "requestSessionId") in ("", self._session_id):
            return False
        self._found.turns.clear()  # only answers say so: what stands before them was copied with them
        return True

    def _begin(self, record: "dict[str, Any]", at: int) -> Turn:
        self._turn = Turn(record, at)
        self._found.turns.append(self._turn)
        return self._turn

    def _running(self, record: "dict[str, Any]", at: int) -> Turn:
        """The turn that this record belongs to; one without a prompt, where what was read began within it."""
        return self._turn or self._begin(record, at)

    def _take_answer(self, record: "dict[str, Any]", at: int, size: int) -> None:
        message = messages.mapping(record, "message")
        if record.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>":
            return
        self._found.tokens = _context_tokens(messages.mapping(message, "usage")) or self._found.tokens
        turn = self._running(record, at)
        for block in messages.blocks(message.get("content")):
            text = messages.string(block, "text")
            if block.get("type") == "text" and text.strip():
                turn.answer(messages.string(message, "id") or messages.string(record, "uuid"), text)
            elif block.get("type") == "tool_use":
                given = messages.mapping(block, "input")
                given = messages.bounded(given) if size > messages.INPUT_BYTES else given
                name, cwd = messages.string(block, "name"), messages.string(record, "cwd")
                call = ToolUse(messages.string(block, "id"), name, given, cwd)
                turn.tools.append(call)
                self._calls[call.id] = call

    def _take_queued(self, record: "dict[str, Any]", at: int) -> None:
        """What was typed while Claude worked, and reached it before the turn was over."""
        attachment = messages.mapping(record, "attachment")
        if attachment.get("type") != "queued_command" or attachment.get("commandMode", "prompt") != "prompt":
            return
        if attachment.get("isMeta") is not True and messages.is_human(attachment):
            self._say(messages.prompt(attachment.get("prompt")), record, at)

    def _say(self, text: str, record: "dict[str, Any]", at: int) -> None:
        if text:
            self._running(record, at).said.append(text)

    def _take_user(self, record: "dict[str, Any]", at: int) -> "Optional[Turn]":
        """The turn that began, if one did."""
        blocks = messages.blocks(messages.mapping(record, "message").get("content"))
        results = [block for block in blocks if block.get("type") == "tool_result"]
        for block in results:
            self._take_result(block)
        if results:
            self._say(messages.prompt(record.get("userFeedback")), record, at)  # what to do instead
        hidden = [record.get(key) is True for key in ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")]
        if results or any(hidden) or not messages.is_human(record):
            return None
        whole = messages.text(blocks)
        if whole.startswith(_INTERRUPTED):
            self._running(record, at).interrupted = True
            return None
        self._drop_local(whole)
        command = messages.command(whole)
        text = "" if command or whole.startswith(_CONTINUED) else messages.prompt(whole)
        if not (command or text or any([block.get("type") in ("image", "document") for block in blocks])):
            return None
        turn = self._begin(record, at)
        turn.command = command
        self._say(text, record, at)
        return turn

    def _drop_local(self, text: str) -> None:
        """Takes back a command that, as its output says, ran in the client alone."""
        turn = self._turn
        if text.startswith("<local-command-std") and turn and turn.command and not (turn.answers or turn.tools):
            self._found.turns.pop()
            self._turn = self._found.turns[-1] if self._found.turns else None

    def _take_result(self, block: "dict[str, Any]") -> None:
        call = self._calls.get(messages.string(block, "tool_use_id"))
        if call is not None:
            call.outcome = "error" if block.get("is_error") is True else "ok"
            call.output = messages.ends(messages.visible(messages.text(block.get("content"))), OUTPUT_CHARS)

    def _settle(self) -> None:
        self._dead |= self._branches.abandoned()

    def finish(self) -> None:
        """Puts back a turn that the limit cut off, and takes out those that a rewind left behind."""
        found = self._found
        self._settle()
        if found.more and len(found.turns) > 1:
            found.end = found.turns.pop().start
            found.last_uuid, found.tokens, found.skipped = self._before
        found.turns = [turn for turn in found.turns if turn not in self._dead]


class _Branches:
    """From which turn each record comes: enough to tell the branches that a rewind left behind.

    A node is a turn, or a record outside of what was read. Its parent has a smaller number, so every walk ends.
    """

    def __init__(self) -> None:
        self.of: "dict[str, int]" = {}  # uuid → node; -1 where the conversation begins
        self._nodes: "list[tuple[int, Optional[Turn]]]" = []
        self._first = 0  # of the nodes since the last compaction
        self._outside: "dict[str, int]" = {}

    def note(self, uuid: str, parent: str, began: "Optional[Turn]") -> None:
        """A record, and the turn that began with it."""
        node = self.of.get(parent, self._first - 1) if parent else -1
        if parent and node < self._first:
            node = self._outside.get(parent, -1)
            if node < 0:
                node = self._outside[parent] = self._add(-1, None)
        self.of[uuid] = node if began is None else self._add(node, began)

    def _add(self, parent: int, turn: "Optional[Turn]") -> int:
        self._nodes.append((parent, turn))
        return len(self._nodes) - 1

    def abandoned(self) -> "set[Turn]":
        """The turns since the last compaction beside the way to the latest; what comes now is after another.

        Those whose chain is broken do not meet that way, and live.
        """
        numbers = range(self._first, len(self._nodes))
        node = max([number for number in numbers if self._nodes[number][1] is not None], default=-1)
        meet: "set[int]" = set()
        while node >= 0:
            meet.add(node)
            node = self._nodes[node][0]
        dead = set()
        for number in numbers:
            parent, turn = self._nodes[number]
            if parent in meet and number not in meet:
                meet.add(number)
                dead |= {turn} if turn is not None else set()
        self._first = len(self._nodes)
        self._outside = {}
        return dead


def _context_tokens(usage: "dict[str, Any]") -> int:
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    return sum([count for count in map(usage.get, names) if isinstance(count, int)])
