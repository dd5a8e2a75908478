"""Sums over the leading dimensions of small tensors, as gradients of a bias or a weight need them.

    gradient of y [B, S, H]  to  gradient of bias [H]

torch's own sum is as fast by itself, but between other work it takes some microseconds more to set
out than a small gradient's kernel takes in all.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import torch
from torch import Tensor

from minits.kernels.cpu.c_build import NoCompiler, build
from minits.torch_internals import empty_strided_cpu

MOST_ELEMENTS = 1 << 15
"""Above, torch's sum is as fast, and it has threads."""

_TYPES = {torch.float32: "float", torch.float64: "double"}
_TEXT = """
// Rows are added up in chunks and these in double, so that no row is lost in a large sum.
void column_sums(const {t} *restrict x, {t} *restrict y, long long rows, long long columns)
{
    enum { CHUNK = 32, WIDTH = 256 };
    for (long long first = 0; first < columns; first += WIDTH) {
        long long width = columns - first < WIDTH ? columns - first : WIDTH;
        double total[WIDTH] = {0};
        for (long long row = 0; row < rows; row += CHUNK) {
            long long end = rows - row < CHUNK ? rows : row + CHUNK;
            {t} part[WIDTH] = {0};
            for (long long i = row; i < end; i++) {
                const {t} *from = x + i * columns + first;
                for (long long j = 0; j < width; j++)
                    part[j] += from[j];
            }
            for (long long j = 0; j < width; j++)
                total[j] += part[j];
        }
        for (long long j = 0; j < width; j++)
            y[first + j] = total[j];
    }
}
"""


def column_sums(shape: tuple[int, ...], leading: int) -> Callable[[Tensor], Tensor]:
    """Return a function from `x`, of this shape, to its sum over the first `leading` dimensions.

    The result has the shape `shape[leading:]` and the dtype of `x`. The function is compiled; for
    large or strided tensors, and dtypes other than float32 and float64, it is torch's sum.
    """
    dims = tuple(range(leading))
    rows, columns = 1, 1
    for dim, size in enumerate(shape):
        rows, columns = (rows * size, columns) if dim < leading else (rows, columns * size)
    kept = shape[leading:]
    strides = torch.empty(kept, device="meta").stride()
    is_small = rows * columns <= MOST_ELEMENTS

    def sums(x: Tensor) -> Tensor:
        if not (is_small and x.is_cpu and x.is_contiguous()):
            return torch.sum(x, dims)
        function = _function(x.dtype)
        if function is None:
            return torch.sum(x, dims)
        result = empty_strided_cpu(kept, strides, x.dtype)
        function(x.data_ptr(), result.data_ptr(), rows, columns)
        return result

    return sums


@cache
def _function(dtype: torch.dtype) -> Callable[..., None] | None:
    if dtype not in _TYPES:
        return None
    try:
        function = build(_TEXT.replace("{t}", _TYPES[dtype]))["column_sums"]
    except NoCompiler:
        return None
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_longlong, ctypes.c_longlong]
    function.restype = None
    found: Callable[..., None] = function
    return found
