"""Points in time of memories: ISO 8601 text to seconds, and an age in words."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

DAY_S = 86_400
_LONGEST = 64  # characters of a time; int() raises for thousands of digits


def seconds(text: str) -> "Optional[float]":
    """Seconds since 1970 (UTC) of an ISO 8601 date or date and time; without an offset it counts as UTC.

    None for anything else. Written out because `datetime` would be a third of the start of a hook.
    """
    date, _, clock = text.strip().replace(" ", "T", 1).partition("T")
    parts = date.split("-")
    if len(text) > _LONGEST or len(parts) != 3 or not all(part.isdecimal() for part in parts):
        return None
    year, month, day = (int(part) for part in parts)
    if not (1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= 31):
        return None
    clock_s = _clock_seconds(clock) if clock else 0.0
    return None if clock_s is None else _days(year, month, day) * DAY_S + clock_s


def _clock_seconds(clock: str) -> "Optional[float]":
    """Seconds from midnight UTC of HH:MM[:SS[.fff]] with an optional Z or ±HH[:]MM."""
    offset_s = 0
    if clock[-1:] in "zZ":
        clock = clock[:-1]
    else:
        for sign, factor in (("+", -1), ("-", 1)):
            clock, found, zone = clock.partition(sign)
            if found:
                zone = zone.replace(":", "")
                if not zone.isdecimal() or len(zone) not in (2, 4):
                    return None
                offset_s = factor * (int(zone[:2]) * 3600 + int(zone[2:] or 0) * 60)
                break
    parts = clock.split(":")
    whole, _, fraction = parts[-1].partition(".")
    if len(parts) not in (2, 3) or (fraction and len(parts) == 2):
        return None
    fields = [*parts[:-1], whole]
    if not all(field.isdecimal() for field in fields) or (fraction and not fraction.isdecimal()):
        return None
    hour, minute, second = (int(field) for field in (*fields, "0")[:3])
    if hour > 24 or minute > 59 or second > 60:
        return None
    return hour * 3600 + minute * 60 + second + float("0." + (fraction or "0")) + offset_s


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the Gregorian calendar; years are counted from March so that leap days come last."""
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


def written(modified: str, mtime: float, now: float) -> float:
    """When a memory was written: its `modified` if that is a time and not in the future, else the file's mtime.

    0.0 (unknown) when both lie in the future; a day is allowed for clocks that disagree.
    """
    stamp = seconds(modified) if modified else None
    if stamp is not None and stamp <= now:
        return stamp
    return min(mtime, now) if mtime <= now + DAY_S else 0.0


def phrase(when: float, now: float) -> str:
    """The age in words: "today", "yesterday", "12 days ago", "age unknown"."""
    if not when:
        return "age unknown"
    days = int(max(0.0, now - when) // DAY_S)
    return ("today", "yesterday")[days] if days < 2 else f"{days} days ago"


def ago(when: float, now: float) -> str:
    """How long ago something of the last days was: "5 min ago", "3 h ago", "2 days ago"."""
    minutes = max(0, int(now - when)) // 60
    for unit, size in (("days", 1440), ("h", 60)):
        if minutes >= 2 * size:
            return f"{minutes // size} {unit} ago"
    return f"{minutes} min ago"
