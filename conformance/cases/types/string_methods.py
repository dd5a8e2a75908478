"""Strings have Python's methods, with Python's answers at the edges."""

from typing import List, Tuple


def program(s: str, t: str) -> Tuple[List[str], List[bool], List[int], List[str]]:
    texts = [s.upper(), s.lower(), s.strip(), s.replace(t, "<>"), s.capitalize(), s.title()]
    texts += [s.lstrip(" a"), s.rstrip(), s.center(7, "*"), s.rjust(6), s.zfill(6), s.swapcase()]
    tests = [s.startswith(t), s.endswith(t), t in s, s.isdigit(), s.isalpha(), s.isspace(), s < t]
    counts = [s.find(t), s.count(t), len(s), s.rfind(t)]
    return texts, tests, counts, s.split(t) + s.splitlines()


def inputs():
    return [(" a b a", "a"), ("Abc", "bc"), ("12", ","), ("", " "), ("one\ntwo\n", "o")]
