"""Fused kernels under autograd: gradients are eager's, and so is what autograd forbids.

Kernels are worked out with numpy here, but for the last tests, which build them.
"""

import gc
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from examples import fused as examples
from minits.kernels import backward_group, gradient_plan
from minits.kernels.autograd import Differentiable, differentiable
from minits.kernels.c_build import NoCompiler
from minits.kernels.fused import FusedKernel
from minits.kernels.lowering import Lowered
from minits.kernels.scalar_ops import SCALAR_OPS
from tests.kernels.lowered import graph_of, lower_for, run


class Evaluated:
    """Takes the place of a FusedKernel, and computes with numpy."""

    launches = 0

    def __init__(self, lowered: Lowered) -> None:
        self.lowered = lowered
        self.kernel = lowered.kernel

    def __call__(self, *values: Any) -> tuple[Tensor, ...]:
        Evaluated.launches += 1
        values = tuple([v.detach() if isinstance(v, Tensor) else v for v in values])
        return tuple([result.clone() for result in run(self.lowered, values)])

    def bind(self, values: Sequence[Any], single: bool = False) -> Callable[..., Any]:
        return (lambda *values: self(*values)[0]) if single else self


@pytest.fixture(autouse=True)
def evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    Evaluated.launches = 0
    use(monkeypatch, Evaluated)


def use(monkeypatch: pytest.MonkeyPatch, kernel: type) -> None:
    monkeypatch.setattr(backward_group, "FusedKernel", kernel)
    monkeypatch.setattr(gradient_plan, "FusedKernel", kernel)


def fuse(function: Callable[..., Any], *arguments: Any) -> Differentiable:
    """The function as a kernel for such arguments."""

    def unfused(*values: Any) -> Sequence[Tensor]:
        results = function(*values)
        return results if isinstance(results, tuple) else (results,)

    lowered = lower_for(graph_of(function), arguments)
    kernel: Any = backward_group.FusedKernel(lowered)
    return differentiable(kernel, unfused)


def leaves(*shapes: tuple[int, ...], dtype: torch.dtype = torch.float64) -> list[Tensor]:
    torch.manual_seed(sum(map(len, shapes)))
    return [torch.randn(shape, dtype=dtype, requires_grad=True) for shape in shapes]


def check(function: Callable[..., Any], *arguments: Any, **tolerance: float) -> Differentiable:
    """Compare results and gradients with eager's; the gradients must come from a kernel."""
    fusion = fuse(function, *arguments)
    expected = function(*arguments)
    expected = expected if isinstance(expected, tuple) else (expected,)
    found = fusion(*arguments)
    for mine, theirs in zip(found, expected, strict=True):
        assert mine.requires_grad == theirs.requires_grad
        torch.testing.assert_close(mine, theirs, **tolerance)
    wanted = [x for x in arguments if isinstance(x, Tensor) and x.requires_grad]
    given = [torch.randn_like(result) for result in expected if result.requires_grad]

    def of(results: Sequence[Tensor]) -> Sequence[Tensor]:
        kept = [result for result in results if result.requires_grad]
        return torch.autograd.grad(kept, wanted, given, retain_graph=True)

    launches = Evaluated.launches
    torch.testing.assert_close(of(found), of(expected), **tolerance)
    assert Evaluated.launches == launches + 1
    return fusion


# ---- Gradients -----------------------------------------------------------------------------------


def masked_softmax(scores: Tensor, scale: float, mask: Tensor) -> Tensor:
    return torch.softmax(scores / scale + mask, dim=-1)


def bias_gelu(x: Tensor, bias: Tensor) -> Tensor:
    return F.gelu(x + bias, approximate="tanh")


