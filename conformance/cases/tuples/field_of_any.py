"""No field of a NamedTuple may be of a type that contains Any."""

from typing import Any, List, NamedTuple


class Record(NamedTuple):
    name: str
    values: List[Any]


def program(record: Record) -> str:  # error
    return record.name
