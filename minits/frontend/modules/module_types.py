"""The type of an nn.Module instance: what its attributes are, and which methods are compiled.

Two instances have one type when everything that their code depends on agrees: attributes with their
types, constants with their values, submodules with their types. Then their methods are compiled
once.

Source: torch/jit/_recursive.py (`infer_concrete_type_builder`, `infer_methods_to_compile`).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType
from typing import Any

import torch
from torch import nn

from minits import torch_internals as internals
from minits.compilation_journal import enter, whole_or_nothing
from minits.compilation_state import STATE
from minits.diagnostics import AnnotationError, CompileError, Faults, InvalidConstant, Note, error
from minits.frontend.calls import hints
from minits.frontend.modules.hooks import Hooks
from minits.frontend.modules.initialized import check_initialized, check_shapes
from minits.frontend.modules.module_info import ModuleInfo, Untyped
from minits.frontend.modules.module_methods import add_entry_points, add_overloads, define_all
from minits.frontend.python.class_registry import class_types, fault_of
from minits.frontend.python.compilation import example_types, is_first
from minits.frontend.python.compiled_functions import compile_function
from minits.frontend.python.currency import is_current
from minits.frontend.python.sources import declaration_of, located_at_class
from minits.frontend.python.torch_jit_objects import callable_of, taken_over
from minits.frontend.values.function import compiled_of
from minits.frontend.values.qualified_names import qualified_name
from minits.live_annotations import annotations_of
from minits.ops.builtins import find_builtin, qualified_in_torch_jit
from minits.records import replace
from minits.source import SourceRange
from minits.types import types as t
from minits.types.annotations import is_final, type_from_python
from minits.types.dtypes import enum_code
from minits.types.inference import CannotInfer, infer_type
from minits.types.named_fields import named_fields
from minits.types.types import Type
from minits.users_objects import ATTRIBUTE, ModuleState

_PYTHON_ONLY = frozenset(vars(nn.Module())) - {"training", "_is_full_backward_hook"}
_PYTHON_ONLY |= {"_version", "_initializing", "dump_patches"}


# ---- Sharing -----------------------------------------------------------------------------------


@whole_or_nothing()
def module_info(module: nn.Module, dialect: str = "torch") -> ModuleInfo:
    """Return the (shared) type of a module. Raises `CompileError`.

    Methods that a module defined by a text while it was made are those of its type alone.
    """
    if internals.is_jit_module(module):
        module = taken_over(module)
    state: ModuleState | None = vars(module).get(ATTRIBUTE)
    if state is not None and state.info is not None:
        compiled: ModuleInfo = state.info
        return compiled
    try:
        check_initialized(module)
        check_shapes(module)
        made = _infer(module, dialect, {} if state is None else state.declared)
    except CompileError as fault:
        raise located_at_class(fault, type(module)) from None
    if state is None or not state.defined:
        signature = made.signature()
        known = _current(type(module))
        for info in known:
            if info.signature() == signature:
                info.failed, info.faults = made.failed, made.faults  # what fails tells its own
                return info
        enter(STATE.modules, type(module), [*known, made])
    made.type.name = STATE.unique_name(qualified_name(type(module)))
    add_entry_points(module, made)
    return made


def _current(cls: type) -> list[ModuleInfo]:
    """Return the known types of a class's modules whose methods are all still current."""
    known: list[ModuleInfo] = STATE.modules.get(cls) or []
    if is_first(cls):
        known = [info for info in known if all(map(is_current, info.type.methods.values()))]
        enter(STATE.modules, cls, known)
    return known


# ---- Inference ---------------------------------------------------------------------------------


def _infer(module: nn.Module, dialect: str, declared: dict[str, Any]) -> ModuleInfo:
    cls = type(module)
    info = ModuleInfo(cls, t.ClassType("", is_module=True, cls=cls), _kind(module), dialect)
    info.written = tuple(_written(module))
    info.examples = tuple(
        (function.__name__, tuple(found.items()))
        for function in info.written
        if (found := example_types(function))
    )
    info.ignored = frozenset(getattr(module, "__jit_ignored_attributes__", ()))
    info.hooks = Hooks(module._forward_pre_hooks.values(), module._forward_hooks.values())
    annotations = {**_annotations(cls), **declared}
    faults = Faults()
    _add_tensors(module, info, annotations, faults)
    submodules = _add_submodules(module, info, annotations, faults)
    constants = _add_constants(module, info, annotations, faults)
    add_overloads(module, info)
    for name, value in vars(module).items():
        known = name in info.type.attributes or name in constants
        if known or name in _PYTHON_ONLY or name in info.ignored:
            continue
        if name == ATTRIBUTE or name.startswith("__"):
            continue
        with faults.gathered():
            _add_attribute(module, info, name, value, annotations)
    if faults:
        _compile_submodules(info, faults)
        faults.raise_all()
    for name, type_ in submodules:
        info.type.attributes[name] = t.Attribute(name, type_)
    return info


