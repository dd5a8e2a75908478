"""A string's item is a string of one character; beyond the ends it raises."""


def program(s: str, i: int) -> str:
    return s[i] + s[-1] + s[0][0]


def inputs():
    return [("abc", 1), ("a", -1), ("abc", 3), ("", 0)]
