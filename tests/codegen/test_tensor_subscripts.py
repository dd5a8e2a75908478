"""Subscripts by torch's binding of `[]` are the operator's: results, aliases, gradients, errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.codegen.python import python_source


def by_one(x: Tensor, i: Tensor) -> Tensor:
    return x[i]


def behind_all(x: Tensor, i: Tensor) -> Tensor:
    return x[:, i]


def by_two(x: Tensor, i: Tensor) -> Tensor:
    return x[i, i]


def between(x: Tensor, i: Tensor) -> Tensor:
    return x[:, i, :, i]


def of_a_slice(x: Tensor, i: Tensor) -> Tensor:
    return x[1:, i]


def by_number(x: Tensor, n: int) -> Tensor:
    return x[n]


def by_slices(x: Tensor) -> Tensor:
    return x[1:, :2, 1:]


def by_last_slice(x: Tensor) -> Tensor:
    return x[:, :, 1:]


_BY_TENSORS = (by_one, behind_all, by_two, between, of_a_slice)
_INDICES = {
    "ints": torch.tensor([1, 0, -1]),
    "matrix": torch.tensor([[1, 0], [0, 1]]),
    "small ints": torch.tensor([1, 0], dtype=torch.int32),
    "mask": torch.tensor([True, False]),
    "bytes": torch.tensor([1, 0], dtype=torch.uint8),
    "mask of two dimensions": torch.tensor([[True, False], [False, True]]),
    "mask of one": torch.tensor([True]),
    "a number": torch.tensor(1),
    "a bool": torch.tensor(True),
    "none": torch.tensor([], dtype=torch.int64),
    "too large": torch.tensor([7]),
    "floats": torch.tensor([0.5]),
    "too many dimensions": torch.ones(2, 2, 2, 2, 2, dtype=torch.bool),
}


def _said(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return a result with its strides and gradient, or the last line of the error."""
    given = [each.clone() if isinstance(each, Tensor) else each for each in arguments]
    given[0].requires_grad_()
    try:
        result = function(*given)
    except RuntimeError as error:
        return str(error).rpartition("RuntimeError: ")[2].strip()
    (result * torch.arange(result.numel()).reshape(result.shape)).sum().backward()
    return result.tolist(), result.stride(), result._is_view(), given[0].grad.tolist()


@pytest.mark.parametrize("program", _BY_TENSORS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("index", _INDICES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_subscripts_by_tensors_are_the_operator(program: Callable[..., Any], index: str) -> None:
    mine, theirs = minits.script(program), torch.jit.script(program)
    for size in ((2, 2, 2, 2), (2, 2), (2,), ()):
        x = torch.rand(size)
        expected = _said(theirs, x, _INDICES[index])
        for _ in range(2):
            found = _said(mine, x, _INDICES[index])
            if isinstance(expected, str) and program not in (by_one, by_two):
                assert isinstance(found, str)  # slices of the whole are gone, and do not raise
            else:
                assert found == expected


@pytest.mark.parametrize("size", [(3, 2, 2), (3, 2), (3,), ()])
@pytest.mark.parametrize("program", [by_slices, by_last_slice], ids=lambda each: each.__name__)
def test_slices_are_the_operators(program: Callable[..., Any], size: tuple[int, ...]) -> None:
    mine, theirs = minits.script(program), torch.jit.script(program)
    x = torch.rand(size)
    expected = _said(theirs, x)
    for _ in range(3):
        assert _said(mine, x) == expected


@pytest.mark.parametrize("size", [(3, 2), (3,), ()])
@pytest.mark.parametrize("number", [0, 2, -3, 3, -4])
def test_rows_are_the_operator(size: tuple[int, ...], number: int) -> None:
    mine, theirs = minits.script(by_number), torch.jit.script(by_number)
    x = torch.rand(size)
    expected = _said(theirs, x, number)
    for _ in range(2):
        assert _said(mine, x, number) == expected


def test_an_index_without_dimensions_copies() -> None:
    compiled = minits.script(by_one)
    x = torch.zeros(3, 2)
    for _ in range(2):
        compiled(x, torch.tensor(1)).fill_(1)
    assert not x.any()


def test_rows_share_memory() -> None:
    compiled = minits.script(by_number)
    x = torch.zeros(3, 2)
    for row in (0, 1):
        compiled(x, row).fill_(1)
    assert x.tolist() == [[1, 1], [1, 1], [0, 0]]


def test_indices_that_may_be_none_go_through_the_operator() -> None:
    def picked(x: Tensor, i: Tensor | None, j: Tensor) -> Tensor:
        return torch.ops.aten.index(x, [i, j])

    compiled = minits.script(picked)
    assert "at_indices" not in python_source(compiled.graph, "picked")
    x, i = torch.rand(3, 3), torch.tensor([1, 2])
    for _ in range(2):
        assert torch.equal(compiled(x, None, i), x[:, i])
        assert torch.equal(compiled(x, i, i), x[i, i])


def test_what_is_written_is_pythons_subscript() -> None:
    texts = [python_source(minits.script(each).graph, "f") for each in (*_BY_TENSORS, by_number)]
    assert ["at_ind" in text or "row(" in text for text in texts] == [True] * len(texts)
    assert not any("aten_index" in text or "torch_select" in text for text in texts)


_DTYPES = (
    torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex64, torch.bool,
    torch.uint8, torch.int8, torch.int64,
)  # fmt: skip


@pytest.mark.parametrize("number", ["0", "1.0", "127", "True", "300", "0.1", "-1", "2.75"])
def test_written_numbers_are_those_of_torch(number: str) -> None:
    unit = (
        f"def f(x: Tensor) -> Tensor:\n    x[:, 1] = {number}\n    x[0] = {number}\n    return x\n"
    )
    mine, theirs = minits.CompilationUnit(unit).f, torch.jit.CompilationUnit(unit).f
    assert ("torch_fill_" in python_source(mine.graph, "f")) == (
        number in ("0", "1.0", "127", "True")
    )
    for dtype in _DTYPES:
        x = torch.tensor([[3, 4], [5, 6]]).to(dtype)
        expected = theirs(x.clone())
        for _ in range(3):
            found = x.clone()
            assert mine(found) is found
            assert torch.equal(found, expected)


def filled(x: Tensor, y: Tensor) -> Tensor:
    y = y * 2
    y[:, 0] = 1.0
    x[0] = 0
    return x * y


def test_gradients_of_written_numbers_are_those_of_torch() -> None:
    def gradients(program: Callable[..., Any], writes_leaf: bool) -> Any:
        x, y = torch.ones(2, 3, requires_grad=writes_leaf), torch.ones(2, 3, requires_grad=True)
        try:
            program(x, y).sum().backward()
        except RuntimeError as error:
            return str(error).rpartition("RuntimeError: ")[2].strip()
        return y.grad.tolist()

    mine, theirs = minits.script(filled), torch.jit.script(filled)
    for writes_leaf in (False, True):
        expected = gradients(theirs, writes_leaf)
        for _ in range(3):
            assert gradients(mine, writes_leaf) == expected
