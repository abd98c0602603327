"""Programs that unpack, pack, patch and download."""

from memdir.rules import patches
from memdir.rules.effects_list import DELETE, basename
from memdir.rules.options import Options, parse
from memdir.shell.arguments import NAME, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Optional

    from memdir.rules.effects_list import Effects

_TAR_LONG = """
    file directory files-from exclude exclude-from blocking-factor transform xform owner group mode mtime newer
    strip-components suffix label tape-length use-compress-program starting-file sort format add-file
    checkpoint-action index-file volno-file listed-incremental one-top-level-dir to-command newer-mtime after-date
"""
_TAR_SHORT = "fCTXbgHIKLNVF"


class Tar:
    """A command line of tar. `mode` is one letter of xctruAd (d is --delete), or "" where it cannot be told."""

    __slots__ = ("folder", "mode", "options")

    def __init__(self, words: "list[str]") -> None:
        if words and words[0][:1] not in ("-", "") and words[0].isalpha():  # `tar xzf FILE`
            letters, words = words[0], words[1:]
            valued = [letter for letter in letters if letter in _TAR_SHORT]
            values = [piece for pair in zip(valued, words) for piece in ("-" + pair[0], pair[1])]
            plain = "".join([letter for letter in letters if letter not in _TAR_SHORT])
            words = ["-" + plain] * bool(plain) + values + words[len(valued) :]
        self.options = parse(words, _TAR_SHORT, _TAR_LONG)
        modes = {"x": ("x", "extract", "get"), "c": ("c", "create"), "t": ("t", "list"), "r": ("r", "append"),
                 "u": ("u", "update"), "A": ("A", "catenate", "concatenate"), "d": ("delete",)}  # fmt: skip
        self.mode = next((mode for mode, names in modes.items() if self.options.has(*names)), "")
        self.folder = ""
        for folder in self.options.values("C", "directory"):
            self.folder = within(self.folder, folder)

    @property
    def archive(self) -> str:
        """The archive's file; "" if it is standard input or output, or on another machine."""
        path = self.options.value("f", "file")
        return "" if path == "-" or ":" in path else path


def within(folder: str, path: str) -> str:
    return path if not folder or path[:1] == "/" else folder.rstrip("/") + "/" + path


def tar(effects: "Effects", words: "list[str]") -> None:
    tar = Tar(words)
    options = tar.options
    if tar.mode == "x":
        if options.has("O", "to-stdout", "to-command"):
            return
        renamed = options.has("transform", "xform", "strip-components", "one-top-level", "wildcards")
        for member in options.operands if not renamed else []:
            effects.write(within(tar.folder, member), tree=True)
        if renamed or not options.operands:
            effects.write(tar.folder or ".", tree=True, sure=False)
    elif tar.mode and tar.mode != "t":
        if tar.archive:
            effects.write(tar.archive)
        if options.has("remove-files"):
            for member in options.operands:
                effects.delete(within(tar.folder, member), tree=True)


def unzip(effects: "Effects", words: "list[str]") -> None:
    options = parse(words, "dP")
    if options.has("l", "p", "t", "Z", "z", "c", "v"):
        return
    names = options.operands[1:]
    folder = options.value("d") or "."
    if options.has("x"):  # its list ends the command line
        names = []
    if not names or any([not known(name) or set(name) & set("*?[") for name in names]):
        effects.write(folder, tree=True, sure=False)
        return
    for name in names:
        effects.write(within(folder, basename(name) if options.has("j") else name))


def cpio(effects: "Effects", words: "list[str]") -> None:
    options = parse(words, "CDEFHIMOR", "directory file format pattern-file io-size owner")
    folder = options.value("D", "directory") or "."
    if options.has("o", "create"):
        for path in options.values("O", "F", "file"):
            effects.write(path)
    elif options.has("p", "pass-through"):
        effects.write(within(folder, (options.operands or ["."])[-1]), tree=True, sure=False)
    elif not options.has("t", "list", "to-stdout"):
        effects.write(folder, tree=True, sure=False)


def seven_zip(effects: "Effects", words: "list[str]") -> None:
    operands = [word for word in words if word[:1] != "-"]
    command = operands[:1]
    if command in (["x"], ["e"]):
        folders = [word[2:] for word in words if word[:2] == "-o" and len(word) > 2]
        folders += [word for word in operands[2:] if word.endswith("/")]  # unrar's
        effects.write((folders or ["."])[-1], tree=True, sure=False)
    elif command in (["a"], ["d"], ["u"], ["rn"]):
        for path in operands[1:2]:
            effects.write(path)
        if "-sdel" in words:
            for path in operands[2:]:
                effects.delete(path, tree=True)


