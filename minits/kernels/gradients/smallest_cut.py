"""The fewest bytes to save so that a kernel's inputs need not be read again.

    x, b  ->  t = x + b  ->  e = erf(t)  ->  y            the gradient reads t and e

Of x and b both, t and e both, or t alone the gradient can compute what it reads: t is saved. This
is a smallest cut of the graph of values between the inputs that may have changed and what is read
(Ford and Fulkerson: as much flows through as the cut can hold). Of several the last one is taken:
least is computed again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable

from minits.kernels.ir.kernel import Level, Scalar

Vertex = tuple[Scalar | None, bool]
"""Before a value (False) or behind it (True); (None, ..) are the source and the sink."""

_SOURCE: Vertex = (None, True)
_SINK: Vertex = (None, False)
_UNLIMITED = 1 << 40
_FULL = 1 << 10
"""The size of a FULL value, in ROW values."""


def smallest_cut(
    values: Collection[Scalar],
    changing: Iterable[Scalar],
    read: Iterable[Scalar],
    savable: Collection[Scalar],
) -> list[Scalar]:
    """Return values through which all ways from `changing` to `read` lead, in their order.

    Only `values` are gone through, and only those that are `savable` are returned.
    """
    room: dict[Vertex, dict[Vertex, int]] = {_SOURCE: {}, _SINK: {}}

    def connect(one: Vertex, other: Vertex, capacity: int) -> None:
        room.setdefault(one, {})[other] = capacity
        room.setdefault(other, {}).setdefault(one, 0)

    for value in values:
        size = _size(value) if value in savable else _UNLIMITED
        connect((value, False), (value, True), size)
        for operand in value.operands:
            if (operand, True) in room:
                connect((operand, True), (value, False), _UNLIMITED)
    for value in changing:
        connect(_SOURCE, (value, False), _UNLIMITED)
    for value in read:
        connect((value, True), _SINK, _UNLIMITED)
    while _flows(room):
        pass
    behind = _leading_to_sink(room)
    return [v for v in values if (v, True) in behind and (v, False) not in behind]


def _size(value: Scalar) -> int:
    """Extrema are not saved: what is compared with them must be the result of one kernel."""
    if value.op in ("max", "min", "argmax", "argmin"):
        return _UNLIMITED
    bytes_each: int = value.dtype.itemsize
    return bytes_each * (_FULL if value.level is Level.FULL else 1)


def _flows(room: dict[Vertex, dict[Vertex, int]]) -> bool:
    """Let more flow along a shortest way to the sink; return whether there is one."""
    came: dict[Vertex, Vertex] = {_SOURCE: _SOURCE}
    waiting = deque([_SOURCE])
    while waiting and _SINK not in came:
        vertex = waiting.popleft()
        for following, left in room[vertex].items():
            if left and following not in came:
                came[following] = vertex
                waiting.append(following)
    if _SINK not in came:
        return False
    steps = []
    vertex = _SINK
    while vertex != _SOURCE:
        steps.append((came[vertex], vertex))
        vertex = came[vertex]
    amount = min(room[one][other] for one, other in steps)
    for one, other in steps:
        room[one][other] -= amount
        room[other][one] += amount
    return True


def _leading_to_sink(room: dict[Vertex, dict[Vertex, int]]) -> set[Vertex]:
    found = {_SINK}
    waiting = [_SINK]
    while waiting:
        vertex = waiting.pop()
        for before in room[vertex]:
            if before not in found and room[before][vertex]:
                found.add(before)
                waiting.append(before)
    return found
