"""A NamedTuple comes in as an argument, within containers too, and passes where its tuple does."""

from typing import Dict, List, NamedTuple, Tuple


class Span(NamedTuple):
    start: int
    stop: int


def width(span: Tuple[int, int]) -> int:
    return span[1] - span[0]


def program(spans: List[Span], named: Dict[str, Span]) -> Dict[str, int]:
    found: Dict[str, int] = {}
    for name, span in named.items():
        found[name] = width(span) + span.start
    for i, span in enumerate(spans):
        found[str(i)] = span.stop - spans[-1 - i].start
    return found


def inputs():
    return [
        ([Span(0, 3), Span(2, 9)], {"a": Span(1, 2)}),
        ([], {}),
        ([Span(5, 4)], {"b": Span(-1, 1), "a": Span(0, 0)}),
    ]
