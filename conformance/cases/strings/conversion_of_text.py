"""int of a string that is no number raises."""


def program(s: str) -> int:
    t = s.strip()
    return int(t)


def inputs():
    return [("abc",), ("1.5",), ("",)]
