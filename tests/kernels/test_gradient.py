"""Gradients of kernels: against finite differences, and against torch's own."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

from minits.kernels.gradients.gradient import NotDifferentiable, backward, differentiable_outputs
from minits.kernels.ir.builder import Builder
from minits.kernels.ir.evaluate import evaluate
from minits.kernels.ir.kernel import Kernel, Level, Scalar, stages
from minits.kernels.scalar_ops import SCALAR_OPS
from tests.support.sloped import Sloped

F = torch.nn.functional
Shape = tuple[int, ...]

WITHOUT_DERIVATIVE = {"heaviside", "nextafter"}
"""Rows on floats whose derivatives torch does not have either."""
BY_ONE_OPERAND = ("sloped", "zeta")
"""Rows without a derivative by another: `test_operators_after_changes` has them."""

# ---- Kernels that autograd can differentiate -----------------------------------------------------


def run(kernel: Kernel, inputs: Sequence[Tensor], domain: Shape) -> list[Tensor]:
    found = evaluate(kernel, [given.detach() for given in inputs], (), domain)
    dtypes = [output.value.dtype for output in kernel.outputs]
    return [torch.tensor(array, dtype=dtype) for array, dtype in zip(found, dtypes, strict=True)]


def gradients(
    kernel: Kernel, domain: Shape, inputs: Sequence[Tensor], given: Sequence[Tensor]
) -> list[Tensor | None]:
    """Gradients of all inputs, in the inputs' own shapes. ROW inputs have the rows' shape."""
    found = backward(kernel, [x.dtype.is_floating_point for x in inputs])
    outputs = run(found.kernel, [*inputs, *[given[i] for i in found.gradients]], domain)
    results: list[Tensor | None] = []
    for x, form, place, is_reached in zip(
        inputs, kernel.inputs, found.outputs, found.reached, strict=True
    ):
        if place is None:
            results.append(torch.zeros_like(x) if is_reached else None)
            continue
        gradient = outputs[place]
        if form.level is Level.FULL:
            gradient = gradient.expand(domain)
        elif kernel.reduced:
            gradient = gradient.squeeze(tuple(range(-kernel.reduced, 0)))
        results.append(gradient.sum_to_size(x.shape))
    return results


class Evaluated(torch.autograd.Function):
    """A kernel as a function of its inputs."""

    @staticmethod
    def forward(ctx: Any, kernel: Kernel, domain: Shape, *inputs: Tensor) -> tuple[Tensor, ...]:
        ctx.kernel, ctx.domain = kernel, domain
        ctx.save_for_backward(*inputs)
        outputs = tuple(run(kernel, inputs, domain))
        kept = differentiable_outputs(kernel, ctx.needs_input_grad[2:])
        ctx.mark_non_differentiable(
            *[output for output, keeps in zip(outputs, kept, strict=True) if not keeps]
        )
        return outputs

    @staticmethod
    def backward(ctx: Any, *given: Tensor) -> tuple[Any, ...]:
        return (None, None, *gradients(ctx.kernel, ctx.domain, ctx.saved_tensors, given))


Build = Callable[..., Scalar | Sequence[Scalar]]


def kernel_of(build: Build, inputs: Sequence[Tensor], domain: Shape, reduced: int = 0) -> Kernel:
    """Build a kernel whose inputs with less dimensions than the domain are ROW."""
    k = Builder(reduced)
    levels = [
        Level.ROW if reduced and given.dim() < len(domain) else Level.FULL for given in inputs
    ]
    loads = [
        k.load(k.input(given.dtype, level)) for given, level in zip(inputs, levels, strict=True)
    ]
    made = build(k, *loads)
    for value in [made] if isinstance(made, Scalar) else made:
        k.output(value)
    return k.finish()


# ---- Every row of the table ----------------------------------------------------------------------

UNIT = (0.1, 0.9)
POSITIVE = (0.3, 2.5)
INTERVALS = {
    "log": POSITIVE, "log2": POSITIVE, "log10": POSITIVE, "sqrt": POSITIVE, "rsqrt": POSITIVE,
    "pow": POSITIVE, "xlogy": POSITIVE, "log1p": POSITIVE, "xlog1py": POSITIVE, "logit": UNIT,
    "asin": UNIT, "acos": UNIT, "atanh": UNIT, "erfinv": UNIT, "acosh": (1.2, 3.0),
    "lgamma": POSITIVE, "digamma": POSITIVE, "div": POSITIVE, "reciprocal": POSITIVE,
    "addcdiv": POSITIVE, "floor_divide": POSITIVE, "trunc_divide": POSITIVE, "fmod": POSITIVE,
    "remainder": POSITIVE, "tan": (-1.2, 1.2), "entr": POSITIVE,
}  # fmt: skip
"""Where operands are drawn from, if not from -2.5 to 2.5."""

NUMBERS: dict[str, tuple[float, ...]] = {
    "nan_to_num": (1.5, 7.0, -7.0), "addcmul": (0.5,), "addcdiv": (-3.0,), "elu": (0.5, 2.0, 1.5),
    "celu": (0.5,), "leaky_relu": (0.1,), "hardtanh": (-1.0, 2.0), "threshold": (0.5, 20.0),
    "softplus": (2.0, 3.0), "softshrink": (0.5,), "hardshrink": (0.5,),
}  # fmt: skip
"""Rows whose last operands are numbers in torch, which have no gradient."""

DIFFERENTIABLE = [name for name, row in SCALAR_OPS.items() if row.derivative is not None]


def row_kernel(name: str, operands: Sequence[Tensor]) -> Kernel:
    """The row applied to tensors and to its `NUMBERS`."""

    def build(k: Builder, *loads: Scalar) -> Scalar:
        numbers = [k.constant(number, loads[-1].dtype) for number in NUMBERS.get(name, ())]
        return k(name, *loads, *numbers)

    return kernel_of(build, operands, tuple(operands[0].shape))


def tensors_of(name: str) -> int:
    return SCALAR_OPS[name].arity - len(NUMBERS.get(name, ()))


def prepared(name: str, operands: Sequence[Tensor]) -> list[Tensor]:
    """Leaves that require gradients, but for what is bool."""
    first = [operands[0] > 0] if name == "where" else [operands[0]]
    return [x.clone().requires_grad_(x.is_floating_point()) for x in [*first, *operands[1:]]]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "name", [name for name in DIFFERENTIABLE if name not in ("detach", *BY_ONE_OPERAND)]
)
def test_derivative_is_that_of_finite_differences(name: str) -> None:
    low, high = INTERVALS.get(name, (-2.5, 2.5))
    generator = torch.Generator().manual_seed(3)
    drawn = torch.rand(tensors_of(name), 7, generator=generator, dtype=torch.float64)
    operands = prepared(name, [low + (high - low) * part for part in drawn])
    kernel = row_kernel(name, operands)
    assert torch.autograd.gradcheck(
        lambda *inputs: Evaluated.apply(kernel, (7,), *inputs), operands
    )


def test_rows_on_floats_have_derivatives() -> None:
    missing = {
        name
        for name, row in SCALAR_OPS.items()
        if row.derivative is None and row.result != "bool" and "f" in row.c
    }
    assert missing == WITHOUT_DERIVATIVE


# ---- At ties and kinks ---------------------------------------------------------------------------

TORCH: dict[str, Callable[..., Tensor]] = {
    "floor_divide": lambda a, b: torch.div(a, b, rounding_mode="floor"),
    "trunc_divide": lambda a, b: torch.div(a, b, rounding_mode="trunc"),
    "fma": lambda a, b, c: torch.addcmul(c, a, b),
    "addcmul": lambda x, a, b, value: torch.addcmul(x, a, b, value=value),
    "addcdiv": lambda x, a, b, value: torch.addcdiv(x, a, b, value=value),
    "gelu_erf": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "log_sigmoid": F.logsigmoid,
    "elu": torch._C._nn.elu,
    "prelu": torch._prelu_kernel,
    "sloped": Sloped.apply,
    "mantissa": lambda x: torch.frexp(x)[0],
    "exponent": lambda x: torch.frexp(x)[1] + 0 * x,
}
"""Rows that are called otherwise in torch."""


def in_torch(name: str) -> Callable[..., Tensor]:
    if name in TORCH:
        return TORCH[name]
    return next(getattr(place, name) for place in (torch, torch.special, F) if hasattr(place, name))


KINKS = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, 25.0, -25.0)
SIGN_OF_ZERO = ("logit",)
"""Functions of which torch's vectors of AVX2 and its loop over what is left give infinities of
other signs at -0.0."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "name", [name for name in DIFFERENTIABLE if name not in ("checked", "zeta")]
)
def test_derivative_is_torchs_at_ties_and_kinks(name: str) -> None:
    count = tensors_of(name)
    kinks = KINKS[:1] + KINKS[2:] if name in SIGN_OF_ZERO else KINKS
    numbers = torch.tensor(kinks if count < 3 else KINKS[:5], dtype=torch.float64)
    every = torch.cartesian_prod(*[numbers] * count).reshape(-1, count)
    operands = prepared(name, every.unbind(1))
    kernel = row_kernel(name, operands)
    result = in_torch(name)(*operands, *NUMBERS.get(name, ()))
    if not result.requires_grad:
        assert differentiable_outputs(kernel, [True] * count) == (False,)
        return
    gradient = torch.linspace(-2, 2, len(every), dtype=torch.float64)
    wanted = [operand for operand in operands if operand.requires_grad]
    expected = torch.autograd.grad(result, wanted, gradient, materialize_grads=True)
    found = gradients(kernel, operands[0].shape, operands, [gradient])
    for mine, theirs in zip([g for g in found if g is not None], expected, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-7, atol=1e-12, equal_nan=True)


