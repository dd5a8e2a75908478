"""Calls whose sizes never come again run by launches for any sizes, as in eager."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.kernels.cpu import any_sizes
from minits.kernels.launch.geometry import geometry_of


def affine(x: Tensor, b: Tensor) -> Tensor:
    return torch.relu(x * b) * 2 + 1


def masked_softmax(x: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(x * 0.5 + mask, -1)


def centred(x: Tensor, y: Tensor) -> Tensor:
    return (x - x.mean(-1, keepdim=True)) * y


def summed(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    z = x * y
    return z.sum(-1) * 2, z + 1


def scaled(x: Tensor, y: Tensor, s: float = 0.5, n: int = 3) -> Tensor:
    return torch.sigmoid(x * s) * y + n


def divided(x: Tensor, y: Tensor) -> Tensor:
    return torch.floor_divide(x.int(), y.int()) + 1


PATTERNS: dict[str, Callable[[int, int], tuple[tuple[int, ...], tuple[int, ...]]]] = {
    "alike": lambda m, n: ((m, n), (m, n)),
    "one row": lambda m, n: ((m, n), (n,)),
    "one column": lambda m, n: ((m, n), (m, 1)),
    "outer": lambda m, n: ((m, 1), (1, n)),
    "middle": lambda m, n: ((m, 1, n), (m, n, 1)),
    "a number": lambda m, n: ((m, n), ()),
    "a line": lambda m, n: ((m * n,), (m * n,)),
    "image": lambda m, n: ((2, m, n, 3), (m, 1, 1)),
}
SIZES = [(3, 4), (5, 2), (2, 17), (40, 3), (33, 64), (64, 5), (7, 130), (2, 2), (500, 600)]


def same(found: Any, expected: Any) -> None:
    """Compare tensors: sums of some hundred floats that are of about one, in another order."""
    if isinstance(expected, tuple):
        for each in zip(found, expected, strict=True):
            same(*each)
        return
    assert found.stride() == expected.stride()
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.one_in(16, over="")
@pytest.mark.parametrize(
    ("program", "pattern"),
    [
        *[(affine, pattern) for pattern in PATTERNS],
        *[(summed, pattern) for pattern in ("alike", "one column", "outer", "image")],
        *[(masked_softmax, pattern) for pattern in ("one row", "middle")],
        (centred, "one row"),
        (scaled, "alike"),
    ],
)
def test_sizes_that_never_come_again(program: Any, pattern: str) -> None:
    compiled = minits.script(program)
    for m, n in [*SIZES, (0, 3), (4, 0), (1, 5), (6, 1), (1, 1), *SIZES[:3]]:
        given = [torch.randn(shape) for shape in PATTERNS[pattern](m, n)]
        same(compiled(*given), program(*given))
    assert compiled._direct.any_sizes is not None


def lying(order: tuple[int, ...], shape: tuple[int, ...]) -> Tensor:
    """Make a tensor without gaps whose dimensions lie in this order, slowest first."""
    made = torch.randn([shape[dim] for dim in order])
    return made.permute([order.index(dim) for dim in range(len(shape))])


def with_gaps(order: tuple[int, ...], gaps: Collection[int], shape: tuple[int, ...]) -> Tensor:
    """Make a tensor whose dimensions lie in this order, slowest first; `gaps` have larger steps."""
    strides, step = [0] * len(shape), 1
    for dim in reversed(order):
        strides[dim] = step = step * 3 if dim in gaps else step
        step *= max(shape[dim], 1)
    return torch.randn(max(step, 1)).as_strided(shape, strides)


@pytest.mark.one_in(13, over="program")
@pytest.mark.parametrize(
    ("program", "pattern", "lies"),
    [
        (affine, "a line", [((0,), {0}), ((0,), {})]),
        (affine, "alike", [((0, 1), {0}), ((0, 1), {0})]),
        (affine, "alike", [((0, 1), {0}), ((0, 1), {0, 1})]),
        (affine, "alike", [((1, 0), {1}), ((0, 1), {1})]),
        (affine, "one row", [((0, 1), {1}), ((0,), {})]),
        (affine, "one row", [((0, 1), {0}), ((0,), {0})]),
        (affine, "image", [((0, 1, 2, 3), {0}), ((0, 1, 2), {})]),
        (affine, "image", [((0, 2, 3, 1), {1, 2}), ((0, 1, 2), {})]),
        (summed, "one column", [((0, 1), {0}), ((0, 1), {})]),
        (summed, "image", [((3, 0, 2, 1), {0}), ((2, 1, 0), {})]),
        (masked_softmax, "one row", [((0, 1), {0}), ((0,), {})]),
        (masked_softmax, "one row", [((1, 0), {0, 1}), ((0,), {0})]),
        (centred, "one row", [((0, 1), {1}), ((0,), {})]),
    ],
)
def test_sliced_tensors(program: Any, pattern: str, lies: Any) -> None:
    """Slices run in the same way, and so do calls whose gaps are elsewhere than they were."""
    compiled = minits.script(program)
    elsewhere = [set(range(len(order))) - set(gaps) for order, gaps in lies]
    for m, n in [*SIZES, (0, 3), (1, 5), (6, 1), *SIZES[:3]]:
        shapes = PATTERNS[pattern](m, n)
        sliced = [with_gaps(*each, shape) for each, shape in zip(lies, shapes, strict=True)]
        same(compiled(*sliced), program(*sliced))
        plain = [each.contiguous() for each in sliced]
        same(compiled(*plain), program(*plain))
        orders = [order for order, _ in lies]
        wider = [with_gaps(*each) for each in zip(orders, elsewhere, shapes, strict=True)]
        same(compiled(*wider), program(*wider))
    assert len(compiled._direct._kinds) >= 2  # with gaps and without; more if one input alone has


def test_slices_of_a_buffer_are_not_bound_one_by_one() -> None:
    """A buffer of which each call reads more: all calls but the first run by one launch."""
    compiled = minits.script(masked_softmax)
    buffer, mask = torch.randn(4, 64, 8), torch.randn(8)
    for count in range(2, 64):
        given = buffer[:, :count], mask
        same(compiled(*given), masked_softmax(*given))
    assert compiled._direct.any_sizes is not None
    assert len(compiled._direct) <= 2


@pytest.mark.one_in(9, over="program")
@pytest.mark.parametrize(
    ("program", "pattern", "orders"),
    [
        (affine, "alike", ((1, 0), (1, 0))),
        (affine, "alike", ((1, 0), (0, 1))),
        (affine, "one row", ((1, 0), (0,))),
        (affine, "middle", ((2, 0, 1), (1, 2, 0))),
        (affine, "image", ((0, 2, 3, 1), (0, 1, 2))),
        (summed, "one column", ((1, 0), (1, 0))),
        (summed, "image", ((3, 0, 2, 1), (2, 1, 0))),
        (masked_softmax, "one row", ((1, 0), (0,))),
        (centred, "one row", ((1, 0), (0,))),
    ],
)
def test_turned_tensors(program: Any, pattern: str, orders: Any) -> None:
    """Tensors without gaps whose dimensions lie in another order run in the same way."""
    compiled = minits.script(program)
    for m, n in [*SIZES, (0, 3), (1, 5), (6, 1), *SIZES[:3]]:
        shapes = PATTERNS[pattern](m, n)
        given = [lying(order, shape) for order, shape in zip(orders, shapes, strict=True)]
        same(compiled(*given), program(*given))
        plain = [each.contiguous() for each in given]
        same(compiled(*plain), program(*plain))
    assert len(compiled._direct._kinds) == 2


@pytest.mark.one_in(3)
@pytest.mark.parametrize("program", [affine, summed, masked_softmax, centred])
@pytest.mark.parametrize("orders", [((0, 1), (0, 1)), ((1, 0), (1, 0)), ((1, 0), (0, 1))])
def test_tensors_with_gaps(program: Any, orders: Any) -> None:
    """What is remembered of how results lie holds for all sizes, with gaps and without."""
    compiled = minits.script(program)
    for m, n in [(3, 4), (5, 2), (2, 17), (4, 4), (2, 2), (6, 1), (1, 5), (9, 8)]:
        for step in (1, 2):
            wide = [lying(order, (step * m, n + step)) for order in orders]
            given = [each[::step, :n] for each in wide]
            same(compiled(*given), program(*given))


def turned_around(x: Tensor) -> Tensor:
    return torch.roll(x * 2 + 1, [4], [1]).relu() * 2


def halved(x: Tensor) -> Tensor:
    return torch.nn.functional.glu(x * 2, 1) + 1


def compared(x: Tensor) -> Tensor:
    return torch.diff(x * 2, dim=1) + 1


@pytest.mark.one_in(3)
@pytest.mark.parametrize("program", [turned_around, halved, compared])
@pytest.mark.parametrize("order", [(0, 2, 3, 1), (0, 3, 1, 2), (0, 1, 2, 3)])
def test_results_that_lie_by_the_sizes_of_parts(program: Any, order: tuple[int, ...]) -> None:
    """Of 4 channels none are behind the fourth, and of 2 one is a half: eager asks for both."""
    compiled = minits.script(program)
    for channels in (6, 8, 4, 2, 10):
        x = lying(order, (2, channels, 3, 5))
        same(compiled(x), program(x))


def reshaped(x: Tensor, y: Tensor) -> Tensor:
    return (x.sin() * y).reshape(-1, 4) + 1


def every_second(x: Tensor, y: Tensor) -> Tensor:
    return torch.relu(x[:, ::2] * y[:, 1::2]) * 2 + 1


def side_by_side(x: Tensor, y: Tensor) -> Tensor:
    return torch.cat([torch.relu(x * y), x + y], -1)


@pytest.mark.one_in(2, over="lies")
@pytest.mark.parametrize(
    ("program", "pattern", "lies"),
    [
        *[(affine, pattern, None) for pattern in PATTERNS],
        *[(summed, pattern, None) for pattern in ("alike", "outer", "image")],
        (masked_softmax, "middle", None),
        (centred, "one row", None),
        (side_by_side, "one column", None),
        (every_second, "alike", None),
        (affine, "alike", [((1, 0), {1}), ((0, 1), {0, 1})]),
        (summed, "image", [((3, 0, 2, 1), {0}), ((0, 1, 2), {})]),
        (centred, "one row", [((1, 0), {}), ((0,), {0})]),
    ],
)
def test_geometry_of_calls_with_any_sizes(
    program: Any, pattern: str, lies: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the launch works out for a call is what is worked out for a call that is bound."""
    monkeypatch.setattr(any_sizes, "_COMPILED_AT", 1)
    compiled = minits.script(program)
    n_known = 0
    for m, n in SIZES[:5]:
        shapes = PATTERNS[pattern](m, 2 * n)
        orders = lies or [(tuple(range(len(shape))), {}) for shape in shapes]
        given = [with_gaps(*each, shape) for each, shape in zip(orders, shapes, strict=True)]
        same(compiled(*given), program(*given))
        (group,) = compiled.plan_for(*given).groups
        for kernel in group.made.kernels.values():
            found = kernel._any_geometry and kernel._any_geometry.of(given)
            if found is not None:
                n_known += 1
                assert found == geometry_of(kernel.lowered, given)
    assert n_known >= 4


