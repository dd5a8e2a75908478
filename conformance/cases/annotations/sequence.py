"""Sequence is no type: lists are annotated List."""

from typing import List, Sequence


def last(items: List[int]) -> int:
    return items[-1]


def program(items: Sequence[int]) -> int:  # error
    return last(items)