# ---- Whole kernels -------------------------------------------------------------------------------


def softmax(k: Builder, x: Scalar) -> Scalar:
    e = k("exp", k("sub", x, k("detach", k.reduce("max", x))))
    return k("div", e, k.reduce("sum", e))


def log_softmax(k: Builder, x: Scalar) -> Scalar:
    shifted = k("sub", x, k("detach", k.reduce("max", x)))
    return k("sub", shifted, k("log", k.reduce("sum", k("exp", shifted))))


def mean(k: Builder, x: Scalar) -> Scalar:
    return k("div", k.reduce("sum", x), k.count(x.dtype))


def layer_norm(k: Builder, x: Scalar, weight: Scalar, bias: Scalar) -> Scalar:
    centred = k("sub", x, mean(k, x))
    variance = mean(k, k("square", centred))
    scale = k("rsqrt", k("add", variance, k.constant(1e-5, x.dtype)))
    return k("add", k("mul", k("mul", centred, scale), weight), bias)


def rows_and_all(k: Builder, x: Scalar, r: Scalar) -> list[Scalar]:
    """Results at both levels; r is one number for each row."""
    norm = k("sqrt", k.reduce("sum", k("square", k("sub", x, r))))
    return [k("mul", k("div", x, norm), k("exp", r)), norm, k("mul", r, k.reduce("sum", r))]


