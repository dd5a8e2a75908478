"""Random programs that fuse, with arguments to call them on.

A program is grown one statement at a time. Each statement is tried in eager torch on the values so
far and kept if torch takes it, so that every program that comes out runs:

    def program(a, b, s):
        v0 = torch.exp(a)
        v1 = v0 + b * s
        v2 = torch.softmax(v1, dim=-1)
        return (v1, v2)

Shapes have sizes of zero and one, tensors are broadcast, transposed, sliced and expanded, and their
values are special now and then: NaN, infinities, zeros of both signs, denormals, extremes.
"""

from __future__ import annotations

import linecache
import math
import typing
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import hypothesis.strategies as st
import torch
from torch import Tensor

FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
DTYPES = (*[torch.float32] * 6, *FLOATS, torch.int64, torch.int32, torch.int16, torch.uint8,
          torch.bool)  # fmt: skip
SIZES = (0, 1, 1, 2, 3, 5, 8, 17, 33, 70)
MOST_ELEMENTS = 5000

UNARY = (
    "abs neg sign square relu exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos "
    "tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid erf erfc lgamma digamma floor "
    "ceil round trunc frac isnan isinf isfinite logical_not bitwise_not deg2rad rad2deg sinc"
).split()
BINARY = (
    "add sub mul div maximum minimum fmax fmin atan2 hypot remainder fmod pow floor_divide eq ne "
    "lt le gt ge logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor copysign "
    "logaddexp xlogy"
).split()
ACTIVATIONS = (
    "silu mish gelu elu selu celu relu6 hardtanh hardswish hardsigmoid leaky_relu softplus "
    "softsign tanhshrink softshrink hardshrink logsigmoid"
).split()
REDUCTIONS = "sum mean amax amin prod any all argmax var std".split()
CASTS = ("torch.float32", "torch.float64", "torch.float16", "torch.bfloat16", "torch.int64",
         "torch.bool")  # fmt: skip
NUMBERS = ("2", "0.5", "-1.5", "3", "1", "0.1", "-2", "1e-3")
SPECIALS = (math.nan, math.inf, -math.inf, -0.0, 0.0, 1e-40, -1e-40, 1e38, 65504.0, 1e-8, 88.5)


@dataclass
class Program:
    """A program's text, and arguments to call it on."""

    lines: list[str]
    parameters: list[str]
    arguments: list[Any]
    results: list[str]
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        annotated = ", ".join(self.parameters)
        body = "".join(f"    {line}\n" for line in self.lines)
        returned = ", ".join(self.results) + ("," if len(self.results) == 1 else "")
        annotation = ", ".join(["Tensor"] * len(self.results))
        return f"def program({annotated}) -> Tuple[{annotation}]:\n{body}    return ({returned})\n"

    def function(self) -> Callable[..., Any]:
        """Return the program as a Python function whose source can be found."""
        filename = f"<fuzz {abs(hash(self.text)):x}>"
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(True), filename)
        scope: dict[str, Any] = {
            "torch": torch,
            "Tensor": Tensor,
            "Tuple": typing.Tuple,  # noqa: UP006
            "F": torch.nn.functional,
            "__name__": "fuzz",
        }
        exec(compile(self.text, filename, "exec"), scope)
        function: Callable[..., Any] = scope["program"]
        return function

    def __str__(self) -> str:
        shown = [
            f"{tuple(a.shape)} {a.stride()} {a.dtype}" if isinstance(a, Tensor) else repr(a)
            for a in self.arguments
        ]
        return f"{self.text}\non {', '.join(shown)}"


# ---- Arguments ---------------------------------------------------------------------------------


@st.composite
def tensors(draw: st.DrawFn, domain: list[int]) -> Tensor:
    """A tensor that broadcasts to `domain`, laid out in some way."""
    dtype = draw(st.sampled_from(DTYPES))
    shape = [1 if draw(st.integers(0, 5)) == 0 else size for size in domain]
    shape = shape[draw(st.sampled_from((0, 0, 0, 0, 1, 2))) :]
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**20)))
    match draw(st.sampled_from(("plain", "plain", "plain", "transposed", "sliced", "expanded"))):
        case "transposed" if len(shape) >= 2:
            i, j = draw(st.sampled_from([(0, -1), (-2, -1), (0, 1)]))
            shape[i], shape[j] = shape[j], shape[i]
            return _values(draw, shape, dtype, generator).transpose(i, j)
        case "sliced" if shape:
            shape[-1] = 2 * shape[-1] + 1
            return _values(draw, shape, dtype, generator)[..., 1::2]
        case "expanded" if shape:
            given = [1, *shape[1:]]
            return _values(draw, given, dtype, generator).expand(shape)
    return _values(draw, shape, dtype, generator)


