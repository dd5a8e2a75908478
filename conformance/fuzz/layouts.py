"""Tensors that lie in memory in all the ways that there are, and how results may differ in that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from random import Random

from torch import Tensor

Make = Callable[[list[int]], Tensor]
KINDS = ("plain",) * 6 + ("permuted", "permuted", "sliced", "sliced", "expanded", "image", "ones")
STRIDES_OF_ONES = (0, 1, 2, 7, 100)


def laid_out(random: Random, shape: list[int], make: Make) -> Tensor:
    """Return a tensor of a shape that lies in some way. `make` makes contiguous ones.

    Dimensions are permuted (channels last, too), sliced, expanded; those of size one may have any
    stride. Now and then two of these come together.
    """
    for kind in random.sample(KINDS, 1 if random.random() < 0.7 else 2):
        make = partial(_laid, random, kind, make=make)
    return make(shape)


def _laid(random: Random, kind: str, shape: list[int], make: Make) -> Tensor:
    rank = len(shape)
    if not rank:
        return make(shape)
    dim = random.randrange(rank)
    match kind:
        case "permuted":
            return _permuted(shape, random.sample(range(rank), rank), make)
        case "image" if rank in (4, 5):
            return _permuted(shape, [0, *range(2, rank), 1], make)
        case "sliced":
            length, step = 2 * shape[dim] + 1, random.choice((1, 2))
            whole = make([*shape[:dim], length, *shape[dim + 1 :]])
            return whole[(slice(None),) * dim + (slice(1, 1 + step * shape[dim], step),)]
        case "expanded" if shape[dim]:
            return make([*shape[:dim], 1, *shape[dim + 1 :]]).expand(shape)
        case "ones":
            made = make(shape)
            strides = [
                random.choice(STRIDES_OF_ONES) if size == 1 else stride
                for size, stride in zip(shape, made.stride(), strict=True)
            ]
            return made.as_strided(shape, strides)
    return make(shape)


def _permuted(shape: Sequence[int], order: Sequence[int], make: Make) -> Tensor:
    """A tensor whose dimensions lie in this order, slowest first."""
    made = make([shape[dim] for dim in order])
    return made.permute([list(order).index(dim) for dim in range(len(shape))])


def difference(found: Sequence[Tensor], wanted: Sequence[Tensor], given: Sequence[Tensor]) -> str:
    """Return the difference of results in strides or offset, or in sharing memory; '' if none.

    `given` are tensors that both were made of.
    """
    for number, (mine, theirs) in enumerate(zip(found, wanted, strict=True)):
        for name in ("stride", "storage_offset", "is_contiguous"):
            one, other = getattr(mine, name)(), getattr(theirs, name)()
            if one != other:
                return f"result {number} of shape {tuple(theirs.shape)}: {name} {one} for {other}"
    ours, eager = [*given, *found], [*given, *wanted]
    for one, other in combinations(range(len(ours)), 2):
        shares, should = _share(ours[one], ours[other]), _share(eager[one], eager[other])
        if shares != should:
            names = [
                f"result {at - len(given)}" if at >= len(given) else f"tensor {at}"
                for at in (one, other)
            ]
            return f"{' and '.join(names)} {'share' if shares else 'do not share'} memory"
    return ""


def _share(one: Tensor, other: Tensor) -> bool:
    return bool(one.untyped_storage()._cdata == other.untyped_storage()._cdata)