def pack(effects: "Effects", words: "list[str]") -> None:
    """zip."""
    options = parse(words, "bntsPO", "temp-path suffixes password split-size output-file out", leading=False)
    if options.operands[:1] in ([], ["-"]):
        return
    archive = options.value("O", "output-file") or options.operands[0]
    effects.write(archive if "." in basename(archive) or not known(archive) else archive + ".zip")
    if options.has("m", "move"):
        for path in options.operands[1:]:
            effects.delete(path, tree=True)


def patch(effects: "Effects", words: "list[str]") -> None:
    options = parse(
        words, "BDFVYdgioprxz", "input output strip directory fuzz reject-file suffix prefix version-control", glued=""
    )
    if options.has("dry-run", "C"):
        return
    folder = options.value("d", "directory")
    base = folder or "."
    if options.value("o", "output"):
        effects.write(within(folder, options.value("o", "output")))
        return
    if options.operands:
        effects.write(within(folder, options.operands[0]))
        return
    file = options.value("i", "input")
    text = effects.text(within(folder, file)) if file and file != "-" else given_text(effects)
    strip = options.value("p", "strip")
    if text is None:
        effects.write(base, tree=True, sure=False)
        return
    for kind, path in patches.targets(text, int(strip) if strip.isdecimal() else -1):
        path = within(folder, path)
        # which of the two names of a file is taken depends on what is there
        (effects.delete if kind == DELETE and not options.has("R", "reverse") else effects.write)(path)


def given_text(effects: "Effects") -> "Optional[str]":
    """What stands on standard input, when that can be known as a whole."""
    if effects.call.source:
        return effects.text(effects.call.source)
    text = effects.call.input
    return text if text is not None and known(text) else None


_CURL_SHORT = "AbcCdDeEFHKmoPQrtTuUwxXyYz"
CURL_LONG = """
    output output-dir request header data data-binary data-raw data-ascii data-urlencode form form-string
    upload-file user user-agent referer cookie cookie-jar dump-header trace trace-ascii stderr config max-time
    connect-timeout retry retry-delay retry-max-time proxy cacert cert key range write-out url limit-rate etag-save
    etag-compare hsts alt-svc libcurl resolve netrc-file json interface url-query aws-sigv4 oauth2-bearer
"""


def curl_options(words: "list[str]") -> Options:
    return parse(words, _CURL_SHORT, CURL_LONG)


def curl(effects: "Effects", words: "list[str]") -> None:
    options = curl_options(words)
    folder = options.value("output-dir")
    names = [value for name, value in options.found if value and name in ("o", "output", "outpu", "outp")]
    if options.has("O") or any([name.startswith("remote-name") for name, _ in options.found]):
        urls = options.operands + options.values("url")
        names += [url_name(url) for url in urls] if not options.has("J", "remote-header-name") else [NAME]
    for name in names:
        if name != "-":
            effects.write(within(folder, name))
    for name in (
        "c",
        "D",
        "cookie-jar",
        "dump-header",
        "trace",
        "trace-ascii",
        "stderr",
        "etag-save",
        "libcurl",
        "hsts",
    ):
        for given, value in options.found:
            if given == name and value and value not in ("-", "%"):
                effects.write(value)


def url_name(url: str) -> str:
    """The file name that an address ends in."""
    path = url.partition("?")[0].partition("#")[0]
    path = path.partition("://")[2] or path
    name = path.rpartition("/")[2] if "/" in path else ""
    return name or ("index.html" if known(url) else NAME)


def wget(effects: "Effects", words: "list[str]") -> None:
    options = parse(
        words, "aoeiBtOTwQPUlARDIX",
        """output-document output-file append-output directory-prefix input-file tries timeout wait quota user-agent
        header post-data post-file body-file body-data method user password referer level accept reject domains base
        load-cookies save-cookies ca-certificate execute limit-rate rejected-log""",
        glued="n",
    )  # fmt: skip
    for path in options.values("o", "a", "output-file", "append-output", "save-cookies", "rejected-log"):
        effects.write(path)
    folder = options.value("P", "directory-prefix")
    document = options.value("O", "output-document")
    if document or options.has("spider"):
        if document not in ("", "-"):
            effects.write(document)
    elif options.has("r", "recursive", "m", "mirror", "p", "page-requisites", "i", "input-file"):
        effects.write(folder or ".", tree=True, sure=False)
    else:
        for url in options.operands:
            effects.write(within(folder, url_name(url)))


PROGRAMS: "dict[str, Callable[[Effects, list[str]], None]]" = {
    "7z": seven_zip, "7za": seven_zip, "7zz": seven_zip, "bsdtar": tar, "cpio": cpio, "curl": curl, "gtar": tar,
    "patch": patch, "gpatch": patch, "rar": seven_zip, "tar": tar, "unrar": seven_zip, "unzip": unzip, "wget": wget,
    "zip": pack,
}  # fmt: skip
