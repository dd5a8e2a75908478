"""Escapes, raw strings, adjacent literals and triple quotes denote the same characters as in Python."""

from typing import List


def program(s: str) -> List[str]:
    return [
        "tab\tquote\"back\\slash",
        r"\n raw",
        "one" "two" 'three',
        """line one
line two""",
        "\x41\101\u00e9\n",
        s + "'" + '"',
        "a#b%c",
    ]


def inputs():
    return [("x",), ("é",)]
