"""Random programs that fuse, with arguments to call them on.

A program is grown one statement of `statements.py` at a time. Each is tried in eager torch on the
values so far and kept if torch takes it, so that every program that comes out runs:

    def program(a: Tensor, b: Tensor, s: float, flag: bool, o: Optional[Tensor], ...):
        v0 = torch.exp(a)
        v1 = v0 + b * s
        v2 = torch.softmax(v1, dim=-1)
        return (v1, v2)

Shapes have sizes of zero and one, tensors are broadcast and lie in all ways (`layouts.py`), and
their values are special now and then: NaN, infinities, zeros of both signs, denormals, extremes.
"""

from __future__ import annotations

import linecache
import math
import re
import typing
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from conformance.fuzz.layouts import laid_out
from conformance.fuzz.statements import Nothing, statement

FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
DTYPES = (*[torch.float32] * 6, *FLOATS, torch.int64, torch.int32, torch.int16, torch.uint8,
          torch.bool)  # fmt: skip
SIZES = (0, 1, 1, 2, 2, 3, 3, 5, 8, 17, 33, 70)
RANKS = (0, 1, 2, 2, 2, 3, 3, 4, 4, 5)
LENGTHS = (2, 4, 6, 8, 12, 16)
MOST_ELEMENTS = 5000

SPECIALS = (math.nan, math.inf, -math.inf, -0.0, 0.0, 1e-40, -1e-40, 1e38, 65504.0, 1e-8, 88.5)


@dataclass
class Program:
    """A program's text, and arguments to call it on."""

    text: str
    arguments: list[Any]

    def function(self) -> Callable[..., Any]:
        """Return the program as a Python function whose source can be found."""
        filename = f"<fuzz {abs(hash(self.text)):x}>"
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(True), filename)
        namespace: dict[str, Any] = {
            "torch": torch,
            "Tensor": Tensor,
            "Tuple": typing.Tuple,  # noqa: UP006
            "Optional": typing.Optional,
            "F": torch.nn.functional,
            "__name__": "fuzz",
        }
        exec(compile(self.text, filename, "exec"), namespace)
        function: Callable[..., Any] = namespace["program"]
        return function

    def __str__(self) -> str:
        shown = [
            f"{tuple(a.shape)} {a.stride()} {a.dtype}" if isinstance(a, Tensor) else repr(a)
            for a in self.arguments
        ]
        return f"{self.text}\non {', '.join(shown)}"


# ---- Arguments ---------------------------------------------------------------------------------


def tensors(random: Random, domain: list[int], is_smooth: bool) -> Tensor:
    """A tensor that broadcasts to `domain`, laid out in some way."""
    dtype = torch.float64 if is_smooth else random.choice(DTYPES)
    shape = [1 if random.randint(0, 5) == 0 else size for size in domain]
    shape = shape[random.choice((0, 0, 0, 0, 1, 2)) :]
    generator = torch.Generator().manual_seed(random.randint(0, 2**20))
    return laid_out(
        random, shape, lambda shape: _values(random, shape, dtype, generator, is_smooth)
    )