def _values(
    draw: st.DrawFn, shape: list[int], dtype: torch.dtype, generator: torch.Generator
) -> Tensor:
    if dtype == torch.bool:
        return torch.randint(0, 2, shape, generator=generator).bool()
    if not dtype.is_floating_point:
        low = 0 if dtype == torch.uint8 else -9
        return torch.randint(low, 10, shape, generator=generator).to(dtype)
    made = torch.randn(shape, generator=generator, dtype=torch.float64) * draw(
        st.sampled_from((1.0, 1.0, 3.0, 30.0))
    )
    if made.numel() and draw(st.integers(0, 3)) == 0:
        flat = made.view(-1)
        places = torch.randint(0, flat.numel(), (max(1, flat.numel() // 8),), generator=generator)
        kinds = torch.randint(0, len(SPECIALS), places.shape, generator=generator)
        flat[places] = torch.tensor(SPECIALS, dtype=torch.float64)[kinds]
    return made.to(dtype)


# ---- Statements --------------------------------------------------------------------------------


def _statement(draw: st.DrawFn, names: list[str]) -> str:
    """An expression over some of the names; torch may refuse it."""

    def name() -> str:
        recent = names[-3:]
        return draw(st.sampled_from(recent if draw(st.booleans()) else names))

    def operand() -> str:
        return draw(st.sampled_from(NUMBERS)) if draw(st.integers(0, 2)) == 0 else name()

    match draw(st.sampled_from("uuuuubbbbbbbaaarrrswwcvmpln")):
        case "u":
            return f"torch.{draw(st.sampled_from(UNARY))}({name()})"
        case "b":
            op = draw(st.sampled_from(BINARY))
            return f"torch.{op}({name()}, {operand()})"
        case "a":
            return f"F.{draw(st.sampled_from(ACTIVATIONS))}({name()})"
        case "r":
            op, of = draw(st.sampled_from(REDUCTIONS)), name()
            keep = draw(st.sampled_from(("True", "True", "False")))
            if op == "argmax":
                return f"torch.argmax({of}, -1, keepdim={keep})"
            if op == "prod":  # others overflow or not, as the order of the factors has it
                of = f"torch.clamp({of}, -1, 1)"
            dim = "-1" if op in ("prod", "any", "all") else "[-1]"
            return f"torch.{op}({of}, dim={dim}, keepdim={keep})"
        case "s":
            return f"torch.{draw(st.sampled_from(('softmax', 'log_softmax')))}({name()}, dim=-1)"
        case "w":
            return f"torch.where({name()} > {operand()}, {name()}, {operand()})"
        case "c":
            return f"{name()}.to({draw(st.sampled_from(CASTS))})"
        case "v":
            view = draw(st.sampled_from((
                "unsqueeze(0)", "unsqueeze(-1)", "transpose(-1, -2)", "squeeze(-1)", "detach()",
                "narrow(-1, 0, 1)", "select(0, 0)",
            )))  # fmt: skip
            return f"{name()}.{view}"
        case "m":
            low, high = sorted(draw(st.sampled_from((-1.5, -0.5, 0.0, 0.5, 2.0))) for _ in "lh")
            return f"torch.clamp({name()}, {low}, {high})"
        case "p":
            return (
                f"torch.{draw(st.sampled_from(('addcmul', 'lerp')))}({name()}, {name()}, {name()})"
            )
        case "l":
            return f"{name()} * s"
        case _:
            of = name()
            return f"F.layer_norm({of}, [{of}.size(-1)])"


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """A program of up to a dozen statements, with arguments."""
    domain = draw(st.lists(st.sampled_from(SIZES), max_size=4))
    while math.prod(domain) > MOST_ELEMENTS:
        domain.pop(0)
    count = draw(st.integers(1, 3))
    names = ["a", "b", "c"][:count]
    arguments: list[Any] = [draw(tensors(domain)) for _ in names]
    number = draw(st.sampled_from((0.5, -2.0, 3.0)))
    program = Program(
        [], [*[f"{name}: Tensor" for name in names], "s: float"], [*arguments, number], []
    )
    scope: dict[str, Any] = {"torch": torch, "F": torch.nn.functional, "s": number}
    scope |= dict(zip(names, arguments, strict=True))
    for _ in range(draw(st.integers(1, 12))):
        expression = _statement(draw, names)
        made = _try(expression, scope)
        if made is None or made.numel() > 4 * MOST_ELEMENTS:
            continue
        new = f"v{len(program.lines)}"
        program.lines.append(f"{new} = {expression}")
        scope[new] = made
        names.append(new)
    computed = [name for name in names if name.startswith("v")]
    if not computed:
        program.lines.append("v0 = a + a")
        computed = ["v0"]
    program.results = [computed[-1]]
    for name in computed[:-1]:
        if len(program.results) < 3 and draw(st.integers(0, 4)) == 0:
            program.results.append(name)
    return program


def _try(expression: str, scope: dict[str, Any]) -> Tensor | None:
    try:
        if "torch.var(" in expression or "torch.std(" in expression:
            of = scope[expression.partition("(")[2].partition(",")[0]]
            if of.dim() == 0 or of.size(-1) < 2:  # torch warns of each
                return None
        made = eval(expression, scope)
    except (RuntimeError, IndexError, TypeError, ValueError):
        return None
    return made if isinstance(made, Tensor) and made.dtype in DTYPES else None
