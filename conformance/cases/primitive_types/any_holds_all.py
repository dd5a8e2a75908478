"""Any takes a value of every type; only tests, str and passing on are allowed on it."""

from typing import Any, List


def keep(x: Any) -> Any:
    return x


def program(n: int, s: str) -> List[Any]:
    mixed: List[Any] = [n, s, None, keep(2.5)]
    mixed.append(keep([n]))
    return mixed


def inputs():
    return [(1, "a"), (0, "")]
