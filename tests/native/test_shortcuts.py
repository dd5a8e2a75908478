"""Operators that C does itself: views that are only read, small joins, products of a few rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from minits.native.shortcuts import VIEWS
from tests.support.agreement import comparable
from tests.support.native_loops import compiled
from tests.support.needs import need_c_interface

need_c_interface()


def outcome(function: Callable[..., Any], values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the result with its strides, or the error."""
    try:
        result = function(*values)
        tensors = result if isinstance(result, tuple) else (result,)
        return "result", comparable(result), [each.stride() for each in tensors]
    except Exception as error:
        return type(error).__name__, str(error)


# ---- Views -------------------------------------------------------------------------------------


def sliced(x: Tensor, dim: int, start: int, end: int, step: int) -> Tensor:
    return torch.ops.aten.slice(x, dim, start, end, step) + 1


def sliced_openly(x: Tensor, a: int) -> tuple[Tensor, Tensor, Tensor]:
    return x[a:] + 1, x[:a] + 1, x[:] + 1


def selected(x: Tensor, dim: int, index: int) -> Tensor:
    return x.select(dim, index) + 1


def unsqueezed(x: Tensor, dim: int) -> Tensor:
    return x.unsqueeze(dim) + 1


def squeezed(x: Tensor, dim: int) -> Tensor:
    return x.squeeze(dim) + 1


def transposed(x: Tensor, first: int, second: int) -> Tensor:
    return x.transpose(first, second) + 1


def turned(x: Tensor) -> Tensor:
    return x.t() + 1


def viewed(x: Tensor, sizes: list[int]) -> Tensor:
    return x.view(sizes) + 1


def of_views(x: Tensor, i: int) -> tuple[Tensor, Tensor]:
    """Views of views, a join of them, and questions about one."""
    a = x[1:].transpose(0, 1).unsqueeze(0)
    b = torch.cat([a[0, i], x[i]], 0)
    return b, a.sum() * a.size(2) + a.stride(1)