def _compile_submodules(info: ModuleInfo, faults: Faults) -> None:
    """Look for more faults in submodules, of a module whose own attributes have some."""
    for submodule in info.submodules.values():
        with faults.gathered():
            define_all(submodule)


def _written(module: nn.Module) -> Iterator[Any]:
    """The functions of the classes before nn.Module, and a `forward` of the instance's own."""
    for base in type(module).__mro__:
        if base is nn.Module:
            break
        yield from (value for value in vars(base).values() if isinstance(value, _FUNCTIONS))
    own = vars(module).get("forward")
    yield getattr(own, "__func__", own)


_FUNCTIONS = (FunctionType, property, classmethod, staticmethod)


def _kind(module: nn.Module) -> str | None:
    kinds: tuple[tuple[Any, str], ...] = (
        (nn.ModuleDict, "dict"),
        ((nn.ModuleList, nn.Sequential), "list"),
        (nn.ParameterList, "parameter_list"),
        (nn.ParameterDict, "parameter_dict"),
    )
    for cls, kind in kinds:
        if isinstance(module, cls):
            return kind
    return None


def _annotations(cls: type) -> dict[str, Any]:
    """Return the evaluated annotations of the first class in the MRO that has any.

    The annotations of torch's QuantWrapper are ignored, as in torch.jit.
    """
    if any(map(_is_quant_wrapper, cls.__mro__)):
        return {}
    for base in cls.__mro__:
        own = annotations_of(base)
        if own:
            namespace = vars(sys.modules.get(base.__module__, object))
            return {name: _evaluated(value, dict(namespace)) for name, value in own.items()}
    return {}


def _is_quant_wrapper(cls: type) -> bool:
    return cls.__name__ == "QuantWrapper" and cls.__module__.startswith("torch.ao.quantization")


