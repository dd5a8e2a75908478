"""The defaults of a NamedTuple's fields are a part of its type's text."""

from typing import Dict, List, NamedTuple, Optional


class Options(NamedTuple):
    sizes: List[int] = [1, 2]
    names: Optional[Dict[str, int]] = {"a": 1}
    title: str = "none"
    rate: float = 0.5


def program(options: Options, n: int) -> int:
    made = Options(rate=1.5)
    names = made.names
    if names is not None:
        n += names["a"]
    return len(options.sizes) + len(made.sizes) * n


def inputs():
    return [(Options([4], None, "x", 1.0), 3)]
