"""Rules of operators whose sizes depend on data: dtype and rank are known, sizes are examples.

    keep : Tensor = aten::nonzero(%mask)          int64 [64, rank of mask]
    %y : Tensor = aten::index(%x, [%mask])        dtype of x [64, ...]

Each dimension whose size the data decides gets `EXAMPLE_SIZE`. So these rules are for what fusion
groups by, since a kernel looks at the sizes that arrive; nothing that has to be certain of a tensor
takes them (`propagate.py`). torch marks the operators by its tag `dynamic_output_shape`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from minits.ops.eager_strides import contiguous_strides
from minits.passes.shape_propagation.rule_parts import Arguments, NoRule, Rule, make
from minits.records import replace
from minits.types.tensor_meta import TensorMeta

EXAMPLE_SIZE = 64
"""The size of a dimension that data decide. It is no one, since kernels broadcast these."""
_MASKS = (torch.bool, torch.uint8)


def nonzero(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    operand = arguments["self"]
    return _indices(operand, (EXAMPLE_SIZE, operand.rank))


def nonzero_of_dims(operator: Callable[..., Any], arguments: Arguments) -> list[TensorMeta]:
    """`where(condition)` and `nonzero_numpy`: a vector of indices for each dimension.

    Raises `NoRule`.
    """
    if len(arguments) > 1:
        raise NoRule("one of two tensors")
    (operand,) = arguments.values()
    return [_indices(operand, (EXAMPLE_SIZE,))] * max(operand.rank, 1)


def masked_select(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    operand, mask = arguments["self"], arguments["mask"]
    return make([operand, mask], operand.dtype, (EXAMPLE_SIZE,))


def unique(operator: Callable[..., Any], arguments: Arguments) -> Any:
    """`_unique`, `_unique2`: values, where each element went, and how many went there."""
    operand = arguments["self"]
    values = make([operand], operand.dtype, (EXAMPLE_SIZE,))
    inverse = operand.shape if arguments["return_inverse"] else (0,)
    if "return_counts" not in arguments:
        return values, _indices(operand, inverse)
    counts = (EXAMPLE_SIZE,) if arguments["return_counts"] else (0,)
    return values, _indices(operand, inverse), _indices(operand, counts)


def unique_consecutive(operator: Callable[..., Any], arguments: Arguments) -> Any:
    dim, rank = arguments["dim"], arguments["self"].rank
    is_flat = dim is None or (rank, dim) == (1, 0)
    return unique(operator, arguments) if is_flat else unique_dim(operator, arguments)


def unique_dim(operator: Callable[..., Any], arguments: Arguments) -> Any:
    """Return all three tensors, whatever is asked for, as torch does."""
    operand, dim = arguments["self"], arguments["dim"]
    values = make([operand], operand.dtype, _with_example(operand.shape, dim))
    inverse = (operand.shape[dim],)
    return values, _indices(operand, inverse), _indices(operand, (EXAMPLE_SIZE,))


def bincount(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """Counts are int64; sums of weights are float32 for these, else float64."""
    operand, weights = arguments["self"], arguments["weights"]
    if weights is None:
        return _indices(operand, (EXAMPLE_SIZE,))
    dtype = torch.float32 if weights.dtype == torch.float32 else torch.float64
    return replace(make([operand], dtype, (EXAMPLE_SIZE,)), requires_grad=False)


def repeat_interleave(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """Elements of `self`, or indices, repeated as often as a tensor says. Raises `NoRule`."""
    repeats = arguments["repeats"]
    if not isinstance(repeats, TensorMeta):
        raise NoRule("repeated by a number")
    if "self" not in arguments:
        return make([repeats], repeats.dtype, (EXAMPLE_SIZE,))
    operand, dim = arguments["self"], arguments["dim"]
    shape = (EXAMPLE_SIZE,) if dim is None else _with_example(operand.shape, dim)
    return make([operand], operand.dtype, shape)


def one_hot(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    operand, classes = arguments["self"], arguments["num_classes"]
    return _indices(operand, (*operand.shape, EXAMPLE_SIZE if classes == -1 else classes))


def combinations(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    operand, chosen = arguments["self"], arguments["r"]
    shape = (EXAMPLE_SIZE, chosen) if chosen else (0,)
    return make([operand], operand.dtype, shape)


def _with_example(shape: Sequence[int], dim: int) -> tuple[int, ...]:
    sizes = list(shape)
    sizes[dim] = EXAMPLE_SIZE
    return tuple(sizes)


def _indices(like: TensorMeta, shape: Sequence[int]) -> TensorMeta:
    """Return int64 metadata of this shape, on the device of a tensor."""
    shape = tuple(shape)
    return TensorMeta(torch.int64, like.device, shape, contiguous_strides(shape))


# ---- Indexing ------------------------------------------------------------------------------------


def _has_masks(indices: Sequence[TensorMeta | None]) -> bool:
    """Return whether a tensor is indexed by masks: their data decide how many there are."""
    return any(index is not None and index.dtype in _MASKS for index in indices)


def index(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    """`x[i, :, mask]`: a mask of rank r stands for r vectors of indices. Raises `NoRule`."""
    operand = arguments["self"]
    if not isinstance(operand, TensorMeta) or not _has_masks(arguments["indices"]):
        raise NoRule("no mask")
    given: list[TensorMeta | None] = []
    for each in arguments["indices"]:
        given += [each] if each is None or each.dtype not in _MASKS else _vectors(each)
    if len(given) > operand.rank:
        raise IndexError(f"{len(given)} indices of a tensor of rank {operand.rank}")
    given += [None] * (operand.rank - len(given))
    return make([operand], operand.dtype, _indexed_shape(operand.shape, given))


def _vectors(mask: TensorMeta) -> list[TensorMeta | None]:
    return [_indices(mask, (EXAMPLE_SIZE,))] * mask.rank


def _indexed_shape(shape: Sequence[int], indices: Sequence[TensorMeta | None]) -> tuple[int, ...]:
    """Return the shape of a tensor indexed by tensors; None is `:`.

    Dimensions of the indices stand where the first is, if they are next to each other; else first.
    """
    places = [place for place, index in enumerate(indices) if index is not None]
    looked_up = _broadcast([each.shape for each in indices if each is not None])
    others = [size for size, index in zip(shape, indices, strict=True) if index is None]
    is_one_run = places == list(range(places[0], places[-1] + 1)) if places else True
    first = places[0] if places and is_one_run else 0
    return (*others[:first], *looked_up, *others[first:])


def _broadcast(shapes: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the shape that tensors broadcast to; an example size gives way to another's."""
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    found = [(set(sizes) - {1, EXAMPLE_SIZE}) or sizes for sizes in zip(*padded, strict=True)]
    return tuple(map(max, found))


DATA_DEPENDENT: dict[str, Rule] = {
    "aten::nonzero": nonzero,
    "aten::argwhere": nonzero,
    "aten::nonzero_numpy": nonzero_of_dims,
    "aten::where": nonzero_of_dims,
    "aten::masked_select": masked_select,
    "aten::_unique": unique,
    "aten::_unique2": unique,
    "aten::unique_consecutive": unique_consecutive,
    "aten::unique_dim": unique_dim,
    "aten::unique_dim_consecutive": unique_dim,
    "aten::bincount": bincount,
    "aten::repeat_interleave": repeat_interleave,
    "aten::one_hot": one_hot,
    "aten::combinations": combinations,
    "aten::index": index,
}
"""The rule of each kind of node whose sizes may depend on data."""
