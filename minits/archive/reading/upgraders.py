"""Operators with the meaning that they had in older versions of the format.

An archive of a version before that in which an operator changed calls the operator of that time.
Here they are, as functions of TorchScript that are inlined where they are called: until version
3 the quotient of integers was one, until 4 the dtype of `full` was float, until 7 and 8 `linspace`
and `logspace` had a default number of steps.

Source: torch/csrc/jit/operator_upgraders/upgraders_entry.cpp.
Differs: torch upgrades methods only; in functions, forks and hooks it takes the newer meaning.
"""

from __future__ import annotations

from functools import cache

from minits.archive.reading.code_files import fault
from minits.frontend.calls.schema_matching import MatchedSchema, match_schemas
from minits.frontend.python.text_scope import define_functions
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.builtins import BuiltinFunction
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import Args, SugaredValue
from minits.ir.copying import insert_graph
from minits.source import SourceFile, SourceRange
from minits.syntax import tree

_IS_EXACT = "not (torch.is_floating_point({0}) or torch.is_complex({0}))"
_DIV = f"""
def of_tensor(self: Tensor, other: Tensor) -> Tensor:
  if {_IS_EXACT.format("self")} and {_IS_EXACT.format("other")}:
    return self.NAME(other, rounding_mode="trunc")
  return self.NAME(other)
def of_number(self: Tensor, other: number) -> Tensor:
  if {_IS_EXACT.format("self")} and {_IS_EXACT.format("_to_tensor(other)")}:
    return self.NAME(other, rounding_mode="trunc")
  return self.NAME(other)
"""
_DIV_OUT = f"""
def out(self: Tensor, other: Tensor, *, out: Tensor) -> Tensor:
  exact = {_IS_EXACT.format("self")} and {_IS_EXACT.format("other")}
  if exact and {_IS_EXACT.format("out")}:
    return torch.div(self, other, rounding_mode="trunc", out=out)
  return torch.div(self, other, out=out)
"""
_OPTIONS = (
    "dtype: Optional[int]=None, layout: Optional[int]=None, device: Optional[Device]=None, "
    "pin_memory: Optional[bool]=None"
)
_GIVEN = "dtype=dtype, layout=layout, device=device, pin_memory=pin_memory"
_FULL = f"""
def full(size: List[int], fill_value: number, {_OPTIONS}) -> Tensor:
  if dtype is None:
    fill_value = float(fill_value)
  return torch.full(size, fill_value, {_GIVEN})
"""
_STEPS = """
def NAME(start: number, end: number, steps: Optional[int]=NoneBASE, OPTIONS) -> Tensor:
  n = 100 if steps is None else steps
  return torch.NAME(start, end, nARGUMENT, GIVEN)
def out(start: number, end: number, steps: Optional[int]=NoneBASE, *, out: Tensor) -> Tensor:
  n = 100 if steps is None else steps
  return torch.NAME(start, end, nARGUMENT, out=out)
""".replace("OPTIONS", _OPTIONS).replace("GIVEN", _GIVEN)

_TEXTS: dict[str, tuple[int, str]] = {
    "aten::div": (4, _DIV.replace("NAME", "div") + _DIV_OUT),
    "aten::div_": (4, _DIV.replace("NAME", "div_")),
    "aten::full": (5, _FULL),
    "aten::linspace": (
        8, _STEPS.replace("NAME", "linspace").replace("BASE", "").replace("ARGUMENT", ""),
    ),
    "aten::logspace": (
        9, _STEPS.replace("NAME", "logspace").replace("BASE", ", base: float=10.0")
        .replace("ARGUMENT", ", base"),
    ),
}  # fmt: skip
"""The version in which an operator changed, and the functions that it was before."""


def is_upgraded(name: str, version: int) -> bool:
    """Return whether an operator meant something else in this version of the format."""
    return version < _TEXTS.get(name, (0, ""))[0]


def operator_of(name: str, version: int) -> BuiltinFunction:
    """Return an operator as it was in a version of the format."""
    if not is_upgraded(name, version):
        return BuiltinFunction(name)
    return _OlderOperator(name, _TEXTS[name][1])


class _OlderOperator(BuiltinFunction):
    """An operator with changed overloads: these are tried first, then the current ones."""

    def __init__(self, operator: str, text: str) -> None:
        super().__init__(operator)
        self.functions = _functions(text)

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        schemas = [function.schema for function in self.functions]
        matched = match_schemas(schemas, emitter.graph, loc, args, kwargs)
        if not isinstance(matched, MatchedSchema):
            value = emit_builtin_call(emitter.graph, loc, self.operator, args, kwargs)
            return SimpleValue(value)
        function = self.functions[schemas.index(matched.schema)]
        return SimpleValue(insert_graph(emitter.graph, function.graph, matched.inputs)[0])


@cache
def _functions(text: str) -> list[CompiledFunction]:
    return define_functions(SourceFile("<upgraders>", text))


def refuse_older_division(definition: tree.FunctionDef, version: int) -> None:
    """Refuse `/` in an old archive, whose older meaning is not read; torch writes `torch.div`.

    Raises `ArchiveError`.
    """
    if version >= 4:
        return
    for part in tree.walk(definition):
        divides = isinstance(part, (tree.BinOp, tree.AugAssign)) and part.op == "/"
        if divides or (isinstance(part, tree.Attribute) and _is_method_div(part)):
            raise fault(part, f"in version {version} of the format, only torch.div divides")


def _is_method_div(node: tree.Attribute) -> bool:
    of_torch = isinstance(node.value, tree.Name) and node.value.id == "torch"
    return node.attr in ("div", "div_") and not of_torch
