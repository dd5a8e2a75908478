"""The types of a program's own classes: NamedTuples, enums, script classes.

Source: torch/csrc/jit/python/python_sugared_value.cpp (`registerNamedTuple`),
torch/jit/annotations.py (`try_ann_to_type`).
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

import torch

from minits import torch_internals as internals
from minits.compilation_journal import enter, remove, whole_or_nothing
from minits.compilation_state import STATE
from minits.diagnostics import CompileError, Note, error
from minits.frontend.python.compilation import is_compiling, is_first
from minits.frontend.python.sources import statement_of
from minits.types import types as t
from minits.types.inference import CannotInfer, infer_type
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.python.scopes import PythonScope


def class_types(
    cls: type, around: PythonScope | None = None, dialect: str | None = None
) -> Type | None:
    """Return the type of a class, or None for one that TorchScript has no type for.

    `around` knows further names for the methods, where the class is not compiled yet. A class has
    one type in both dialects, but a program of the torch dialect has it only where that accepts
    the class. `dialect` is None where objects of the class exist already.
    """
    if is_compiling() and is_first(("class", cls)) and not _is_current(cls):
        remove(STATE.types, cls)
    if cls not in STATE.types or (dialect == "extended" and _is_refused_by_torch(cls)):
        with whole_or_nothing():
            enter(STATE.types, cls, None)  # while it is made: a class that mentions itself
            enter(STATE.types, cls, _make(cls, around, dialect or "torch"))
    elif dialect == "torch" and STATE.dialects[cls] == "extended":
        _try_in_torch(cls, around)
    refused = dialect == "torch" and cls in STATE.torch_faults
    return None if refused or _is_another(cls) else STATE.types[cls]


def _is_current(cls: type) -> bool:
    """Return whether a class was compiled and has not changed since."""
    from minits.frontend.python.currency import is_class_current

    return cls not in STATE.faults and is_class_current(cls)


def _is_another(cls: type) -> bool:
    """Return whether this compilation has met another NamedTuple of this name; that is a fault."""
    from minits.frontend.python.currency import is_first_of_its_name

    if is_first_of_its_name(STATE.types[cls]):
        return False
    fault = no_type(
        cls,
        f"Can't redefine NamedTuple {cls.__name__}: another one of this name has other fields",
        "give it another name",
    )
    enter(STATE.faults, cls, fault)
    return True


def _is_refused_by_torch(cls: type) -> bool:
    return cls in STATE.faults and STATE.dialects[cls] == "torch"


def _try_in_torch(cls: type, around: PythonScope | None) -> None:
    """Find out whether the torch dialect accepts a class that the extended one has compiled."""
    known = STATE.types[cls]
    _make(cls, around, "torch")
    enter(STATE.types, cls, known)
    if cls in STATE.faults:
        enter(STATE.torch_faults, cls, STATE.faults[cls])
        remove(STATE.faults, cls)


def required_class_type(cls: type, dialect: str | None = None) -> Type | None:
    """Return the type of a class that a program names. Raises what its own compilation raised.

    A class of modules names the type of those that were compiled first, if any were.
    """
    found = class_types(cls, dialect=dialect)
    if found is None and issubclass(cls, torch.nn.Module):
        return _first_type(cls, dialect)
    if found is None:
        fault = fault_of(cls)
        if fault is not None:
            raise fault
    return found


def _first_type(cls: type[torch.nn.Module], dialect: str | None) -> t.ClassType | None:
    """Return the type of the modules of a class that were compiled first, in a dialect or in any.

    As in torch, where the name of a class is that of this type; later ones have mangled names.
    """
    known = (info for info in STATE.modules.get(cls) or () if dialect in (None, info.dialect))
    return next((info.type for info in known), None)


def fault_of(cls: type) -> CompileError | None:
    """Return the error of a class that has no type, where that is known."""
    return STATE.faults.get(cls) or STATE.torch_faults.get(cls)


def register(cls: type, type: Type) -> None:
    """Set the type of a class."""
    enter(STATE.types, cls, type)
    enter(STATE.dialects, cls, "torch")


def _make(cls: type, around: PythonScope | None, dialect: str) -> Type | None:
    from minits.frontend.python.currency import note_class
    from minits.frontend.python.named_tuples import named_tuple_type

    remove(STATE.faults, cls)
    remove(STATE.torch_faults, cls)
    enter(STATE.dialects, cls, dialect)
    note_class(cls)
    try:
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            return named_tuple_type(cls, class_types)
        if issubclass(cls, enum.Enum):
            return _enum(cls)
        return _script_class(cls, around, dialect)
    except CompileError as fault:
        enter(STATE.faults, cls, fault)
        return None


def _script_class(cls: type, around: PythonScope | None, dialect: str) -> Type | None:
    """Compile a class; one that cannot be compiled has no type, and `fault_of` tells why."""
    from minits.frontend.python.script_classes import can_compile, compile_class, declare_class

    if not can_compile(cls):
        return None
    declared = declare_class(cls)
    enter(STATE.types, cls, declared)
    if declared.is_interface:
        return declared
    compile_class(cls, declared, dialect, around)
    return declared


_ENUM_VALUES = (t.INT, t.FLOAT, t.STR)


def _enum(cls: type[enum.Enum]) -> t.EnumType | None:
    members = tuple((member.name, member.value) for member in cls)
    try:
        types = list(dict.fromkeys(infer_type(value) for _, value in members))
    except CannotInfer:
        return None
    if len(types) > 1:
        listed = ", ".join(type.annotation for type in types)
        raise no_type(
            cls, f"Could not unify type list: the values of the enum are {listed}", "use one type"
        )
    if types and types[0] not in _ENUM_VALUES:
        raise no_type(
            cls,
            f"Cannot create Enum with value type '{types[0].annotation}'",
            "use int, float or str values",
        )
    name = internals.qualified_name(cls)
    return t.EnumType(name, types[0], members, cls) if types else None


def no_type(cls: type, message: str, fix: str) -> CompileError:
    """Return the error for a class of the program that is no type of TorchScript.

    It stands where the class is used, as torch.jit's does.
    """
    about = Note(f"this is about {cls.__qualname__}", statement_of(cls))
    return error(None, "TS201", message, notes=[about], fix=fix)