TENSORS = {
    "rows": torch.arange(24.0).view(4, 6),
    "columns": torch.arange(24.0).view(4, 6).t(),
    "halves": torch.arange(24.0).view(4, 6)[:, ::2],
    "one row": torch.arange(6.0).view(1, 6),
    "one column": torch.arange(6.0).view(6, 1),
    "none": torch.zeros(0, 3),
    "a number": torch.tensor(2.0),
    "images": torch.arange(48.0).view(2, 3, 2, 4).to(memory_format=torch.channels_last),
    "expanded": torch.arange(3.0).expand(4, 3),
    "ints": torch.arange(12).view(3, 4),
    "bools": torch.arange(12).view(3, 4) % 2 == 0,
    "complex": torch.complex(torch.ones(2, 3), torch.arange(6.0).view(2, 3)).conj(),
    "halves of 16 bits": torch.arange(12).view(3, 4).bfloat16(),
    "nine dimensions": torch.ones([1, 2] + [1] * 7),
}
NUMBERS = (-9, -2, -1, 0, 1, 2, 3, 9)
CALLS: dict[Callable[..., Any], list[tuple[Any, ...]]] = {
    sliced: [
        (dim, start, end, step)
        for dim in (0, -1, 3)
        for start, end in ((0, 3), (-2, 9), (1, 1), (3, 1), (-9, 2), (1, -1))
        for step in (1, 2, 0)
    ],
    sliced_openly: [(a,) for a in NUMBERS],
    selected: [(dim, index) for dim in (0, 1, -1, -3) for index in NUMBERS],
    unsqueezed: [(dim,) for dim in NUMBERS],
    squeezed: [(dim,) for dim in NUMBERS],
    transposed: [(first, second) for first in NUMBERS for second in (0, -1, 4)],
    turned: [()],
    viewed: [
        (sizes,)
        for sizes in (
            [24], [-1], [2, -1], [6, 4], [1, -1, 1], [-1, -1], [0, -1], [5, -1], [2, 3, 4], [7], [],
            [-2, 3], [4, -1, 6], [1 << 40, -1], [1] * 9 + [-1], [0, 3], [6],
        )
    ],
    of_views: [(0,), (1,), (-1,), (4,)],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("function", CALLS, ids=lambda each: each.__name__)
def test_views(function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Results with their strides, and errors, are those of Python."""
    plain, ours = compiled(function, "off", monkeypatch), compiled(function, "now", monkeypatch)
    for name, tensor in TENSORS.items():
        for arguments in CALLS[function]:
            given = (tensor, *arguments)
            assert outcome(ours, given) == outcome(plain, given), (name, arguments)


def shortcuts_of(function: Any, *arguments: Any) -> set[str]:
    """Return the functions in C that a plan calls for operators of torch."""
    names = {*VIEWS.values(), "mts_cat_rows", "mts_linear_rows"}
    text = function.plan_for(*arguments).native.native.text
    return {name for name in re.findall(r"if \((\w+)\(pool, ", text) if name in names}


def test_each_view_is_a_shortcut(monkeypatch: pytest.MonkeyPatch) -> None:
    x, found = TENSORS["rows"], set()
    for function in CALLS:
        ours = compiled(function, "now", monkeypatch)
        given = (x, [6, 4]) if function is viewed else (x, *[1] * (len(CALLS[function][0])))
        ours(*given)
        found |= shortcuts_of(ours, *given)
    assert found == {*VIEWS.values(), "mts_cat_rows"}


def returned(x: Tensor) -> Tensor:
    return x[1:].t()


def written(x: Tensor) -> Tensor:
    x[0].add_(1)
    x[1:, 0] = 5
    return x * 2


def held(x: Tensor) -> list[Tensor]:
    xs = [x[0]]
    xs.append(x.view(-1))
    return xs


def carried(x: Tensor, n: int) -> Tensor:
    y = x[0]
    for i in range(n):
        y = x[i]
    return y + 1


def told_of_a_view(x: Tensor) -> bool:
    return x[0].is_leaf


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [returned, written, held, carried, told_of_a_view])
def test_what_others_see_is_a_view_of_torch(
    function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    more = (2,) if function is carried else ()
    x, given = torch.ones(3, 4), torch.ones(3, 4)
    ours = compiled(function, "now", monkeypatch)
    ours(x, *more), function(given, *more)
    assert not shortcuts_of(ours, x, *more)
    assert x._version == given._version


def test_a_view_that_is_returned_counts_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = compiled(returned, "now", monkeypatch)
    x = torch.ones(3, 4)
    view = [ours(x) for _ in range(3)][-1]
    assert view._is_view() and view._base is x
    view.add_(1)
    assert x._version == 1


def changed_meanwhile(x: Tensor) -> Tensor:
    row, part = x[0], x.view(-1)[2:]
    x.add_(1)
    return torch.cat([row, part])


def test_a_view_has_what_is_written_to_its_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = compiled(changed_meanwhile, "now", monkeypatch)
    for _ in range(3):
        assert torch.equal(ours(torch.ones(2, 3)), torch.full((7,), 2.0))
    assert shortcuts_of(ours, torch.ones(2, 3)) >= {
        "mts_select_view",
        "mts_sizes_view",
        "mts_cat_rows",
    }


# ---- Joins and products ------------------------------------------------------------------------


def joined(xs: list[Tensor], dim: int) -> Tensor:
    return torch.cat(xs, dim)


JOINS = {
    "rows": [torch.ones(2, 3), torch.zeros(2, 3)],
    "of other sizes": [torch.ones(1, 3), torch.zeros(4, 3)],
    "of three dimensions": [torch.rand(2, 3, 4), torch.rand(2, 3, 4), torch.rand(2, 3, 4)],
    "images": [torch.rand(2, 3, 2, 2).to(memory_format=torch.channels_last)] * 2,
    "other strides": [torch.rand(3, 4).t(), torch.rand(4, 3)],
    "parts": [torch.rand(4, 4)[:, 1:], torch.rand(4, 3)],
    "dtypes": [torch.ones(2, 3), torch.ones(2, 3, dtype=torch.float64)],
    "ints and floats": [torch.ones(2, 3, dtype=torch.int64), torch.ones(2, 3)],
    "empty": [torch.ones(0), torch.ones(2, 3)],
    "none": [],
    "numbers": [torch.tensor(1.0), torch.tensor(2.0)],
    "bools": [torch.tensor([[True]]), torch.tensor([[False]])],
    "complex": [torch.tensor([[1j]]).conj(), torch.tensor([[2j]])],
    "bytes": [torch.tensor([[1], [2]], dtype=torch.uint8)] * 3,
    "many": [torch.rand(200, 100)] * 2,
    "one": [torch.rand(2, 2)],
}


@pytest.mark.slow
def test_joins(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, ours = compiled(joined, "off", monkeypatch), compiled(joined, "now", monkeypatch)
    for name, tensors in JOINS.items():
        for dim in (0, 1, -1, 2, -3, 5):
            given = (tensors, dim)
            assert outcome(ours, given) == outcome(plain, given), (name, dim)


def multiplied(x: Tensor, weight: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
    return F.linear(x, weight), F.linear(x, weight, bias)


PRODUCTS = {
    "a row": ((1, 128), (256, 128), (256,)),
    "rows": ((3, 5), (7, 5), (7,)),
    "a vector": ((64,), (33, 64), (33,)),
    "of four dimensions": ((1, 2, 1, 17), (6, 17), (6,)),
    "many rows": ((9, 5), (7, 5), (7,)),
    "a large weight": ((1, 600), (600, 600), (600,)),
    "no rows": ((0, 5), (7, 5), (7,)),
    "no columns": ((1, 0), (7, 0), (7,)),
    "a bias of two dimensions": ((1, 5), (7, 5), (1, 7)),
    "a number as bias": ((1, 5), (7, 5), ()),
    "a vector as weight": ((1, 5), (5,), ()),
    "other sizes": ((1, 5), (7, 6), (7,)),
    "another bias": ((1, 5), (7, 5), (6,)),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.int64])
def test_products(dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums are added in another order than torch's, of products up to 16 times a few."""
    plain, ours = compiled(multiplied, "off", monkeypatch), compiled(multiplied, "now", monkeypatch)
    generator = torch.Generator().manual_seed(1)
    for name, shapes in PRODUCTS.items():
        x, weight, bias = [
            torch.randn(sizes, generator=generator).mul(4).to(dtype) for sizes in shapes
        ]
        columns = weight.t().contiguous().t() if weight.dim() == 2 else weight
        for values in ((x, weight, bias), (x, columns, bias)):
            expected = outcome(plain, values)
            if expected[0] != "result":
                assert outcome(ours, values) == expected, name
                continue
            for one, other in zip(ours(*values), plain(*values), strict=True):
                torch.testing.assert_close(one, other, check_stride=True, atol=1e-4, rtol=1e-5)


def test_products_of_what_is_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = compiled(multiplied, "now", monkeypatch)
    x = torch.tensor([[float("inf"), 1.0, float("nan"), -0.0]])
    weight = torch.tensor([[0.0, 1, 0, 0], [1, 1, 0, 1], [0, 1, 1, 0]])
    for _ in range(3):
        found = ours(x, weight, torch.zeros(3))
    assert found[0].isnan().all()
    x[0, 2] = 0
    torch.testing.assert_close(
        ours(x, weight, torch.zeros(3))[0], F.linear(x, weight), equal_nan=True
    )


# ---- Gradients and modes -----------------------------------------------------------------------


def step(x: Tensor, weight: Tensor, n: int) -> Tensor:
    h = x[0:1]
    for i in range(n):
        h = F.linear(torch.cat([h, x[i : i + 1]], 1), weight)
    return h.select(0, 0) * 1.5


def test_gradients_are_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = compiled(step, "now", monkeypatch)
    x, weight = torch.randn(3, 4), torch.randn(4, 8)
    plain = [ours(x, weight, 3) for _ in range(3)][-1]
    assert shortcuts_of(ours, x, weight, 3)
    for leaves in ([x], [weight], [x, weight]):
        given = [
            each.clone().requires_grad_(any(each is leaf for leaf in leaves))
            for each in (x, weight)
        ]
        found = ours(*given, 3)
        torch.testing.assert_close(found.detach(), plain)
        asked = [each for each in given if each.requires_grad]
        gradients = torch.autograd.grad(found.sum(), asked)
        expected = torch.autograd.grad(step(*given, 3).sum(), asked)
        torch.testing.assert_close(gradients, expected)
    with torch.no_grad():
        assert not ours(*given, 3).requires_grad
    with torch.inference_mode():
        torch.testing.assert_close(ours(x, weight, 3), plain)


def switched(x: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    with torch.no_grad():
        a = F.linear(x[0:1], weight)
    b = torch.cat([F.linear(x[0:1], weight), a], 1)
    return a, b


def switched_on(x: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    a = F.linear(x[0:1], weight)
    torch.set_grad_enabled(before)
    return a, F.linear(x[0:1], weight)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [switched, switched_on])
def test_grad_modes(function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    ours = compiled(function, "now", monkeypatch)
    x, weight = torch.randn(3, 4), torch.randn(8, 4)
    for requires in (False, True):
        weight.requires_grad_(requires)
        for mode in (True, False):
            with torch.set_grad_enabled(mode):
                for _ in range(2):
                    found, expected = ours(x, weight), function(x, weight)
                    torch.testing.assert_close(found, expected)
                    asks = [each.requires_grad for each in expected]
                    assert [each.requires_grad for each in found] == asks


def made(n: int) -> Tensor:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return torch.cat([x, x]) * n


def test_tensors_that_are_made_with_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = compiled(made, "now", monkeypatch)
    assert all(ours(n).requires_grad for n in range(3))


def test_who_observes_operators_sees_them(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = compiled(step, "now", monkeypatch)
    x, weight = torch.randn(3, 4), torch.randn(4, 8)
    for _ in range(3):
        ours(x, weight, 3)
    with torch.autocast("cpu", torch.bfloat16):
        assert ours(x, weight, 3).dtype == step(x, weight, 3).dtype == torch.bfloat16
    batch = torch.randn(5, 3, 4)
    found = torch.func.vmap(lambda each: ours(each, weight, 3))(batch)
    torch.testing.assert_close(found, torch.stack([step(each, weight, 3) for each in batch]))
