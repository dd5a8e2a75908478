"""Broadcasting: the shape of a pointwise operator's result."""

from __future__ import annotations

from collections.abc import Sequence


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """Return the shape that tensors of these shapes broadcast to.

    Raises `RuntimeError` where two lengths differ and neither is 1, in the words of aten's
    `infer_size`. `torch.broadcast_shapes` does the same once it has imported sympy, which takes
    longer than all else that a first call does.
    """
    rank = max(map(len, shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for axis, length in enumerate(shape, rank - len(shape)):
            if length == 1 or length == result[axis]:
                continue
            if result[axis] != 1:
                raise RuntimeError(
                    f"The size of tensor a ({result[axis]}) must match the size of tensor b "
                    f"({length}) at non-singleton dimension {axis}"
                )
            result[axis] = length
    return tuple(result)
