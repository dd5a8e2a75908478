"""Operators that are written in TorchScript: `2 * x`, `x.shape`, `"a" in "abc"`.

They are compiled once, from the texts below, and inlined where they are called. Positions within
these texts are part of the IR that torch prints (`# <string>:3:9`), so a text starts with an empty
line and a function has its head on one line and its body on the next, as in torch.

Source: torch/csrc/jit/frontend/builtin_functions.cpp.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING

from minits.source import GIVEN_AS_TEXT, SourceFile
from minits.syntax.signed_numbers import with_signed_numbers

if TYPE_CHECKING:
    from minits.frontend.function import CompiledFunction

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


_defining = False


def builtin_functions(name: str) -> list[CompiledFunction]:
    """Return the functions of an operator's name, such as `aten::mul`.

    A function is compiled when its name is first asked for. While one is being compiled there are
    none, as in torch.
    """
    global _defining
    if _defining:
        return []
    _defining = True
    try:
        functions = _all_functions().get(name, [])
        for function in functions:
            function.ensure_defined()
    finally:
        _defining = False
    return functions


@cache
def _all_functions() -> dict[str, list[CompiledFunction]]:
    from minits.frontend.text_scope import define_functions

    found: dict[str, list[CompiledFunction]] = defaultdict(list)
    for namespace, text in _texts():
        for function in define_functions(SourceFile(GIVEN_AS_TEXT, text)):
            function.definition = with_signed_numbers(function.definition)
            found[f"{namespace}::{function.name}"].append(function)
    return found
