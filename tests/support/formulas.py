"""Operators that C writes by others: calls of each, in C and of torch's own operator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import torch

from minits.ir.parser import parse_graph
from minits.native.function import NativeFunction
from minits.ops.registry import schemas_for

_DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.uint8,
           torch.bool)  # fmt: skip
_SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 21.0, -40.0, 1e-5, float("inf"), -float("inf"),
            float("nan"))  # fmt: skip


def _values(dtype: torch.dtype, *shape: int, shift: int = 0) -> torch.Tensor:
    """Return a tensor of special numbers, in another order for each `shift`."""
    count = torch.Size(shape).numel()
    numbers = [_SPECIAL[(5 * shift + i + shift) % len(_SPECIAL)] for i in range(count)]
    if not dtype.is_floating_point:
        numbers = [x if x == x and abs(x) < 30 else 5.0 for x in numbers]
        if dtype is torch.uint8:
            numbers = [abs(x) for x in numbers]
    return torch.tensor(numbers, dtype=torch.float64).reshape(shape).to(dtype)


def _finite(dtype: torch.dtype, *shape: int, shift: int = 0) -> torch.Tensor:
    found = _values(dtype, *shape, shift=shift)
    return torch.where(found.isfinite(), found, 2) if dtype.is_floating_point else found


_OF_ONE = ((), (13,), (2, 0), (3, 5))
"""Shapes of the operators of each element."""
_CPU = torch.device("cpu")


def _elements(*numbers: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    for dtype, shape in product(_DTYPES, (*_OF_ONE, (3000,))):
        for rest in numbers:
            yield (_values(dtype, *shape), *rest)


def _sums(*shapes: tuple[int, ...]) -> Iterator[tuple[Any, ...]]:
    for dtype, beta, alpha in product(_DTYPES, (1, 0, 0.5, 2), (1, 3, -0.5)):
        yield (*[_finite(dtype, *s, shift=i) for i, s in enumerate(shapes)], beta, alpha)


def _rows_added() -> Iterator[tuple[Any, ...]]:
    """Yield arguments of `index_add`, some of which it refuses."""
    indices = (torch.tensor([2, 0, 2, 1]), torch.tensor([0, 1], dtype=torch.int32),
               torch.tensor([0, -1]), torch.tensor([0, 3]), torch.tensor([[0, 1]]),
               torch.tensor([], dtype=torch.int64))  # fmt: skip
    for dtype, index, alpha in product(_DTYPES, indices, (1, 2, 0.5)):
        x, source = _finite(dtype, 3, 2), _finite(dtype, index.numel(), 2, shift=1)
        yield x, 0, index, source, alpha
        yield x.t().contiguous(), -1, index, source.t().contiguous(), alpha
    yield torch.ones(3, 2), 0, torch.tensor([0, 1]), torch.ones(1, 2), 1
    yield torch.ones(3, 2), 0, torch.tensor([0, 1]), torch.ones(2, 1), 1
    yield torch.ones(3, 2), 0, torch.tensor([0, 1]), torch.ones(2, 2, dtype=torch.float64), 1


def _fused() -> Iterator[tuple[Any, ...]]:
    shapes = [((), (), ()), ((3, 5), (5,), (3, 1)), ((0,), (0,), ()), ((2,), (2,), (2,))]
    for dtype, each, value in product(_DTYPES, shapes, (1, 2, -0.5)):
        yield (*[_values(dtype, *s, shift=i) for i, s in enumerate(each)], value)


def _reduced(*firsts: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    for dtype, shape, (*first, dims) in product(_DTYPES, ((3, 5), (2, 0), (1, 4)), firsts):
        for dim, keepdim in product(dims, (False, True)):
            yield (_finite(dtype, *shape), *first, dim, keepdim)


def _made(*rest: Any) -> Iterator[tuple[Any, ...]]:
    dtypes = (None, torch.float16, torch.int32, torch.uint8, torch.int64)
    for number, dtype in product((3, -1, -300, 2.5, -2.5, 2**60 + 1, -(2**60) - 1), dtypes):
        yield (number, dtype, *rest)


def _made_like(*rest: Any) -> Iterator[tuple[Any, ...]]:
    for number, dtype in product((-1, 2.5), (None, torch.uint8)):
        yield (number, dtype, *rest)


def _scattered() -> Iterator[tuple[Any, ...]]:
    index = torch.tensor([[0, 2], [1, 1]])
    for dtype, number, each in product(_DTYPES, (2, -0.5), (index, index[:1], index + 2)):
        yield (_values(dtype, 3, 3), 1, each, number)


def _into() -> Iterator[tuple[Any, ...]]:
    for first, second, out in product(_DTYPES[:5], _DTYPES[::3], (torch.float32, torch.int64)):
        for shape in ((3,), (2, 3)):
            yield _values(first, 3), _values(second, 2, 3), 1, torch.empty(shape, dtype=out)


def _numbers_into() -> Iterator[tuple[Any, ...]]:
    for dtype, number, out in product(_DTYPES, (2, -0.5), (torch.float32, torch.int64)):
        for shape in ((3,), (2,)):
            yield _values(dtype, 3), number, torch.empty(shape, dtype=out)


def _converted(*rest: Any) -> Iterator[tuple[Any, ...]]:
    for dtype in _DTYPES:
        yield (_finite(dtype, 3), *rest)


_SLOPES = ((0.01,), (2,), (-0.5,), (0,))
_BOUNDS = ((0.5, 20), (-1, 7.5), (0, 0))
_SINGLES = [(_finite(dtype),) for dtype in _DTYPES]
CASES: dict[str, Iterator[tuple[Any, ...]] | list[tuple[Any, ...]]] = {
    "aten::full": [((2, 2), *each) for each in _made(None, _CPU, None)],
    "aten::full_like": [
        (_values(like, 2, 3), *each, None)
        for like, each in product(_DTYPES, _made_like(None, None, None))
    ],
    "aten::new_full": [
        (_values(like, 2), (3, 0), *each)
        for like, each in product(_DTYPES, _made_like(None, _CPU, None))
    ],
    "aten::scalar_tensor": _made_like(None, None, None),
    "aten::leaky_relu": _elements(*_SLOPES),
    "aten::elu": _elements((1, 1, 1), (0.5, 2, 3), (-1.5, 1.25, 1)),
    "aten::celu": _elements((1,), (0.5,), (-2.5,), (0,)),
    "aten::softplus": _elements((1, 20), (2.5, 3), (1, -1)),
    "aten::threshold": _elements(*_BOUNDS),
    "aten::hardshrink": _elements((0.5,), (0,), (2,), (-1,)),
    "aten::softshrink": _elements((0.5,), (0,), (2,), (-1,)),
    "aten::hardtanh": _elements((-1, 1), (0, 6), (-0.5, 2.5), (2, -1), (-300, 300)),
    "aten::rrelu": _elements((0.125, 0.5, False, None), (-1, 2, False, None)),
    "aten::pow.Tensor_Scalar": _elements((2,), (2.0,), (1.5,)),
    "aten::pow.Scalar": [
        (number, _values(dtype, *shape))
        for number, dtype, shape in product((2, 2.5, 1, 0), _DTYPES, _OF_ONE)
    ],
    "aten::addmm": _sums((2, 3), (2, 4), (4, 3)),
    "aten::addmv": _sums((2,), (2, 4), (4,)),
    "aten::addr": _sums((2, 3), (2,), (3,)),
    "aten::baddbmm": _sums((2, 2, 3), (2, 2, 1), (2, 1, 3)),
    "aten::index_add": _rows_added(),
    "aten::index_add_": _rows_added(),
    "aten::addcmul": _fused(),
    "aten::addcdiv": _fused(),
    "aten::std.correction": _reduced((([1], None, [0, 1]),)),
    "aten::lerp.Scalar": [
        (_values(dtype, *shape), _values(dtype, *shape, shift=1), weight)
        for dtype, shape, weight in product(_DTYPES, _OF_ONE, (0, 1, 0.25, 0.75, 2))
    ],
    "aten::norm.ScalarOpt_dim": _reduced((None, ([1], [0, 1])), (2, ([0],)), (1, ([0],))),
    "aten::norm.Scalar": [
        (_finite(dtype, *shape), p) for dtype, shape, p in product(_DTYPES, _OF_ONE, (2, 2.0))
    ],
    "aten::linalg_vector_norm": [
        (x, order, dim, keepdim, None)
        for x, dim, keepdim in _reduced(((None, [0], [0, 1]),))
        for order in (1, 2)
    ],
    "aten::add.out": _into(),
    "aten::scatter.value": _scattered(),
    "aten::fill.Scalar": _elements((2,), (-0.5,)),
    "aten::to.prim_Device": _converted(_CPU, torch.float16, False, True),
    "aten::to.prim_dtype": _converted(torch.float64, False, False),
    "aten::cpu": _converted(),
    "prim::abs": _SINGLES,
    "prim::data": _SINGLES,
    "aten::mul.Scalar_out": _numbers_into(),
    "aten::div.Scalar_out": _numbers_into(),
}
CASES["aten::std.correction"] = [
    (x, dim, correction, keepdim)
    for x, correction, dim, keepdim in _reduced(*[(c, (None, [1])) for c in (None, 0, 1)])
]
CASES = {key: list(cases) for key, cases in CASES.items()}
CASES["aten::var.correction"] = CASES["aten::std.correction"]
CASES["aten::sub.out"] = CASES["aten::rsub.Tensor_out"] = CASES["aten::add.out"]
CASES["aten::pow_.Scalar"] = list(CASES["aten::pow.Tensor_Scalar"])
for _name in ("leaky_relu", "elu", "celu", "threshold", "hardtanh"):
    CASES[f"aten::{_name}_"] = CASES[f"aten::{_name}"]
CASES["aten::scatter_.value"] = CASES["aten::scatter.value"]
OF_PROGRAMS = {
    *(
        f"aten::{name}.{kind}"
        for name in ("tensor", "as_tensor")
        for kind in ("int", "float", "bool", "complex")
    ),
    *("aten::tensor", "aten::as_tensor.list", "aten::einsum.sublist"),
    *(f"prim::NumToTensor.{kind}" for kind in ("Scalar", "bool")),
    *(f"aten::{name}.Scalar" for name in ("Float", "Bool")),
    *("aten::arange", "aten::arange.start", "aten::arange.start_step"),
}
"""Those that are no operators of torch's dispatcher, or for devices that a program computes."""


