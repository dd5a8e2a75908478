"""hasattr and getattr know the fields of a NamedTuple, and isinstance takes it for a tuple."""

from typing import Any, List, NamedTuple, Optional


class Box(NamedTuple):
    width: int
    label: Optional[str] = None


class Labelled(NamedTuple):
    label: str


def kind(x: Any) -> str:
    if isinstance(x, Box):
        return "box " + str(x.width)
    return "tuple" if isinstance(x, tuple) else "other"


def program(n: int) -> List[str]:
    box = Box(n)
    found = [kind(box), kind((n, "s", 1)), kind(n)]
    if hasattr(box, "label") and not hasattr(box, "height"):
        label = getattr(box, "label")
        found.append("none" if label is None else label)
    labelled = Labelled("a")
    if hasattr(labelled, "width"):
        found.append(labelled.height)
    return found + [labelled.label]


def inputs():
    return [(3,), (0,)]
