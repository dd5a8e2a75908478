"""Operators that are written in TorchScript: `2 * x`, `x.shape`, `"a" in "abc"`.

They are compiled once, from the texts below, and inlined where they are called: each when it is
first called, since a program uses few of them. Positions within
these texts are part of the IR that torch prints (`# <string>:3:9`), so a text starts with an empty
line and a function has its head on one line and its body on the next, as in torch.

Source: torch/csrc/jit/frontend/builtin_functions.cpp.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from functools import cache, cached_property
from typing import TYPE_CHECKING

from minits.frontend.calls.literal_defaults import literal_defaults
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.graph import Graph
from minits.ops.schema import Schema
from minits.source import GIVEN_AS_TEXT, SourceFile, SourceRange
from minits.syntax import parse_part, tree
from minits.syntax.signed_numbers import with_signed_numbers
from minits.types.annotations import DEFAULT_NAMES, type_from_annotation
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter
    from minits.frontend.values.function import CompiledFunction

_HEAD = r"(?m)^def (\w+)\("
_SCALAR_FIRST = {
    "mul": "b * a",
    "add": "b + a",
    "ne": "b != a",
    "eq": "b == a",
    "sub": "torch.neg(b) + a",
    "div": "torch.reciprocal(b) * a",
}
_ORDERED = {"lt": "b > a", "le": "b >= a", "gt": "b < a", "ge": "b <= a"}
_TUPLES = {"_single": 1, "_pair": 2, "_triple": 3, "_quadruple": 4}
_PROPERTIES = {
    "ndim": ("int", "a.dim()"),
    "T": ("Tensor", "a.numpy_T()"),
    "H": ("Tensor", "a.matrix_H()"),
    "mT": ("Tensor", "a.mT"),
    "mH": ("Tensor", "a.mH"),
    "shape": ("List[int]", "a.size()"),
}
_OTHERS = """
def _assert_int_or_pair(vals: List[int], name: str, message: str):
  pass
def list_with_default(out_size: List[int], defaults: List[int]):
  assert len(defaults) > len(out_size)
  return out_size
def _assert(condition: bool, message: str):
  assert condition, message
def device(type: str):
  return torch.device(type)
def type(self: Tensor, dtype: int, non_blocking: bool=False, copy: bool=False) -> Tensor:
  return self.to(dtype, non_blocking, copy)
"""
_MORE = """
def _assert(condition: Tensor, message: str):
  assert bool(condition), message
def __contains__(self: str, key: str):
    return self.find(key, 0, len(self)) != -1
"""


def _texts() -> list[tuple[str, str]]:
    """Return (namespace, text) pairs in torch's order, which decides between overloads."""
    texts = [("aten", _functions(_SCALAR_FIRST, scalar)) for scalar in ("float", "int", "complex")]
    texts += [("aten", _functions(_ORDERED, scalar)) for scalar in ("float", "int")]
    for scalar in ("float", "int"):
        for name, length in _TUPLES.items():
            head = f"def {name}(x: BroadcastingList{length}[{scalar}]) -> List[{scalar}]:"
            texts.append(("aten", f"\n{head}\n  return x\n"))
    for right in ("number", "Tensor"):
        head = f"def floordiv(self: Tensor, other: {right}) -> Tensor:"
        texts.append(("aten", f"\n{head}\n  return torch.floor_divide(self, other)\n"))
    properties = "".join(
        f"def {name}(a: Tensor) -> {result}:\n  return {body}\n"
        for name, (result, body) in _PROPERTIES.items()
    )
    return [*texts, ("aten", _OTHERS), ("aten", _MORE), ("prim", "\n" + properties)]


def _functions(bodies: dict[str, str], scalar: str) -> str:
    return "\n" + "".join(
        f"def {name}(a: {scalar}, b: Tensor) -> Tensor:\n  return {body}\n"
        for name, body in bodies.items()
    )


class _Torch(SugaredValue):
    """`torch` in these texts: its attributes are operators."""

    kind = "module"

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        from minits.frontend.values import builtins

        return builtins.BuiltinFunction(f"aten::{name}")


class _TorchScope:
    """The scope of the texts below: `torch`, and the types of annotations."""

    dialect = "torch"

    def value(self, name: str, loc: SourceRange, emitter: Emitter) -> SugaredValue | None:
        return _Torch() if name == "torch" else None

    def type(self, annotation: tree.expr) -> Type:
        return type_from_annotation(annotation, DEFAULT_NAMES.__getitem__)

    def names(self) -> list[str]:
        return ["torch"]


_is_defining: ContextVar[bool] = ContextVar("is_defining", default=False)


class BuiltinFunction:
    """A function given as TorchScript text.

    The text is parsed when its schema is first read, the body compiled when it is first called.
    """

    def __init__(self, source: SourceFile, start: int, end: int) -> None:
        self._span = source, start, end

    @cached_property
    def _function(self) -> CompiledFunction:
        from minits.frontend.values.function import CompiledFunction

        (definition,) = parse_part(*self._span).body
        assert isinstance(definition, tree.FunctionDef)
        return CompiledFunction(
            definition.name,
            f"__torch__.{definition.name}",
            with_signed_numbers(definition),
            _TorchScope(),
            defaults=literal_defaults(definition),
        )

    @cached_property
    def schema(self) -> Schema:
        """The declared schema; without a return annotation, that of the compiled body."""
        from minits.frontend.values.signature import read_signature

        function = self._function
        if function.definition.returns is None:
            return self._compiled().schema
        return read_signature(
            function.name, function.definition, function.scope, function.defaults, False
        )

    @property
    def graph(self) -> Graph:
        return self._compiled().graph

    def _compiled(self) -> CompiledFunction:
        token = _is_defining.set(True)
        try:
            self._function.ensure_defined()
        finally:
            _is_defining.reset(token)
        return self._function


def builtin_functions(name: str) -> list[BuiltinFunction]:
    """Return the functions of an operator's name, such as `aten::mul`.

    While one is being compiled there are none, as in torch.
    """
    return [] if _is_defining.get() else _all_functions().get(name, [])


@cache
def _all_functions() -> dict[str, list[BuiltinFunction]]:
    found: dict[str, list[BuiltinFunction]] = {}
    for namespace, text in _texts():
        source = SourceFile(GIVEN_AS_TEXT, text)
        heads = list(re.finditer(_HEAD, text))
        ends = [head.start() for head in heads[1:]] + [len(text)]
        for head, end in zip(heads, ends, strict=True):
            made = BuiltinFunction(source, head.start(), end)
            found.setdefault(f"{namespace}::{head[1]}", []).append(made)
    return found