def test_whether_reshape_copies_depends_on_sizes() -> None:
    compiled = minits.script(reshaped)
    for m, n in [(3, 8), (5, 4), (2, 12), (7, 4), (4, 6), (6, 4)]:
        x, y = lying((1, 0), (m, n)), lying((1, 0), (m, n))
        same(compiled(x, y), reshaped(x, y))


def test_what_lies_otherwise_or_does_not_fit_goes_another_way() -> None:
    compiled = minits.script(affine)
    for n in range(2, 6):
        compiled(torch.randn(n, 3), torch.randn(3))
    assert compiled._direct.any_sizes is not None
    wide = torch.randn(6, 7)
    for x, b in [
        (torch.randn(3, 5).t(), torch.randn(3)),
        (wide[:, :3], torch.randn(3)),
        (wide[:, 3:6], wide[0, ::3]),
        (torch.randn(5, 3)[:, None].transpose(0, 1)[0], torch.randn(3)),
        (torch.randn(5, 3), torch.randn(1)),
        (torch.randn(5, 3).as_strided((5, 1), (3, 7)), torch.randn(3)),
        (torch.randn(5, 3).double(), torch.randn(3)),
        (torch.randn(5, 3, requires_grad=True), torch.randn(3)),
        (torch.randn(5, 3)[2:], torch.randn(4)[1:]),
    ]:
        same(compiled(x, b), affine(x, b))
    for _ in range(2):
        with pytest.raises(RuntimeError, match="must match the size"):
            compiled(torch.randn(4, 3), torch.randn(2))
        same(compiled(torch.randn(2, 3) * 0, torch.randn(3)), torch.ones(2, 3))


