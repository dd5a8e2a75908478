"""A TypeVar is no type: functions are not generic."""

from typing import List, TypeVar

Item = TypeVar("Item")


def last(items: List[Item]) -> Item:  # error
    return items[-1]


def program(n: int) -> int:
    return last([n])