def _evaluated(annotation: Any, namespace: dict[str, Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, namespace)
    except Exception:  # a name that exists for type checkers only
        return annotation


_FORWARD = nn.Module.__annotations__["forward"]
"""The annotation of `forward` in nn.Module, which says nothing of an object's own method."""


def _attribute_type(info: ModuleInfo, name: str, value: Any, annotations: dict[str, Any]) -> Type:
    """Return the declared or inferred type. Raises `CannotInfer`, or `CompileError` for an
    annotation that means no type.
    """
    annotation = value.type if is_declared_attribute(value) else annotations.get(name)
    if annotation == _FORWARD:
        annotation = None
    if annotation is not None:
        return _declared_type(info, name, annotation)
    is_named = info.dialect == "extended"
    return infer_type(value, partial(class_types, dialect=info.dialect), is_named)


def _declared_type(info: ModuleInfo, name: str, annotation: Any) -> Type:
    """Return the type that an annotation in the class means. Raises `CompileError`."""
    declared = type_from_python(annotation, partial(class_types, dialect=info.dialect))
    if declared is not None and declared not in (t.ANY_LIST, t.ANY_TUPLE):
        return declared
    fault = error(
        _declared_at(info.cls, name),
        "TS201",
        f"Unknown type annotation: '{annotation}' of the attribute {info.cls.__name__}.{name}: it "
        "is not a TorchScript type",
        fix=_FINAL_MODULE
        if is_final(annotation)
        else f"annotate it where it is assigned, in __init__ (self.{name}: ... = ...)",
    )
    refused = fault_of(annotation) if isinstance(annotation, type) else None
    if refused is not None:  # the class of the annotation cannot be compiled
        cause = refused.diagnostics[0]
        notes = (Note(cause.message, cause.range), *cause.notes)
        raise AnnotationError([replace(fault.diagnostics[0], fix=cause.fix, notes=notes)])
    raise AnnotationError(fault.diagnostics)


_FINAL_MODULE = "leave the annotation out: submodules are known while compiling anyway"


def _declared_at(owner: type, name: str) -> SourceRange | None:
    return next(filter(None, (declaration_of(cls, name) for cls in owner.__mro__[:-1])), None)


def is_declared_attribute(value: Any) -> bool:
    """Return whether a value is a `torch.jit.Attribute`: a value together with its type."""
    return qualified_in_torch_jit(type(value)) == ("torch.jit", "Attribute")


def _add_tensors(
    module: nn.Module, info: ModuleInfo, annotations: dict[str, Any], faults: Faults
) -> None:
    for is_parameter, table in ((True, module._parameters), (False, module._buffers)):
        for name, value in table.items():
            if name in info.ignored:
                continue
            with faults.gathered():
                type_ = _attribute_type(info, name, value, annotations)
                held = t.Attribute(name, type_, is_parameter, not is_parameter)
                info.type.attributes[name] = held


def _add_submodules(
    module: nn.Module, info: ModuleInfo, annotations: dict[str, Any], faults: Faults
) -> list[tuple[str, Type]]:
    """Infer the types of submodules; return their attributes, which come after all others.

    The type of a submodule that is annotated with an interface is that interface.
    """
    found: list[tuple[str, Type]] = []
    for name, value in module._modules.items():
        if name in info.ignored:
            continue
        with faults.gathered():
            if value is None:
                type_ = _attribute_type(info, name, value, annotations)
                info.type.attributes[name] = t.Attribute(name, type_)
            elif annotations.get(name) is not None:
                found.append((name, _declared_interface(info, name, annotations[name])))
            else:
                info.submodules[name] = module_info(value, info.dialect)
                found.append((name, info.submodules[name].type))
    return found


def _declared_interface(info: ModuleInfo, name: str, annotation: Any) -> Type:
    """Return the interface that a submodule is annotated with. Raises `CompileError`."""
    interface = _declared_type(info, name, annotation)
    if t.is_interface(interface):
        return interface
    raise error(
        _declared_at(info.cls, name),
        "TS613",
        f"Expected inferred type to be interface type for '{name}': it is a module, and annotated "
        f"as {interface.annotation}",
        fix="annotate it with an interface, or annotate it in __init__ alone",
    )


def _add_constants(
    module: nn.Module, info: ModuleInfo, annotations: dict[str, Any], faults: Faults
) -> set[str]:
    """Add the constants of a module; return their names, also of those that cannot be constant."""
    found: set[str] = set()
    names = [*getattr(module, "__constants__", ())]
    names += [name for name, annotation in annotations.items() if is_final(annotation)]
    for name in dict.fromkeys(names):
        taken = name in info.type.attributes or module._modules.get(name) is not None
        if not taken and hasattr(module, name):
            found.add(name)
            with faults.gathered():
                value = getattr(module, name)
                info.type.constants[name] = _constant(value, type(module), name)
    return found


_PLAIN: dict[type, Callable[[Any], Any]] = {
    int: int.__int__, float: float.__float__, str: str.__str__,
}  # fmt: skip
"""Conversions of objects of derived classes, such as numpy's float64, to numbers and strings."""


def _constant(value: Any, owner: type, name: str) -> Any:
    if value is None or isinstance(value, (bool, torch.device)):
        return value
    for kind, plain in _PLAIN.items():
        if isinstance(value, kind):
            return plain(value)
    code = enum_code(value)
    if code is not None and not isinstance(value, torch.memory_format):
        return code
    if isinstance(value, (tuple, list)):
        return tuple(_constant(item, owner, name) for item in value)
    fault = error(
        _declared_at(owner, name),
        "TS610",
        f"'{torch.typename(type(value))}' object in attribute '{owner.__name__}.{name}' is not a "
        "valid constant",
        fix="constants are numbers, strings, None, devices, dtypes and lists of such",
    )
    raise InvalidConstant(fault.diagnostics)


def _add_attribute(
    module: nn.Module, info: ModuleInfo, name: str, value: Any, annotations: dict[str, Any]
) -> None:
    value = callable_of(value)
    if callable(value):
        if inspect.isfunction(value) or compiled_of(value) is not None:
            _add_function(info, name, value)
            return
        operator = find_builtin(value)
        if operator is not None:
            info.builtins[name] = operator
            return
    try:
        type_ = _attribute_type(info, name, value, annotations)
        named = named_fields(value) if name not in annotations else None
        info.type.attributes[name] = t.Attribute(name, type_, named=named)
    except CannotInfer as why:
        told = f"failed to convert Python type '{type(value).__name__}': {why}"
        refused = fault_of(type(value))
        fixes = [each.fix for each in refused.diagnostics if each.fix] if refused else []
        info.failed[name] = Untyped(told, [*fixes, hints.for_untyped(name, value)][0])


def _add_function(info: ModuleInfo, name: str, function: Any) -> None:
    """Compile a function that is an attribute, and add it to `info`.

    An error is stored in `info.faults`: it is raised where the function is used.
    """
    compiled = compiled_of(function)
    try:
        with whole_or_nothing():
            if compiled is None:
                compiled = compile_function(function, info.dialect)
            compiled.ensure_defined()
    except CompileError as fault:
        info.failed[name] = Untyped(
            f"the function failed to compile: {fault.diagnostics[0].message}",
            "make it compile, or mark it @torch.jit.ignore",
        )
        info.faults[name] = fault
        return
    info.functions[name] = compiled