def test_one_size_that_comes_again_is_bound() -> None:
    compiled = minits.script(affine)
    b = torch.randn(3)
    for n in range(2, 60):
        x = torch.randn(n, 3)
        same(compiled(x, b), affine(x, b))
    assert len(compiled._direct) < 8
    for _ in range(80):
        same(compiled(x, b), affine(x, b))
    matches = compiled._direct.last[0]
    assert matches((x, b))
    assert not matches((torch.randn(4, 3), b))


def test_numbers_defaults_and_dtypes_are_those_of_the_call() -> None:
    compiled = minits.script(scaled)
    for n in range(2, 20):
        x, y = torch.randn(n, 3), torch.randn(3)
        dtype = torch.float64 if n % 3 else torch.float32
        given = (x.to(dtype), y.to(dtype))
        same(compiled(*given), scaled(*given))
        same(compiled(*given, 0.1 * n), scaled(*given, 0.1 * n))
        same(compiled(*given, 0.1 * n, n), scaled(*given, 0.1 * n, n))


def test_a_check_that_fails_raises_as_in_eager() -> None:
    compiled = minits.script(divided)
    for n in range(2, 12):
        x, y = torch.arange(3.0 * n).view(n, 3), torch.tensor([1.0, 2.0, float(n % 4)])
        if n % 4:
            same(compiled(x, y), divided(x, y))
        else:
            with pytest.raises(RuntimeError, match="ZeroDivisionError"):
                compiled(x, y)


