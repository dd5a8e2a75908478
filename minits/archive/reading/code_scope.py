"""The scope of archive code: the meaning of each name.

`torch` is not Python's module but the namespace of the operators `aten::`, `ops.prim` that of
`prim::`; `__torch__.a.b` are the archive's own classes and functions; no name leads anywhere else.

    x = torch.append(xs, ops.prim.dtype(t))
    y = annotate(List[int], CONSTANTS.c0)

Source: torch/csrc/jit/serialization/import_source.cpp (`SourceImporterImpl::resolveValue`,
`OpsValue`, `NestedOpValue`, `ConstantTableValue`, `ClassNamespaceValue`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minits.archive.pickling.globals import CPP_CLASSES, is_of_library
from minits.archive.reading.literals import NAMES
from minits.archive.reading.type_reader import read_type
from minits.archive.reading.upgraders import operator_of
from minits.diagnostics import error
from minits.frontend.python.cpp_classes import CppClass
from minits.frontend.python.named_tuples import NamedTupleConstructor
from minits.frontend.values.builtins import (
    ClassValue,
    EnumClass,
    FunctionValue,
    SpecialForm,
)
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.constants import insert_constant
from minits.source import SourceRange
from minits.syntax import tree
from minits.types import types as t
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.archive.reading.definitions import Definitions
    from minits.frontend.values.emitter import Emitter

REFUSED_OPERATORS = frozenset(
    ("aten::save", "aten::from_file", "mkldnn::data_ptr", "profiler::_record_function_enter")
)
REFUSED_NAMESPACES = frozenset(
    "_c10d_functional _c10d_functional_autograd _dtensor _test c10d debug_mode_ops debugprims dist "
    "export inductor inductor_prims rpc static_runtime symm_mem".split()
)
"""Files, processes and networks, and what torch's own compilers use among themselves.

What names a part of a program in the profiler (`record_function`) stays within the program.
"""


def is_refused(operator: str) -> bool:
    """Return whether no archive may call an operator such as `aten::save`."""
    return operator in REFUSED_OPERATORS or operator.partition("::")[0] in REFUSED_NAMESPACES


def is_near_cpp_classes(name: str) -> bool:
    """Return whether a name is `__torch__.torch.classes.ns`, or a part that leads there."""
    is_namespace = name.startswith(CPP_CLASSES) and "." not in name.removeprefix(CPP_CLASSES)
    return is_namespace or CPP_CLASSES.startswith(f"{name}.")


_LOST_WEIGHT = "prim::ConstantMKLDNNTensor"
_FORMS = ("fork", "awaitable", "annotate", "unchecked_cast", "uninitialized")


class CodeScope:
    """The scope that all functions of an archive share."""

    dialect = "torch"

    def __init__(self, definitions: Definitions) -> None:
        self.definitions = definitions

    def value(self, name: str, loc: SourceRange, emitter: Emitter) -> SugaredValue | None:
        if name in NAMES:
            return SimpleValue(insert_constant(emitter.graph, NAMES[name], loc=loc))
        if name in _FORMS:
            return SpecialForm(name)
        match name:
            case "torch":
                return OperatorNamespace("aten", self.definitions.version)
            case "ops":
                return OperatorNamespaces(self.definitions.version)
            case "CONSTANTS":
                return Constants(self.definitions)
            case "__torch__":
                return Namespace(name, self.definitions)
        return None

    def type(self, annotation: tree.expr) -> Type:
        found = read_type(annotation, self.definitions.type)
        loc = annotation.range
        return self.definitions.limited(found, loc.source.filename, loc.start)

    def names(self) -> list[str]:
        return ["torch", "ops", "CONSTANTS", "__torch__", *_FORMS, *NAMES]


class OperatorNamespaces(SugaredValue):
    """`ops`: its attributes are the namespaces of operators."""

    kind = "namespace of operators"

    def __init__(self, version: int) -> None:
        self.version = version

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        return OperatorNamespace(name, self.version)


class OperatorNamespace(SugaredValue):
    """`torch` or `ops.prim`: its attributes are operators."""

    kind = "namespace of operators"

    def __init__(self, namespace: str, version: int) -> None:
        self.namespace, self.version = namespace, version

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """The operator of this name. Raises `CompileError` (TS401) if no archive may use it."""
        if (self.namespace, name) == ("aten", "autograd"):
            return self
        operator = f"{self.namespace}::{name}"
        if is_refused(operator):
            raise error(
                loc,
                "TS401",
                f"the operator {operator} reaches outside the program; no archive may use it",
            )
        if operator == _LOST_WEIGHT:
            raise error(
                loc,
                "TS401",
                "a weight is lost: torch.jit.optimize_for_inference gives convolutions weights of "
                "oneDNN, and torch writes nothing in their place; torch.jit cannot run it either",
                fix="take the module as it was before; what minits.optimize_for_inference gives "
                "can be saved",
            )
        return operator_of(operator, self.version)


class Constants(SugaredValue):
    """`CONSTANTS`: `c0` is the first value of constants.pkl."""

    kind = "table of constants"

    def __init__(self, definitions: Definitions) -> None:
        self.definitions = definitions

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        value, type = self.definitions.constant(name, loc)
        return SimpleValue(insert_constant(emitter.graph, value, type, loc))


class Namespace(SugaredValue):
    """`__torch__.a.b`: a class, a function, or the namespace of more of them."""

    kind = "namespace of the archive"

    def __init__(self, name: str, definitions: Definitions) -> None:
        self.name, self.definitions = name, definitions

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """The class, function or namespace of this name. Raises `CompileError` (TS203)."""
        qualified = f"{self.name}.{name}"
        found = self.definitions.find(qualified)
        if found is not None:
            return self._defined(found)
        if is_of_library(qualified):
            return CppClass(t.bound_class(qualified))
        if self.definitions.files.is_namespace(qualified) or is_near_cpp_classes(qualified):
            return Namespace(qualified, self.definitions)
        raise error(loc, "TS203", f"the archive does not define {qualified}")

    def _defined(self, found: Any) -> SugaredValue:
        match found:
            case CompiledFunction():
                return FunctionValue(found)
            case t.TupleType():
                return NamedTupleConstructor(found)
            case t.EnumType():
                return EnumClass(found)
        return ArchiveClass(found, self.definitions)


class ArchiveClass(ClassValue):
    """A class; the hooks of a module's class are called as its attributes."""

    def __init__(self, type: t.ClassType, definitions: Definitions) -> None:
        super().__init__(type)
        self.definitions = definitions

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        hook = self.definitions.hook(self.type, name)
        if hook is not None:
            return FunctionValue(hook)
        function = self.definitions.find(f"{self.type.name}.{name}")
        if isinstance(function, CompiledFunction):  # a static method
            return FunctionValue(function)
        return super().attr(loc, emitter, name)