def extrema(k: Builder, x: Scalar) -> list[Scalar]:
    return [k("sub", k.reduce("max", x), k.reduce("min", x)), k("mul", x, k.reduce("max", x))]


def product(k: Builder, x: Scalar) -> Scalar:
    return k("mul", k.reduce("prod", x), x)


KERNELS: list[tuple[str, Build, list[Shape], int, Callable[..., Any]]] = [
    ("softmax", softmax, [(2, 3, 4)], 1, lambda x: x.softmax(-1)),
    ("softmax over two", softmax, [(2, 3, 4)], 2, lambda x: x.flatten(1).softmax(1).view(2, 3, 4)),
    ("log_softmax", log_softmax, [(2, 3, 4)], 1, lambda x: x.log_softmax(-1)),
    (
        "layer_norm", layer_norm, [(2, 3, 4), (1, 1, 4), (1, 1, 4)], 1,
        lambda x, weight, bias: F.layer_norm(x, [4], weight[0, 0], bias[0, 0]),
    ),
    (
        "rows_and_all", rows_and_all, [(3, 4), (3,)], 1,
        lambda x, r: (
            x / (x - r[:, None]).norm(dim=1, keepdim=True) * r[:, None].exp(),
            (x - r[:, None]).norm(dim=1),
            4 * r * r,
        ),
    ),
    (
        "extrema", extrema, [(3, 4)], 1,
        lambda x: (x.amax(1) - x.amin(1), x * x.amax(1, keepdim=True)),
    ),
    ("product", product, [(3, 4)], 1, lambda x: x * x.prod(1, keepdim=True)),
    ("broadcast", lambda k, x, y: k("mul", k("add", x, y), y), [(3, 4), (3, 1)], 0,
     lambda x, y: (x + y) * y),
]  # fmt: skip