class Between(nn.Module):
    """Groups of which the first reads the call's tensors, and the second what is between."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 5).requires_grad_(False)

    def forward(self, x: Tensor) -> Tensor:
        y = self.linear(torch.relu(x * 2) + 1)
        return torch.sigmoid(y * 0.5) * y


def test_groups_within_programs_run_for_any_sizes() -> None:
    module = Between()
    compiled = minits.script(module)
    for n in range(100, 180):
        x = torch.randn(n, 3)
        same(compiled(x), module(x))
    plan = compiled.forward.plan_for(x)
    assert len(plan.groups) == 2
    assert plan.any_sizes is not None  # it has a launch for any sizes instead of the first group
    assert any(plan.groups[1].cache._for_any_sizes.values())


def rooms_of(call: Callable[[], Any]) -> set[str]:
    """The folders of minits whose files a call enters, but for that of torch's private names."""
    package = Path(minits.__file__).parent
    entered: set[Path] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        file = Path(frame.f_code.co_filename)
        if event == "call" and file.is_relative_to(package):
            entered.add(file.relative_to(package))

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return {file.parts[0] for file in entered if len(file.parts) > 1} - {"torch_internals"}


def shifted(x: Tensor) -> Tensor:
    return torch.relu(x * 2) + 1


class Shifted(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x * 2) + 1


class OwnBetween(Between):
    """A class of its own: the objects of one share their plans."""


def every_other(x: Tensor, b: Tensor) -> Tensor:
    return torch.relu(x[:, ::2] * b) * 2 + 1


def rows_of_half(x: Tensor, b: Tensor) -> Tensor:
    return torch.softmax(x[:, : 2 * 4] * 0.5 + b[:8], -1)


def gated(x: Tensor) -> Tensor:
    first, second = x.chunk(2, -1)
    return torch.sigmoid(first) * second


def steps(x: Tensor) -> Tensor:
    return (x[1:] - x[:-1]) * 2


