"""not applies to the whole comparison that follows: this one compares a string with an int."""


def program(n: int, s: str) -> bool:
    if not s == "x":
        return False
    return not s == n  # error