@pytest.mark.parametrize(
    ("build", "shapes", "reduced", "function"),
    [pytest.param(*case[1:], id=case[0]) for case in KERNELS],
)
def test_gradient_is_torchs(
    build: Build, shapes: list[Shape], reduced: int, function: Callable[..., Any]
) -> None:
    torch.manual_seed(0)
    inputs = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    kernel = kernel_of(build, inputs, shapes[0], reduced)
    results = function(*inputs)
    results = results if isinstance(results, tuple) else (results,)
    for mine, theirs in zip(run(kernel, inputs, shapes[0]), results, strict=True):
        torch.testing.assert_close(mine, theirs.detach())
    given = [torch.randn_like(result) for result in results]
    expected = torch.autograd.grad(results, inputs, given)
    found = gradients(kernel, shapes[0], inputs, given)
    torch.testing.assert_close(found, list(expected))


@pytest.mark.parametrize("zeros", [0, 1, 2])
def test_gradient_of_a_product_with_zeros(zeros: int) -> None:
    x = torch.tensor([[2.0, 3.0, -1.0, 0.5]], dtype=torch.float64)
    x[0, :zeros] = 0.0
    x.requires_grad_()
    kernel = kernel_of(lambda k, x: k.reduce("prod", x), [x], (1, 4), 1)
    given = torch.tensor([1.5], dtype=torch.float64)
    expected = torch.autograd.grad(x.prod(1), x, given)
    torch.testing.assert_close(gradients(kernel, (1, 4), [x], [given]), list(expected))


@pytest.mark.parametrize(("op", "function"), [("max", torch.amax), ("min", torch.amin)])
def test_ties_share_the_gradient(op: str, function: Callable[..., Tensor]) -> None:
    x = torch.tensor(
        [[2.0, 1.0, 2.0, 1.0], [1.0, 1.0, 1.0, 1.0], [0.0, float("nan"), 1.0, 2.0]],
        requires_grad=True,
    )
    kernel = kernel_of(lambda k, x: k.reduce(op, x), [x], (3, 4), 1)
    given = torch.tensor([1.0, 2.0, 3.0])
    expected = torch.autograd.grad(function(x, 1), x, given)
    torch.testing.assert_close(
        gradients(kernel, (3, 4), [x], [given]), list(expected), equal_nan=True
    )


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_gradients_of_half_types_are_computed_in_float32(dtype: torch.dtype) -> None:
    x, given = torch.randn(5, 33).to(dtype).requires_grad_(), torch.randn(5, 33).to(dtype)
    kernel = kernel_of(
        lambda k, x: k.cast(softmax(k, k.cast(k("tanh", x), torch.float32)), dtype), [x], (5, 33), 1
    )
    found = gradients(kernel, (5, 33), [x], [given])[0]
    wide = x.detach().float().requires_grad_()
    torch.softmax(wide.tanh(), -1).backward(given.float())
    assert found is not None and found.dtype == dtype and wide.grad is not None
    tolerance = 4 * torch.finfo(dtype).eps
    torch.testing.assert_close(found.float(), wide.grad, rtol=tolerance, atol=tolerance / 8)