def turned_rows(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return x.t() * 2 + y, y + 1


def moduli(z: Tensor) -> Tensor:
    return torch.sqrt(z.real * z.real + z.imag * z.imag)


def pairs(z: Tensor) -> Tensor:
    return torch.view_as_real(z) * 2 + 1


VIEWED: dict[Callable[..., Any], Callable[[int, int], tuple[Tensor, ...]]] = {
    every_other: lambda m, n: (torch.randn(m, 2 * n), torch.randn(n)),
    rows_of_half: lambda m, n: (torch.randn(m, 8 + n), torch.randn(n + 8)),
    gated: lambda m, n: (torch.randn(m, 2 * n),),
    steps: lambda m, n: (torch.randn(m, n),),
    turned_rows: lambda m, n: (torch.randn(m, n), torch.randn(n, m)),
    moduli: lambda m, n: (torch.randn(m, n, dtype=torch.complex64),),
    pairs: lambda m, n: (torch.randn(m, n, dtype=torch.complex128),),
}
"""Programs that view their inputs, and inputs of sizes."""


@pytest.mark.one_in(7, over="")
@pytest.mark.parametrize(
    ("program", "shapes"),
    [
        *[(shifted, "n3"), (Shifted(), "n3"), (OwnBetween(), "n3"), (scaled, "n3 n3")],
        *[(divided, "nw w"), (centred, "nw w"), (summed, "nw nw"), (masked_softmax, "nw n1")],
        *[(program, "") for program in (every_other, gated, steps, turned_rows, moduli, pairs)],
    ],
)
def test_a_call_of_another_size_crosses_three_rooms(program: Any, shapes: str) -> None:
    """The first call is planned; what the second one needs for any sizes is ready by then."""
    compiled = minits.script(program)
    rooms = []
    for n in range(3, 80):
        sizes = {"n": n, "w": 32, "3": 3, "1": 1}
        given = tuple(torch.rand([sizes[each] for each in shape]) + 2 for shape in shapes.split())
        given = given or VIEWED[program](n, n)
        rooms.append(rooms_of(lambda: compiled(*given)))
    assert {"frontend", "passes", "codegen"} < rooms[0]
    assert set().union(*rooms[1:]) == {"kernels", "ops", "runtime"}


@pytest.mark.one_in(5)
@pytest.mark.parametrize("program", VIEWED)
def test_views_of_inputs(program: Callable[..., Any]) -> None:
    compiled = minits.script(program)
    for m, n in [*SIZES, (3, 1), (1, 5), (2, 1), (0, 4), (4, 0), (13, 5), (6, 33), *SIZES]:
        given = VIEWED[program](m, n)
        for each in (given, [x.t().contiguous().t() if x.dim() == 2 else x for x in given]):
            same(compiled(*each), program(*each))
    assert compiled._direct.any_sizes is not None


def test_views_that_inputs_do_not_have() -> None:
    compiled = minits.script(gated)
    for n in (4, 6, 5, 8, 1, 2, 10):
        x = torch.randn(3, n)
        if n % 2:
            with pytest.raises(RuntimeError):
                compiled(x)
        else:
            same(compiled(x), gated(x))


def end_to_end(x: Tensor, y: Tensor) -> Tensor:
    return torch.cat([torch.relu(x * y), x - y, x + 1], -1)


def one_below_the_other(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return torch.cat([x * 2, x + y]), x * y


def stacked(x: Tensor, y: Tensor) -> Tensor:
    return torch.stack([x * 2, x + y, x], -1)


def turned_by_halves(x: Tensor, y: Tensor) -> Tensor:
    first, second = x.chunk(2, -1)
    return torch.cat([-second, first], -1) * y


@pytest.mark.one_in(4)
@pytest.mark.parametrize("program", [end_to_end, one_below_the_other, stacked, turned_by_halves])
def test_joined_outputs(program: Callable[..., Any]) -> None:
    compiled = minits.script(program)
    for m, n in [*SIZES, (3, 1), (1, 5), (0, 4), (13, 5), (6, 33), *SIZES]:
        given = torch.randn(m, 2 * n), torch.randn(2 * n)
        for each in (given, (given[0].t().contiguous().t(), given[1])):
            same(compiled(*each), program(*each))
    assert compiled._direct.any_sizes is not None


def groups_of_channels(x: Tensor) -> Tensor:
    return torch.group_norm(torch.sin(x), 3)


def thirds(x: Tensor) -> Tensor:
    return torch.cat([part.mean(-1, keepdim=True) for part in (x * 2).unflatten(1, [3, -1])])


@pytest.mark.parametrize("program", [groups_of_channels, thirds])
def test_results_with_views_that_not_all_sizes_have(program: Callable[..., Any]) -> None:
    compiled = minits.script(program)
    for m, n in [*SIZES, *SIZES[:3]]:
        x = torch.randn(m, 3 * n)
        same(compiled(x), program(x))
    with pytest.raises(RuntimeError):
        compiled(torch.randn(4, 7))


@pytest.mark.parametrize("program", [every_other, rows_of_half, gated, steps])
def test_views_of_inputs_are_not_bound_one_by_one(program: Callable[..., Any]) -> None:
    compiled = minits.script(program)
    for n in range(4, 80):
        given = VIEWED[program](n, 2 * (n // 2))
        same(compiled(*given), program(*given))
    assert len(compiled._direct) <= 2


class Moved(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x * 2) - 1


def two_groups(x: Tensor, w: Tensor) -> Tensor:
    y = x[:, ::2]
    h = torch.sigmoid(y * 0.5 + 1) * y
    return torch.tanh(torch.mm(h, w) * 0.5) + 1


@pytest.mark.parametrize(
    ("program", "given"),
    [(two_groups, lambda n: (torch.randn(n, 6), torch.randn(3, 3))),
     (Moved(), lambda n: (torch.randn(n, 3),))],
)  # fmt: skip
def test_plans_of_several_groups_and_methods_are_bound_to_what_comes_again(
    program: Any, given: Callable[[int], Any]
) -> None:
    compiled = minits.script(program)
    plans = compiled._plans if program is two_groups else compiled.forward._plans
    for n in [*range(2, 60), 1, 0]:
        values = given(n)
        same(compiled(*values), program(*values))
    assert sum(len(family.bound) for family in plans._table._families.values()) <= 6
    for n in (7, 9, 7, 9):
        values = given(n)
        same(compiled(*values), program(*values))
    assert sum(len(family.bound) for family in plans._table._families.values()) <= 8
