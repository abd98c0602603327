"""Calls that go through links which their own command line makes: `ln -s src x; echo >> x/a`."""

from memdir.shell.arguments import joined, lexical
from memdir.shell.calls import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_MEAN_THE_LINK = ("rm", "unlink", "mv", "readlink", "ls", "stat", "test", "[")  # and not what it leads to


def through(call: Call, links: "Mapping[str, str]", home: str) -> "list[Call]":
    """The call with its paths as they will be, if any of them leads through a link; `links` are paths and targets."""

    def resolved(word: str, *, itself: bool = False) -> str:
        path = lexical(joined(call.cwd, word, home))
        for link, target in links.items():
            if (path == link and (not itself or word[-1:] == "/")) or path.startswith(link + "/"):
                return joined(link.rpartition("/")[0], target, home).rstrip("/") + path[len(link) :]
        return word

    itself = call.name in _MEAN_THE_LINK
    other = Call([*call.argv[:1], *[resolved(word, itself=itself) for word in call.argv[1:]]], call.cwd)
    other.writes = [resolved(word) for word in call.writes]
    other.source = resolved(call.source) if call.source else ""
    if (other.argv, other.writes, other.source) == (call.argv, call.writes, call.source):
        return []
    other.start, other.end, other.via, other.implied = call.start, call.end, call.via, True
    other.input, other.feeders, other.assigned = call.input, call.feeders, call.assigned
    return [other]