# ---- What is made --------------------------------------------------------------------------------


def pair() -> Kernel:
    """x * y and exp(x) of a float x, y, with an integer beside them."""
    k = Builder()
    x, y, n = (k.load(k.input(dtype)) for dtype in (torch.float64, torch.float64, torch.int64))
    k.output(k("mul", x, k("add", y, k.cast(n, torch.float64))))
    k.output(k("exp", x))
    k.output(k("add", n, n))
    return k.finish()


def test_only_what_is_wanted_is_computed() -> None:
    found = backward(pair(), [False, True, False])
    assert found.gradients == (0,)
    assert found.outputs == (None, 0, None) and found.reached == (False, True, False)
    assert [value.op for value in found.kernel.values] == ["load", "load", "mul"]


def test_only_what_has_a_gradient_is_gone_through() -> None:
    found = backward(pair(), [True, True, False], [False, True, True])
    assert found.gradients == (1,)
    assert found.reached == (True, False, False)
    assert "add" not in {value.op for value in found.kernel.values}
    assert differentiable_outputs(pair(), [False, True, False]) == (True, False, False)


def test_inputs_share_a_gradient() -> None:
    x = torch.zeros(3)
    kernel = kernel_of(lambda k, x, y: k("exp", k("add", x, y)), [x, x], (3,))
    found = backward(kernel, [True, True])
    assert found.outputs == (0, 0) and len(found.kernel.outputs) == 1


def test_gradient_of_steps_is_zero_and_that_of_detach_is_none() -> None:
    x = torch.zeros(3)
    kernel = kernel_of(lambda k, x, y: k("add", k("floor", x), k("detach", y)), [x, x], (3,))
    found = backward(kernel, [True, True])
    assert found.reached == (True, False) and found.outputs == (None, None)


def test_what_cannot_be_differentiated_is_refused_only_where_it_matters() -> None:
    x = torch.zeros(3)
    kernel = kernel_of(lambda k, x, y: k("mul", k("nextafter", x, x), y), [x, x], (3,))
    assert backward(kernel, [False, True]).outputs == (None, 0)
    with pytest.raises(NotDifferentiable, match="the derivative of nextafter is not known"):
        backward(kernel, [True, True])


def test_softmax_gradient_divides_twice_a_row_and_once_an_element() -> None:
    kernel = kernel_of(softmax, [torch.zeros(2, 3)], (2, 3), 1)
    divisions = [v.level for v in backward(kernel, [True]).kernel.values if v.op == "div"]
    assert divisions.count(Level.FULL) == 1 and divisions.count(Level.ROW) == 2


def test_layer_norm_gradient_walks_three_times_over_a_row() -> None:
    inputs = [torch.zeros(2, 3), torch.zeros(1, 3), torch.zeros(1, 3)]
    kernel = backward(kernel_of(layer_norm, inputs, (2, 3), 1), [True] * 3).kernel
    assert max(stages(kernel).values()) == 2


def test_parameters_stay_parameters() -> None:
    k = Builder()
    x, s = k.load(k.input(torch.float64)), k.parameter(torch.float64)
    k.output(k("pow", x, s))
    found = backward(k.finish(), [True])
    assert found.kernel.parameters == [torch.float64]
    x_at, given = torch.tensor([0.0, 2.0]).double(), torch.tensor([1.0, 1.0]).double()
    [gradient] = evaluate(found.kernel, [x_at, given], [3.0], (2,))
    torch.testing.assert_close(torch.from_numpy(gradient), 3 * x_at**2)


def test_power_to_a_constant_takes_no_logarithm() -> None:
    kernel = kernel_of(
        lambda k, x: k("pow", x, k.constant(2.0, torch.float32)), [torch.zeros(3)], (3,)
    )
    made = [value.op for value in backward(kernel, [True]).kernel.values]
    assert sorted(made) == ["constant", "load", "load", "mul", "mul"]
