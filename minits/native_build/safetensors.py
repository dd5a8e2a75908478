"""The file of weights, model.safetensors: tensors by name, which other programs read as well.

    8 bytes        the length of the header, little-endian
    header         JSON, filled up with spaces to a multiple of 8 bytes:
                   {"layer.weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
    data           the elements of each tensor in turn, row by row, little-endian

Tensors of larger elements come first, so that each begins at a multiple of its elements' size.

Source: https://github.com/huggingface/safetensors, "Format".
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import torch

from minits.records import dataclass

DTYPES = {
    torch.float64: "F64", torch.int64: "I64", torch.float32: "F32", torch.int32: "I32",
    torch.float16: "F16", torch.bfloat16: "BF16", torch.int16: "I16", torch.int8: "I8",
    torch.uint8: "U8", torch.bool: "BOOL",
}  # fmt: skip
"""The names of dtypes in the header."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A tensor of the file: its bytes are those from `offset` on in the data."""

    name: str
    tensor: torch.Tensor
    offset: int

    @property
    def length(self) -> int:
        """The number of its bytes."""
        return int(self.tensor.numel() * self.tensor.element_size())


@dataclass(frozen=True, slots=True)
class WeightsFile:
    """The content of a file: its head, with the length of the header, and its tensors in order."""

    head: bytes
    entries: list[Entry]

    def content(self) -> bytes:
        """Return the whole file."""
        return b"".join([self.head, *(_bytes_of(entry.tensor) for entry in self.entries)])

    def data(self) -> bytes:
        """Return the file without its head."""
        return self.content()[len(self.head) :]


def weights_file(tensors: Mapping[str, torch.Tensor]) -> WeightsFile:
    """Return the content of a file of tensors. Raises KeyError for a dtype without a name."""
    in_order = sorted(tensors.items(), key=lambda item: -item[1].element_size())
    header: dict[str, dict[str, object]] = {}
    entries, offset = [], 0
    for name, tensor in in_order:
        entry = Entry(name, tensor, offset)
        offsets = [offset, offset + entry.length]
        dtype = DTYPES[tensor.dtype]
        header[name] = {"dtype": dtype, "shape": [*tensor.shape], "data_offsets": offsets}
        entries.append(entry)
        offset += entry.length
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return WeightsFile(len(text).to_bytes(8, "little") + text, entries)


def _bytes_of(tensor: torch.Tensor) -> bytes:
    """Return the elements of a tensor in the order of its rows."""
    plain = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
    found: bytes = plain.numpy().tobytes()
    return found
