"""The escapes of `$'...'`."""

_ESCAPES = {
    "a": 7, "b": 8, "e": 27, "E": 27, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63,
}  # fmt: skip
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}


def decode_ansi_c(text: str) -> str:
    """The value of the inside of `$'...'`; bytes that are not UTF-8 become lone surrogates. It ends at a NUL."""
    if "\\" not in text:
        return text
    found = bytearray()
    at = 0
    while at < len(text):
        cut = text.find("\\", at)
        cut = len(text) if cut < 0 else cut
        found += text[at:cut].encode("utf-8", "surrogatepass")
        if cut == len(text):
            break
        value, at = _ansi_c_escape(text, cut)
        if value == b"\0":
            break
        found += value
    return found.decode("utf-8", "surrogateescape")


def _ansi_c_escape(text: str, at: int) -> "tuple[bytes, int]":
    """What the escape at `at` stands for, and the offset after it."""
    code = text[at + 1 : at + 2]
    if code in _ESCAPES and code:
        return bytes([_ESCAPES[code]]), at + 2
    if code == "c" and text[at + 2 : at + 3]:
        first, *rest = text[at + 2].encode("utf-8", "surrogatepass")
        control = 127 if first == 63 else first & 0x1F
        return bytes([control, *rest]), at + (4 if text[at + 2 : at + 4] == "\\\\" else 3)
    if code and code in "01234567":
        digits = _digits(text, at + 1, "01234567", 3)
        return bytes([int(digits, 8) & 0xFF]), at + 1 + len(digits)
    digits = _digits(text, at + 2, "0123456789abcdefABCDEF", _HEX_DIGITS.get(code, 0))
    if not digits:
        return text[at : at + 2].encode("utf-8", "surrogatepass"), at + 2
    number = int(digits, 16)
    after = at + 2 + len(digits)
    if code == "x":
        return bytes([number]), after
    return (chr(number) if number < 0x110000 else "\ufffd").encode("utf-8", "surrogatepass"), after


def _digits(text: str, at: int, allowed: str, most: int) -> str:
    end = at
    while end < min(len(text), at + most) and text[end] in allowed:
        end += 1
    return text[at:end]