def _literal(value: Any) -> str:
    if value is None:
        return "NoneType = prim::Constant()"
    if isinstance(value, torch.device):
        return f'Device = prim::Constant[value="{value}"]()'
    if isinstance(value, bool):
        return f"bool = prim::Constant[value={int(value)}]()"
    if isinstance(value, float):
        return f"float = prim::Constant[value={value!r}]()"
    if isinstance(value, (list, tuple)):
        return f"int[] = prim::Constant[value={list(value)}]()"
    return f"int = prim::Constant[value={value}]()"


_CODES = {torch.float16: 5, torch.float64: 7, torch.int32: 3, torch.uint8: 0, torch.int64: 4}


def native_of(key: str, arguments: tuple[Any, ...]) -> NativeFunction:
    """Return a function in C of the arguments that are tensors, with the others as constants."""
    given = [_CODES.get(x, x) if isinstance(x, torch.dtype) else x for x in arguments]
    tensors = [f"%a{i} : Tensor" for i, x in enumerate(given) if isinstance(x, torch.Tensor)]
    constants = [
        f"  %a{i} : {_literal(x)}" for i, x in enumerate(given) if not isinstance(x, torch.Tensor)
    ]
    operands = ", ".join([f"%a{i}" for i in range(len(given))])
    call = f"  %r : Tensor = {key.partition('.')[0]}({operands})"
    head = f"graph({', '.join(tensors)}):"
    return NativeFunction(parse_graph("\n".join([head, *constants, call, "  return (%r)"])), "f")


def eager_of(key: str, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """Return the same function by torch's own operator."""

    def call(*tensors: torch.Tensor) -> Any:
        left = iter(tensors)
        return _called(key, [next(left) if isinstance(x, torch.Tensor) else x for x in arguments])

    return call


def _called(key: str, arguments: list[Any]) -> Any:
    name, _, overload = key.partition(".")
    if key == "aten::cpu":
        return arguments[0].cpu()
    if key in ("prim::abs", "prim::data"):
        return arguments[0].abs() if key == "prim::abs" else arguments[0].data
    if key in ("aten::to.prim_Device", "aten::to.prim_dtype"):
        kinds = (torch.device, torch.dtype)
        return arguments[0].to(*[x for x in arguments[1:] if isinstance(x, kinds)], copy=True)
    schema = next(each for each in schemas_for(name) if each.overload == overload)
    pairs = list(zip(schema.arguments, arguments, strict=True))
    positional = [x for argument, x in pairs if not argument.kwarg_only]
    named = {argument.name: x for argument, x in pairs if argument.kwarg_only}
    function = getattr(torch.ops.aten, name.removeprefix("aten::"))
    return getattr(function, overload or "default")(*positional, **named)
