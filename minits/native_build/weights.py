"""The weights of a library as tables of C: what `c/weights.c` reads them by."""

from __future__ import annotations

from collections.abc import Iterator

from minits.native.expressions import quoted as literal_of_bytes
from minits.native_build.literals import quoted
from minits.native_build.safetensors import Entry, WeightsFile
from minits.native_build.tables import array

_BYTES_PER_LINE = 64


def weight_tables(file: WeightsFile, are_embedded: bool) -> list[str]:
    """Return the table of the tensors in a file, and their data if that is not to be in a file."""
    lines = [text for number, entry in enumerate(file.entries) for text in _shape(number, entry)]
    rows = [_row(number, entry) for number, entry in enumerate(file.entries)]
    lines += array("mts_weight mts_weights", rows)
    if are_embedded:
        lines += ["static const char mts_weight_data[] =", *_data_lines(file.data())]
    return lines


def _shape(number: int, entry: Entry) -> Iterator[str]:
    """Yield the sizes of a tensor, and the strides of one that is read row by row."""
    sizes = [*entry.tensor.shape]
    strides = [1]
    for size in reversed(sizes[1:]):
        strides.insert(0, strides[0] * max(size, 1))
    for what, numbers in (("sizes", sizes), ("strides", strides[: len(sizes)])):
        listed = ", ".join(map(str, numbers)) or "0"
        yield f"static const int64_t mts_{what}_{number}[] = {{{listed}}};"


def _row(number: int, entry: Entry) -> str:
    dtype = f"aoti_torch_dtype_{str(entry.tensor.dtype).removeprefix('torch.')}"
    shape = f"mts_sizes_{number}, mts_strides_{number}"
    return f"{{{quoted(entry.name)}, {dtype}, {entry.tensor.dim()}, {entry.length}, {shape}}}"


def _data_lines(data: bytes) -> Iterator[str]:
    """Yield string literals that are one, and the end of the declaration."""
    for start in range(0, len(data), _BYTES_PER_LINE):
        yield f"    {literal_of_bytes(data[start : start + _BYTES_PER_LINE])}"
    yield '    "";'
