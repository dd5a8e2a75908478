"""The operators of numbers whose type is known when the program runs (`Scalar`): those of int,
float and complex, chosen by the types that the operands have.

    aten::add        mts_number_add(pool, {0}, {1})    raises if mts_number_add_raises({0}, {1})

The functions are written here, of the rows for `int`, `float` and `complex`; where there is none,
as for bools, torch's operator raises.

Source: torch/csrc/jit/runtime/register_ops_utils.h (`DEFINE_GENERIC_OP` and others).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from minits.native.complex_operators import COMPLEX_OPERATORS
from minits.native.expressions import filled
from minits.native.operator_rows import Operator, computing, making
from minits.native.scalar_operators import SCALAR_OPERATORS
from minits.records import dataclass

_TYPES = {"i": "int", "f": "float", "c": "complex"}
_CUT = {"i": "int32_t", "f": "float"}
_OF_REALS = ("log1p", "expm1", "erf", "erfc", "fabs", "degrees", "radians", "round")
_OF_COMPLEX = (
    "log log10 sqrt exp sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh"
).split()  # fmt: skip
_READ = {"i": "{}->items[1].i", "f": "{}->items[1].d", "c": "mts_number_to_complex({})"}
_ROWS = SCALAR_OPERATORS | COMPLEX_OPERATORS


@dataclass(frozen=True, slots=True)
class _Of:
    """An operator, and the letters of its results' types by those of its operands'.

    type: that of the result in C; "" for a number whose type depends on those of the operands
    cuts: its results have 32 bits, which those of `int` and `float` have not
    raises: it raises where those of `int` and `float` do
    """

    kind: str
    overload: str
    results: dict[str, str]
    type: str = ""
    cuts: bool = False
    raises: bool = True

    @property
    def name(self) -> str:
        return f"mts_number_{self.kind.split('::')[1]}"

    @property
    def key(self) -> str:
        return f"{self.kind}.{self.overload}" if self.overload else self.kind

    def row(self, kinds: str) -> Operator:
        """Return the row of these types of operands."""
        if kinds in ("ic", "ci") and self.type == "bool":
            kinds = kinds.replace("i", "f")
        names = [_TYPES[kind] for kind in kinds]
        keys = (f"{self.kind}.{'_'.join(names)}", f"{self.kind}.{names[0]}", self.kind)
        return next(_ROWS[key] for key in keys if key in _ROWS)


def _pairs(of_ints: str, others: str = "", has_complex: bool = False) -> dict[str, str]:
    """Return the results of a binary operator: of two ints, and of others; a sum has those that
    its operands have."""
    found = {"ii": of_ints, **dict.fromkeys(("if", "fi", "ff"), others or "f")}
    if has_complex:
        pairs = map("".join, itertools.product("ifc", repeat=2))
        found |= {kinds: others or "c" for kinds in pairs if "c" in kinds}
    return found


_ALL = [
    *[_Of(f"aten::{name}", "", _pairs("i", has_complex=True)) for name in ("add", "sub", "mul")],
    *[_Of(f"aten::{name}", "", _pairs("i")) for name in ("floordiv", "remainder")],
    *[_Of(f"prim::{name}", "", _pairs("i")) for name in ("min", "max")],
    *[_Of(f"aten::{name}", "", _pairs("f"), "double") for name in ("div", "fmod", "copysign")],
    _Of("aten::pow", "Scalar_Scalar", _pairs("f"), "double", raises=False),
    _Of("aten::atan2", "Scalar_Scalar", _pairs("f"), "double"),
    *[
        _Of(f"aten::{name}", "", _pairs("b", "b", name in ("eq", "ne")), "bool")
        for name in ("lt", "le", "gt", "ge", "eq", "ne")
    ],
    *[_Of(f"aten::{name}", "Scalar", {"i": "f", "f": "f"}, cuts=True) for name in _OF_REALS],
    *[
        _Of(f"aten::{name}", "Scalar", {"i": "f", "f": "f", "c": "c"}, cuts=True)
        for name in _OF_COMPLEX
    ],
    _Of("aten::neg", "Scalar", {"i": "i", "f": "f", "c": "c"}, cuts=True),
    _Of("prim::abs", "Scalar", {"i": "i", "f": "f", "c": "f"}, cuts=True),
]


def _functions() -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the functions of C."""
    for each in _ALL:
        operands = ["a", "b"] if "ii" in each.results else ["a"]
        given = ", ".join([f"mts_list *{operand}" for operand in operands])
        kinds = "mts_number_kinds(a, b)" if len(operands) == 2 else "mts_number_kind(a)"
        raises, results = list[str](), list[str]()
        for key, result in each.results.items():
            row = each.row(key)
            read = [_READ[kind].format(name) for kind, name in zip(key, operands, strict=True)]
            condition = row.raises if each.raises else None
            case = " << 8 | ".join([f"'{letter}'" for letter in key])
            raises.append(f"    case {case}: return {filled(condition or 'false', read)};")
            text = filled(row.results[0], read)
            if each.cuts and result != "c":
                text = f"({_CUT[result]})({text})"
            if not each.type:
                text = f"mts_number_of_{_TYPES[result]}(pool, {text})"
            results.append(f"    case {case}: return {text};")
        head = f"static bool {each.name}_raises({given})"
        yield f"{each.name}_raises", _switch(head, kinds, raises, "true")
        pool = "" if each.type else "mts_list **pool, "
        head = f"static {each.type or 'mts_list *'} {each.name}({pool}{given})".replace("* ", "*")
        yield each.name, _switch(head, kinds, results, "0")


def _switch(head: str, value: str, cases: list[str], otherwise: str) -> str:
    inner = [f"    switch ({value}) {{", *cases, "    }", f"    return {otherwise};"]
    return "\n".join(["", head, "{", *inner, "}"])


def _rows() -> Iterator[tuple[str, Operator]]:
    for each in _ALL:
        operands = "{0}, {1}" if "ii" in each.results else "{0}"
        raises = f"{each.name}_raises({operands})"
        if each.type:
            yield each.key, computing(f"{each.name}({operands})", raises=raises)
        else:
            yield each.key, making(f"{each.name}(pool, {operands})", raises=raises)


FUNCTIONS: dict[str, str] = {**dict(_functions())}
"""By name: texts of C, for `prelude.py`."""

NUMBER_OPERATORS: dict[str, Operator] = {
    **dict(_rows()),
    "aten::item": making("mts_number_of_tensor(pool, {0})", "mts_is_no_bool({0})", reads=True),
    "aten::ScalarImplicit": making(
        "mts_number_of_tensor(pool, {0})",
        "mts_is_no_argument({0}) || mts_is_no_bool({0})",
        reads=True,
    ),
    "aten::Int.Scalar": computing("mts_number_to_int({0})", raises="mts_number_is_no_int({0})"),
    "aten::Float.Scalar": computing("mts_number_to_float({0})"),
    "aten::Complex.Scalar": computing("mts_number_to_complex({0})"),
}
"""Rows for operands whose type is `number`, or tensors that become one."""
