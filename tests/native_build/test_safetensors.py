"""The file of weights has the format that others read."""

from __future__ import annotations

import json

import pytest
import torch

from minits.native_build.library_functions import hash_of
from minits.native_build.safetensors import DTYPES, weights_file
from minits.native_build.weights import weight_tables


def read(content: bytes) -> dict[str, torch.Tensor]:
    """Read such a file, as its format says. Raises AssertionError for one with gaps."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    data, end, found = content[8 + length :], 0, {}
    assert length % 8 == 0
    for name, told in header.items():
        start, stop = told["data_offsets"]
        assert start == end
        end = stop
        (dtype,) = [each for each, short in DTYPES.items() if short == told["dtype"]]
        if start == stop:
            found[name] = torch.empty(told["shape"], dtype=dtype)
            continue
        flat = torch.frombuffer(bytearray(data[start:stop]), dtype=torch.uint8)
        found[name] = flat.view(dtype).reshape(told["shape"])
    assert end == len(data)
    return found


def test_tensors_come_back() -> None:
    values = torch.tensor([[0, 1], [3, 4], [0, 6]])
    tensors = {f"x.{dtype}": values.to(dtype) for dtype in DTYPES}
    tensors |= {
        "scalar": torch.tensor(2.5),
        "empty": torch.zeros(0, 3),
        "columns": values.t(),
        "parameter": torch.nn.Parameter(torch.randn(3)),
        "naïve\n": torch.ones(1),
    }
    found = read(weights_file(tensors).content())
    assert found.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert found[name].dtype is tensor.dtype
        assert torch.equal(found[name], tensor.detach())


def test_each_tensor_begins_at_a_multiple_of_its_elements_size() -> None:
    tensors = {
        "a": torch.ones(3, dtype=torch.bool),
        "b": torch.ones(1),
        "c": torch.ones(1).double(),
    }
    for entry in weights_file(tensors).entries:
        assert entry.offset % entry.tensor.element_size() == 0


def test_a_dtype_without_a_name_is_refused() -> None:
    with pytest.raises(KeyError):
        weights_file({"x": torch.ones(2, dtype=torch.complex64)})


def test_tables_of_c_have_the_rows_of_a_tensor() -> None:
    file = weights_file({"a": torch.ones(2, 3), "b": torch.tensor(True)})
    text = "\n".join(weight_tables(file, are_embedded=True))
    assert '{"a", aoti_torch_dtype_float32, 2, 24, mts_sizes_0, mts_strides_0},' in text
    assert "mts_sizes_0[] = {2, 3};" in text
    assert "mts_strides_0[] = {3, 1};" in text
    assert '{"b", aoti_torch_dtype_bool, 0, 1, mts_sizes_1, mts_strides_1},' in text
    assert text.endswith(r'\000\000\200?\001"' + '\n    "";')


def test_the_hash_is_that_of_fnv() -> None:
    assert hash_of(b"") == 0xCBF29CE484222325
    assert hash_of(b"a") == 0xAF63DC4C8601EC8C