def layer_norm(x: Tensor, residual: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return F.layer_norm(x + residual, [5], weight, bias)


def lstm(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    i, f, g, o = gates.chunk(4, dim=1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


def parts(x: Tensor) -> Tensor:
    """Views that overlap, of a tensor that is used as a whole too."""
    return x * x.t() + x[0] * x.select(1, 1).unsqueeze(1) + x.transpose(0, 1)[1:2]


def mean_and_rows(x: Tensor, r: Tensor) -> tuple[Tensor, Tensor]:
    """r: one number for each row, without the dimension that is reduced over."""
    return x.mean(-1) * r, x * x.sum(-1, keepdim=True)


def loss(x: Tensor, target: Tensor) -> Tensor:
    return F.mse_loss(x, target)


def two_of_one(x: Tensor, n: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    y = torch.exp(x) * n
    return y, n + 1, y


PROGRAMS: list[tuple[Callable[..., Any], Callable[[], list[Any]]]] = [
    (examples.chain, lambda: leaves((3, 4), (3, 4), (4,), (3, 1))),
    (bias_gelu, lambda: leaves((2, 3, 4), (4,))),
    (layer_norm, lambda: leaves((2, 3, 5), (2, 3, 5), (5,), (5,))),
    (examples.swiglu, lambda: leaves((3, 4), (3, 4))),
    (lstm, lambda: leaves((3, 8), (3, 2))),
    (examples.gru_pointwise, lambda: leaves((2, 6), (2, 6), (2, 2))),
    (parts, lambda: leaves((4, 4))),
    (mean_and_rows, lambda: leaves((3, 4), (3,))),
    (loss, lambda: leaves((3, 4), (3, 4))),
    (two_of_one, lambda: [*leaves((3, 4)), torch.arange(12).view(3, 4)]),
]


@pytest.mark.parametrize(
    ("function", "arguments"), [pytest.param(*each, id=each[0].__name__) for each in PROGRAMS]
)
def test_gradients_are_eagers(
    function: Callable[..., Any], arguments: Callable[[], list[Any]]
) -> None:
    fusion = check(function, *arguments())
    assert not fusion.refusals


def test_numbers_have_no_gradient() -> None:
    scores, mask = leaves((2, 3, 4), (2, 1, 4))
    check(masked_softmax, scores, 1.5, mask)


@pytest.mark.parametrize("wanted", [(True, False), (False, True)])
def test_only_inputs_that_require_gradients_get_them(wanted: tuple[bool, bool]) -> None:
    x, bias = leaves((3, 4), (4,))
    x.requires_grad_(wanted[0])
    bias.requires_grad_(wanted[1])
    check(bias_gelu, x, bias)


def test_gradients_in_float32_and_bfloat16() -> None:
    check(bias_gelu, *leaves((3, 4), (4,), dtype=torch.float32))
    check(bias_gelu, *leaves((3, 4), (4,), dtype=torch.bfloat16), rtol=0.02, atol=0.02)


def test_sizes_of_zero_and_one() -> None:
    x, bias = leaves((1, 4), (4,))
    check(bias_gelu, x, bias)
    x, bias = leaves((0, 4), (4,))
    check(bias_gelu, x, bias)


def test_zero_dimensional_inputs() -> None:
    x, bias = leaves((), ())
    check(bias_gelu, x, bias)
    x, bias = leaves((3, 2), ())
    check(bias_gelu, x, bias)


def steps(x: Tensor, y: Tensor) -> Tensor:
    return x.floor() + y.detach() * y


def test_gradient_of_steps_is_zero() -> None:
    check(steps, *leaves((3,), (3,)))


def test_gradients_that_are_given_are_not_computed() -> None:
    def total(x: Tensor, bias: Tensor) -> Tensor:
        return x + bias

    x, bias = leaves((3, 4), (4,))
    given = torch.randn(3, 4, dtype=torch.float64)
    found = torch.autograd.grad(fuse(total, x, bias)(x, bias), [x, bias], given)
    torch.testing.assert_close(found, (given, given.sum(0)))
    assert Evaluated.launches == 1


def test_other_shapes_of_the_same_kernel() -> None:
    fusion = check(layer_norm, *leaves((2, 3, 5), (2, 3, 5), (5,), (5,)))
    arguments = leaves((4, 2, 5), (4, 2, 5), (5,), (5,))
    found = torch.autograd.grad(fusion(*arguments)[0].sum(), arguments)
    expected = torch.autograd.grad(layer_norm(*arguments).sum(), arguments)
    torch.testing.assert_close(found, expected)


# ---- Some of the gradients -----------------------------------------------------------------------


def test_outputs_without_a_gradient_are_not_gone_through() -> None:
    def function(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return x * 2.0, torch.exp(x) * y

    x, y = leaves((3,), (3,))
    fuse(function, x, y)(x, y)[0].sum().backward()
    assert y.grad is None
    torch.testing.assert_close(x.grad, torch.full_like(x, 2.0))


def test_gradients_of_some_inputs() -> None:
    x, bias = leaves((3, 4), (4,))
    result = fuse(bias_gelu, x, bias)(x, bias)[0].sum()
    expected = torch.autograd.grad(bias_gelu(x, bias).sum(), bias)
    torch.testing.assert_close(torch.autograd.grad(result, bias), expected)


def test_gradients_add_up_over_calls() -> None:
    x, bias = leaves((3, 4), (4,))
    fusion = fuse(bias_gelu, x, bias)
    fusion(fusion(x, bias)[0], bias)[0].sum().backward()
    expected = torch.autograd.grad(bias_gelu(bias_gelu(x, bias), bias).sum(), [x, bias])
    torch.testing.assert_close([x.grad, bias.grad], list(expected))


def test_one_tensor_for_two_inputs() -> None:
    (x,) = leaves((3, 3))
    fusion = fuse(examples.swiglu, x, x)
    found = torch.autograd.grad(fusion(x, x)[0].sum(), x)
    torch.testing.assert_close(found, torch.autograd.grad((F.silu(x) * x).sum(), x))


# ---- Gradients of gradients ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (bias_gelu, [(2, 3), (3,)]),
        (layer_norm, [(2, 5), (2, 5), (5,), (5,)]),
        (lstm, [(2, 8), (2, 2)]),
    ],
)
def test_gradients_of_gradients(
    function: Callable[..., Any], shapes: list[tuple[int, ...]]
) -> None:
    arguments = leaves(*shapes)
    fusion = fuse(function, *arguments)
    assert torch.autograd.gradcheck(fusion, arguments)
    assert torch.autograd.gradgradcheck(fusion, arguments)


def test_gradient_penalty_reaches_what_made_the_inputs() -> None:
    (weight,) = leaves((3,))
    bias = torch.zeros(3, dtype=torch.float64)
    x = torch.ones(2, 3, dtype=torch.float64)
    fusion = fuse(bias_gelu, x * weight, bias)

    def penalty(function: Callable[..., Tensor]) -> Tensor:
        scaled = x * weight
        result = function(scaled, bias).sum()
        (gradient,) = torch.autograd.grad(result, scaled, create_graph=True)
        return torch.autograd.grad(gradient.square().sum(), weight)[0]

    torch.testing.assert_close(penalty(lambda *values: fusion(*values)[0]), penalty(bias_gelu))


def test_what_is_linear_has_gradients_of_gradients_without_saving() -> None:
    def scaled(x: Tensor, y: Tensor) -> Tensor:
        return x * 3.0 + y

    x, y = leaves((2, 3), (3,))
    result = fuse(scaled, x, y)(x, y)[0]
    given = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    gradient = torch.autograd.grad(result, y, given, create_graph=True)[0]
    torch.testing.assert_close(gradient, torch.full_like(y, 2.0))
    (again,) = torch.autograd.grad(gradient.sum(), given)
    torch.testing.assert_close(again, torch.ones_like(given))


# ---- Modes ---------------------------------------------------------------------------------------


def test_without_grad_mode_the_kernel_is_called() -> None:
    x, bias = leaves((3, 4), (4,))
    fusion = fuse(bias_gelu, x, bias)
    with torch.no_grad():
        assert not fusion(x, bias)[0].requires_grad
    with torch.inference_mode():
        assert fusion(x, bias)[0].is_inference()
    assert not fusion(x.detach(), bias.detach())[0].requires_grad
    assert fusion(x.detach(), bias)[0].requires_grad
    assert Evaluated.launches == 4


def test_hooks_are_called() -> None:
    x, bias = leaves((3, 4), (4,))
    result = fuse(bias_gelu, x, bias)(x, bias)[0]
    seen: list[Tensor] = []
    result.register_hook(lambda gradient: gradient * 2)
    bias.register_hook(seen.append)
    result.sum().backward()
    expected = torch.autograd.grad(2 * bias_gelu(x, bias.detach()).sum(), x)[0].sum(0)
    torch.testing.assert_close(seen, [expected])


def test_what_is_saved_must_not_be_changed() -> None:
    x, bias = leaves((3, 4), (4,))
    result = fuse(bias_gelu, x, bias)(x, bias)[0]
    with torch.no_grad():
        x.add_(1.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        result.sum().backward()


def test_what_no_gradient_reads_may_be_changed() -> None:
    def scaled(x: Tensor, y: Tensor) -> Tensor:
        return x * 3.0 + y

    x, y = leaves((2, 3), (3,))
    result = fuse(scaled, x, y)(x, y)[0]
    with torch.no_grad():
        x.add_(1.0)
    result.sum().backward()
    torch.testing.assert_close(x.grad, torch.full_like(x, 3.0))


def test_second_backward_is_refused_as_in_eager() -> None:
    x, bias = leaves((3, 4), (4,))
    result = fuse(bias_gelu, x, bias)(x, bias)[0].sum()
    result.backward()
    with pytest.raises(RuntimeError, match="second time"):
        result.backward()


def test_saved_tensors_are_packed_by_hooks() -> None:
    x, bias = leaves((3, 4), (4,))
    packed: list[Tensor] = []

    def pack(tensor: Tensor) -> Tensor:
        packed.append(tensor)
        return tensor.clone()

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        result = fuse(bias_gelu, x, bias)(x, bias)[0]
    assert len(packed) == 2
    result.sum().backward()
    torch.testing.assert_close(x.grad, torch.autograd.grad(bias_gelu(x, bias).sum(), x)[0])


def test_nothing_is_kept_alive() -> None:
    x, bias = leaves((3, 4), (4,))
    result = fuse(bias_gelu, x, bias)(x * 1.0, bias)[0]
    node = weakref.ref(result.grad_fn)
    gc.disable()
    try:
        del result
        assert node() is None
    finally:
        gc.enable()


def test_transforms_run_unfused() -> None:
    x, bias = leaves((3, 4), (4,))
    fusion = fuse(bias_gelu, x, bias)

    def total(x: Tensor, bias: Tensor) -> Tensor:
        return fusion(x, bias)[0].sum()

    found = torch.func.grad(total, argnums=1)(x.detach(), bias.detach())
    torch.testing.assert_close(found, torch.autograd.grad(bias_gelu(x, bias).sum(), bias)[0])
    each = torch.func.vmap(lambda row: fusion(row, bias)[0])(x)
    torch.testing.assert_close(each, bias_gelu(x, bias))
    _, tangent = torch.func.jvp(total, (x, bias), (torch.ones_like(x), torch.zeros_like(bias)))
    torch.testing.assert_close(tangent, torch.autograd.grad(bias_gelu(x, bias).sum(), x)[0].sum())
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x.detach(), torch.ones_like(x))
        result = torch.autograd.forward_ad.unpack_dual(fusion(dual, bias.detach())[0])
        torch.testing.assert_close(result.tangent.sum(), tangent)
    assert Evaluated.launches == 0


def test_autocast_runs_unfused() -> None:
    x, bias = leaves((3, 4), (4,), dtype=torch.float32)
    fusion = fuse(bias_gelu, x, bias)
    with torch.autocast("cpu"):
        fusion(x, bias)
        assert Evaluated.launches == 0
    result = fusion(x, bias)[0].sum()
    with torch.autocast("cpu"):
        found = torch.autograd.grad(result, x, create_graph=True)
    torch.testing.assert_close(found, torch.autograd.grad(bias_gelu(x, bias).sum(), x))


def test_batched_gradients_are_computed_unfused() -> None:
    x, bias = leaves((3, 4), (4,))
    result = fuse(bias_gelu, x, bias)(x, bias)[0]
    given = torch.randn(5, 3, 4, dtype=torch.float64)
    found = torch.autograd.grad(result, [x, bias], given, is_grads_batched=True)
    expected = torch.autograd.grad(bias_gelu(x, bias), [x, bias], given, is_grads_batched=True)
    torch.testing.assert_close(found, expected)


# ---- What kernels cannot do ----------------------------------------------------------------------


def test_gradient_runs_unfused_where_its_kernel_cannot_be_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, bias = leaves((3, 4), (4,))
    result = fuse(bias_gelu, x, bias)(x, bias)[0]

    def refuse(self: Evaluated, *values: Any) -> Any:
        raise NoCompiler("there is no compiler")

    monkeypatch.setattr(Evaluated, "bind", refuse)
    result.sum().backward()
    expected = torch.autograd.grad(bias_gelu(x, bias).sum(), [x, bias])
    torch.testing.assert_close([x.grad, bias.grad], list(expected))


def test_what_has_no_known_derivative_runs_unfused(monkeypatch: pytest.MonkeyPatch) -> None:
    def powers(x: Tensor, bias: Tensor) -> Tensor:
        return torch.exp(x) * bias

    x, bias = leaves((3, 4), (4,))
    monkeypatch.setitem(SCALAR_OPS, "exp", replace(SCALAR_OPS["exp"], derivative=None))
    fusion = fuse(powers, x, bias)
    result = fusion(x, bias)[0]
    torch.testing.assert_close(result, powers(x, bias))
    assert fusion.refusals == ["the derivative of exp is not known"]
    assert Evaluated.launches == 0 and result.grad_fn.name() == "MulBackward0"
    assert fusion(x.detach(), bias)[0].requires_grad
    assert Evaluated.launches == 1 and len(fusion.refusals) == 1


# ---- Kernels that are built ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "arguments"), [pytest.param(*each, id=each[0].__name__) for each in PROGRAMS]
)
def test_built_kernels_have_eagers_gradients(
    function: Callable[..., Any],
    arguments: Callable[[], list[Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Counted(FusedKernel):
        def bind(self, values: Sequence[Any], single: bool = False) -> Callable[..., Any]:
            launch = super().bind(values, single)

            def counted(*values: Any) -> Any:
                Evaluated.launches += 1
                return launch(*values)

            return counted

    use(monkeypatch, Counted)
    check(function, *arguments())
    transposed = [
        x.detach().mT.contiguous().mT.requires_grad_() if x.dim() == 2 and x.requires_grad else x
        for x in arguments()
    ]
    check(function, *transposed)


def attention(q: Tensor, k: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(torch.matmul(q, k.transpose(-1, -2)) / 2.0 + mask, dim=-1)


def test_groups_of_scripts_are_nodes_of_autograd() -> None:
    """The group's first input is a result without a name."""
    arguments = leaves((2, 3, 4), (2, 3, 4), (3, 3))
    script = minits.script(attention)
    result = script(*arguments)
    assert "_Fused" in type(result.grad_fn).__name__
    given = torch.randn_like(result)
    found = torch.autograd.grad(result, arguments, given)
    expected = torch.autograd.grad(attention(*arguments), arguments, given)
    torch.testing.assert_close(found, expected)
