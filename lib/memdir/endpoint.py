"""What a model may be called and where requests to it may go: with them go a key and transcripts."""

_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_MODEL = _LETTERS | frozenset("._:@/[]-")
_HOST = _LETTERS | frozenset(".-")
_PATH = _LETTERS | frozenset("._~%/-")
_MODEL_CHARS = 128
_URL_CHARS = 2_000


def model_problem(name: str) -> str:
    """What a model's name should have been, "" if it is one or empty. It cannot be an option of a program."""
    usable = not name or (len(name) <= _MODEL_CHARS and name[0] in _LETTERS and _MODEL.issuperset(name))
    return "" if usable else f"the name of a model (letters, digits and ._:@/[]-, at most {_MODEL_CHARS})"


def base_url_problem(url: str) -> str:
    """What an address for requests should have been, "" if it is one or empty: https, or http to this machine."""
    scheme, _, rest = url.partition("://")
    authority, _, path = rest.partition("/")
    host, port = _host_and_port(authority)
    usable = (
        len(url) <= _URL_CHARS
        and ((scheme == "https" and _is_host(host)) or (scheme == "http" and _is_loopback(host)))
        and (port.isascii() and port.isdecimal() and len(port) < 6 and 0 < int(port) < 65_536)
        and _PATH.issuperset(path)
    )
    return "" if usable or not url else "https://HOST, or http:// to this machine, without user, query and blanks"


def shown(url: str) -> str:
    """An address for a person to read: without user and password, and without a query, which may hold a key."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        scheme, rest = "", url
    end = min([at for at in map(rest.find, "/\\?#") if at >= 0], default=len(rest))
    _, at, host = rest[:end].rpartition("@")
    name, port = _host_and_port(host)
    if not (port.isascii() and port.isdecimal()):  # `user:password`, cut off from its @ by a slash in the password
        host = f"{name}:…"
    path = rest[end:]
    kept = min([at for at in map(path.find, "@?#") if at >= 0], default=len(path))
    if path[kept : kept + 1] == "@":
        kept = 0
    return f"{scheme}{mark}{'…@' if at else ''}{host}{path[:kept]}{'…' if kept < len(path) else ''}"


def _host_and_port(authority: str) -> "tuple[str, str]":
    host, colon, port = authority.rpartition(":")
    return (host, port) if colon and authority[-1:] != "]" else (authority, "443")


def _is_host(host: str) -> bool:
    return host == "[::1]" or (host[:1] in _LETTERS and host[-1:] in _LETTERS and _HOST.issuperset(host))


def _is_loopback(host: str) -> bool:
    if host in ("localhost", "[::1]"):
        return True
    parts = host.split(".")
    digits = len(parts) == 4 and all([part.isascii() and part.isdecimal() and len(part) < 4 for part in parts])
    return digits and parts[0] == "127" and all([int(part) < 256 for part in parts])


PROBLEMS = {"llm.model": model_problem, "llm.base_url": base_url_problem}