def _values(
    random: Random,
    shape: list[int],
    dtype: torch.dtype,
    generator: torch.Generator,
    is_smooth: bool,
) -> Tensor:
    if dtype == torch.bool:
        return torch.randint(0, 2, shape, generator=generator).bool()
    if not dtype.is_floating_point:
        low = 0 if dtype == torch.uint8 else -9
        return torch.randint(low, 10, shape, generator=generator).to(dtype)
    made = torch.randn(shape, generator=generator, dtype=torch.float64) * random.choice(
        (1.0, 1.0, 3.0, 30.0)
    )
    if made.numel() and not is_smooth and random.randint(0, 3) == 0:
        flat = made.view(-1)
        places = torch.randint(0, flat.numel(), (max(1, flat.numel() // 8),), generator=generator)
        kinds = torch.randint(0, len(SPECIALS), places.shape, generator=generator)
        flat[places] = torch.tensor(SPECIALS, dtype=torch.float64)[kinds]
    return made.to(dtype)


_UNDEFINED = re.compile(r"(norm|dist|distance)\(.*, 0(\.0)?\b")
"""Orders of norms of which eager has no gradient, not even zero: nodes before them run in vain."""

# ---- Growing -----------------------------------------------------------------------------------

HEAD = "s: float, flag: bool, o: Optional[Tensor], p: Optional[Tensor]"
"""Parameters after those that are tensors."""


def random_program(random: Random, is_smooth: bool = False) -> Program:
    """A program of up to a dozen statements, with arguments.

    If `is_smooth`, the tensors are float64 without special values: gradients can be compared.
    """
    domain = [random.choice(SIZES) for _ in range(random.choice(RANKS))]
    while math.prod(domain) > MOST_ELEMENTS:
        domain.pop(0)
    made = [tensors(random, domain, is_smooth) for _ in range(random.randint(1, 3))]
    given = {
        **dict(zip("abc", made, strict=False)),
        "s": random.choice((0.5, -2.0, 3.0)),
        "flag": random.random() < 0.5,
        "o": tensors(random, domain, is_smooth) if random.random() < 0.5 else None,
        "p": tensors(random, domain, is_smooth) if random.random() < 0.5 else None,
    }
    grown = _Growing(given, [name for name in given if name in "abc"], is_smooth)
    for _ in range(random.choice(LENGTHS)):
        grown.grow(random)
    program = grown.program(random)
    return program if runs(program) else random_program(random, is_smooth)


def runs(program: Program) -> bool:
    """Whether eager takes a program whole: a statement that failed may have written to a tensor."""
    try:
        with _NoWildCasts(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program.function()(*program.arguments)
    except Exception:
        return False
    return True


class _Growing:
    """A program so far."""

    def __init__(self, given: dict[str, Any], names: list[str], is_smooth: bool) -> None:
        self.given, self.names, self.count = given, names, len(names)
        self.is_smooth = is_smooth
        self.namespace = {"torch": torch, "F": torch.nn.functional, **given}
        self.fixed = {_storage(value) for value in given.values() if isinstance(value, Tensor)}
        self.lines: list[str] = []

    def grow(self, random: Random) -> None:
        """Add a statement if torch takes it and makes nothing large of it.

        One that fails may have written to a tensor; that has kept its shape.
        """
        try:
            new = statement(random, self.names, self.writable, len(self.names) - self.count)
            namespace = {**self.namespace}
            with _NoWildCasts():
                exec("\n".join(new.lines), namespace)
            if self.is_smooth and any(map(_UNDEFINED.search, new.lines)):
                return
        except (RuntimeError, IndexError, TypeError, ValueError, AttributeError, Nothing):
            return
        made = [namespace[name] for name in new.made]
        if all(map(_is_usable, made)):
            self.lines += new.lines
            self.namespace = namespace
            self.names += new.made

    def writable(self) -> list[str]:
        """The names of tensors that share no memory with an argument."""
        return [name for name in self.names if _storage(self.namespace[name]) not in self.fixed]

    def program(self, random: Random) -> Program:
        """Return the grown program; its results are the last value and up to two others."""
        computed = self.names[self.count :]
        if not computed:
            self.lines, computed = ["v0 = a + a"], ["v0"]
        results = [computed[-1]]
        for name in computed[:-1]:
            if len(results) < 3 and random.randint(0, 4) == 0:
                results.append(name)
        parameters = ", ".join([f"{name}: Tensor" for name in self.names[: self.count]] + [HEAD])
        types = ", ".join(["Tensor"] * len(results))
        body = "".join(f"    {line}\n" for line in self.lines)
        returned = ", ".join(results) + ("," if len(results) == 1 else "")
        text = f"def program({parameters}) -> Tuple[{types}]:\n{body}    return ({returned})\n"
        return Program(text, list(self.given.values()))


class _NoWildCasts(TorchDispatchMode):  # type: ignore[misc]
    """Refuse to turn a float into an integer that cannot hold it: raises Nothing.

    Neither C nor torch say what comes out then; gcc takes `(float)(long long)x` for `truncf(x)`.
    """

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        result = function(*args, **(kwargs or {}))
        name = function.overloadpacket.__name__
        if name in ("_to_copy", "copy_") and isinstance(result, Tensor):
            given = args[1] if name == "copy_" else args[0]
            if not result.dtype.is_floating_point and result.dtype != torch.bool:
                info = torch.iinfo(result.dtype)
                if not bool(((given >= info.min) & (given < float(info.max) + 1)).all()):
                    raise Nothing
        return result


def _is_usable(value: Any) -> bool:
    return (
        isinstance(value, Tensor) and value.dtype in DTYPES and value.numel() <= 4 * MOST_ELEMENTS
    )


def _storage(tensor: Tensor) -> int:
    found: int = tensor.untyped_storage()._cdata
    return found
