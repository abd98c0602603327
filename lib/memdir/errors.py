"""The errors that memdir raises on purpose; their text is written for a person."""


class MemdirError(Exception):
    """Something failed that the user can understand: what, which path, what to do next."""


class UserError(MemdirError):
    """The input is wrong (a command line, a configuration file, a memory file)."""
