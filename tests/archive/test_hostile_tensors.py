"""Tensors whose description contradicts itself, or their storage."""

from __future__ import annotations

import pytest

import minits
from tests.support.archives import CLASS, FORWARD, archive_of, refused
from tests.support.hostile_archives import tensor, with_tensor


def test_the_tensor_of_these_tests_is_right() -> None:
    assert minits.load(with_tensor(tensor())).a.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("described", "match"),
    [
        (tensor(offset=1), "needs 3 elements"),
        (tensor(offset=-1), "are counts"),
        (tensor(size=(3,)), "needs 3 elements"),
        (tensor(stride=(2,)), "needs 3 elements"),
        (tensor(stride=(-1,)), "are counts"),
        (tensor(size=(-1,)), "are counts"),
        (tensor(size=(2, 1)), "are counts"),
        (tensor(size=(2**40, 2**40), stride=(0, 0)), "more elements than can be counted"),
        (tensor(size=(2**62,), stride=(2**62,)), "needs"),
        (tensor(size=(1,) * 65, stride=(1,) * 65), "at most 64"),
        (tensor(numel=3), "says that it holds 3"),
        (tensor(numel=2**62), "larger than can be counted|says that it holds"),
        (tensor(numel=-1), "no count"),
        (tensor(kind="Double"), "says that it holds 2"),
        (tensor(kind="QInt8"), "says that it holds 2"),
        (tensor(key=b"../0"), "no name of a record"),
        (tensor(key=b"9"), "no such record"),
        (tensor(device=b"nowhere"), "is not known"),
        (tensor(kind="Int", grad=b"\x88"), "cannot require a gradient"),
        (tensor(grad=b"N"), "whether it requires a gradient"),
    ],
)
def test_tensors(described: bytes, match: str) -> None:
    refused(with_tensor(described), match)


def test_expanded_tensors_take_no_memory() -> None:
    wide = tensor(size=(2**40,), stride=(0,), numel=1)
    assert minits.load(with_tensor(wide, b"\0" * 4)).a.shape == (2**40,)


def test_short_storages() -> None:
    refused(with_tensor(tensor(), b"\0" * 7), "has 7 bytes")


def test_one_storage_is_described_in_one_way() -> None:
    code = CLASS + "  a : Tensor\n  b : Tensor\n" + FORWARD
    state = b"}(X\1\0\0\0a" + tensor() + b"X\1\0\0\0b" + tensor(kind="Int") + b"u"
    refused(archive_of(code, state, **{"data/0": b"\0" * 8}), "twice, differently")


def test_devices_that_are_not_here_are_the_cpu() -> None:
    with pytest.warns(UserWarning, match="which is not here"):
        loaded = minits.load(with_tensor(tensor(device=b"xla:3")))
    assert loaded.a.device.type == "cpu"
