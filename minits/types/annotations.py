"""Annotations to types: of syntax trees, and of live annotation objects.

A tree is evaluated name by name through the scope of the function that it stands in, so aliases
(`Ints = List[int]`) work as in Python. Where the scope does not know a name, the names that
TorchScript has always known (`List`, `Optional`, `Tensor`, ...) still mean what they mean there.

Source: torch/csrc/jit/frontend/script_type_parser.cpp and torch/jit/annotations.py
(`try_ann_to_type`).
"""

from __future__ import annotations

import collections
import types as python_types
import typing
from collections.abc import Callable
from typing import Any

import torch
import typing_extensions

from minits import torch_internals as internals
from minits.compile_warnings import warn, warning
from minits.diagnostics import AnnotationError, CompileError, Diagnostic, error
from minits.edits import replacing
from minits.syntax import tree
from minits.types import types as t
from minits.types.dict_keys import check_key
from minits.types.subtyping import union_of
from minits.types.types import Type

Lookup = Callable[[str], Any]
"""Returns the object that a name means in the scope; raises `KeyError`."""

ClassTypes = Callable[[type], Type | None]
"""Returns the type of a user's class: a NamedTuple, an enum, a script class, an interface."""

SIMPLE: dict[Any, Type] = {
    torch.Tensor: t.TENSOR,
    torch.nn.Parameter: t.TENSOR,
    int: t.INT,
    float: t.FLOAT,
    complex: t.COMPLEX,
    bool: t.BOOL,
    str: t.STR,
    None: t.NONE,
    type(None): t.NONE,
    Any: t.ANY,
    torch.device: t.DEVICE,
    torch.Generator: t.GENERATOR,
    torch.Stream: t.STREAM,
    torch.dtype: t.INT,
    torch.qscheme: t.INT,
    torch.SymInt: t.INT,
    list: t.ANY_LIST,
    tuple: t.ANY_TUPLE,
}


DEFAULT_NAMES: dict[str, Any] = {
    "Tensor": torch.Tensor, "int": int, "float": float, "complex": complex, "bool": bool,
    "str": str, "Device": torch.device, "Generator": torch.Generator, "number": t.NUMBER,
    "List": typing.List, "Dict": typing.Dict, "Tuple": typing.Tuple, "Union": typing.Union,
    "Optional": typing.Optional, "Future": torch.futures.Future, "Any": Any, "Final": typing.Final,
    "list": list, "dict": dict, "tuple": tuple, "torch": torch, "typing": typing,
    "NoneType": type(None), "RRef": internals.RREF_CLASS,
}  # fmt: skip

_FINAL = (typing.Final, typing_extensions.Final)
_TENSOR_CLASSES = (
    torch.FloatTensor, torch.DoubleTensor, torch.LongTensor, torch.IntTensor, torch.ShortTensor,
    torch.HalfTensor, torch.CharTensor, torch.ByteTensor, torch.BoolTensor,
)  # fmt: skip


def type_from_annotation(
    annotation: tree.expr, lookup: Lookup, class_types: ClassTypes = lambda cls: None
) -> Type:
    """Return the type that an annotation's tree means. Raises `CompileError` (TS2xx)."""
    evaluated = _Evaluator(lookup).evaluate(annotation)
    try:
        found = type_from_python(evaluated, class_types)
    except CompileError as fault:  # of a class, or of a part of the annotation
        raise fault.located(annotation.range) from None
    if found is None:
        annotation = _without_lists(annotation, evaluated)
        text = annotation.range.text
        fix = "use Tensor, a number, str, or List, Dict, Tuple, Optional of such, or a script class"
        unknown = "type name" if isinstance(annotation, tree.Name) else "type annotation"
        message = f"Unknown {unknown} '{text}': it is not a TorchScript type"
        raise AnnotationError(Diagnostic(annotation.range, "TS201", message, fix=fix))
    return found


def _without_lists(annotation: tree.expr, evaluated: Any) -> tree.expr:
    """Return the element type inside nested lists: `T` of `List[T]`, which errors of torch name."""
    match annotation, evaluated:
        case tree.Subscript(slice=element), _Generic(base=base, arguments=[inner]):
            if _GENERICS[base] == "list":
                return _without_lists(element, inner)
    return annotation


class _Evaluator:
    """Evaluates annotation expressions; others are refused, with their ranges."""

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup

    def evaluate(self, node: tree.expr) -> Any:
        """Return the object that an expression means. Raises `CompileError`."""
        match node:
            case tree.Constant(value=str(text)):
                return self.evaluate(_parse_string(node, text))
            case tree.Constant(value=value) if value is Ellipsis:
                kind = "dots"
            case tree.Constant(value=value):
                return value
            case tree.Name(id=name):
                return self.name(node, name)
            case tree.Attribute(value=base, attr=name):
                return self.attribute(node, self.evaluate(base), name)
            case tree.Subscript(value=base, slice=index):
                return self.subscript(node, self.evaluate(base), index)
            case tree.BinOp(left=left, op="|", right=right):
                return _UnionOf((self.evaluate(left), self.evaluate(right)))
            case tree.Tuple(elts=items):
                return tuple(map(self.evaluate, items))
            case tree.List():
                kind = "list-literal"
            case tree.BinOp(op=kind):
                pass
            case _:
                kind = type(node).__name__
        message = f"Expression of type {kind} cannot be used in a type expression"
        fix = "a tuple has a fixed number of elements: use List" if kind == "dots" else None
        raise error(node.range, "TS202", message, fix=fix)

    def name(self, node: tree.expr, name: str) -> Any:
        """Return the object that a name means. Raises `CompileError` (TS203)."""
        try:
            return _with_warning(node, self.lookup(name))
        except KeyError:
            pass
        if name in DEFAULT_NAMES:
            return DEFAULT_NAMES[name]
        raise error(
            node.range,
            "TS203",
            f"Unknown type name '{name}'",
            fix=f"import or define {name} before the function that mentions it",
        )

    def attribute(self, node: tree.expr, base: Any, name: str) -> Any:
        """Return an attribute of an object. Raises `CompileError` (TS203)."""
        try:
            found = getattr(base, name)
        except (AttributeError, RuntimeError):  # RuntimeError: of torch.classes
            what = getattr(base, "__name__", repr(base))
            fix = f"{what} has no {name}: import or define the type, and name it as it is defined"
            raise error(
                node.range, "TS203", f"Unknown type name '{what}.{name}'", fix=fix
            ) from None
        if internals.is_namespace_of_classes(base):
            return t.bound_class(f"__torch__.torch.classes.{base.name}.{name}")
        return _with_warning(node, found)

    def subscript(self, node: tree.expr, base: Any, index: tree.expr) -> Any:
        """Return a generic with its types. Raises `CompileError` (TS201)."""
        if isinstance(node, tree.Subscript) and isinstance(node.value, tree.Subscript):
            fix = "write the types in one pair of brackets, as in Dict[str, int]"
            raise error(node.range, "TS201", "Subscripted type must be a type identifier", fix=fix)
        if isinstance(base, _Generic) or base not in _GENERICS or base in _FINAL:
            name = getattr(base, "__name__", node.range.text)
            fix = _INSTEAD.get(name, "write the types themselves, or List, Dict, Tuple, Optional")
            raise error(node.range, "TS201", f"Unknown type constructor {name}", fix=fix)
        items = index.elts if isinstance(index, tree.Tuple) else (index,)
        _check_count(node, _GENERICS[base], len(items))
        return _Generic(base, tuple(map(self.evaluate, items)))


def _with_warning(node: tree.expr, found: Any) -> Any:
    """Return the object that an annotation names; warn of `torch.LongTensor` and its kin."""
    if any(found is each for each in _TENSOR_CLASSES):
        loc = node.range
        message = (
            "TorchScript will treat type annotations of Tensor subtypes as Tensor: "
            f"a {loc.text} may be of any dtype"
        )
        edit = replacing(loc, "torch.Tensor") if loc.text.startswith("torch.") else None
        warn(warning(loc, "TS218", message, fix="annotate it as torch.Tensor", edit=edit))
    return found


_INSTEAD = {
    "Final": "Final is for attributes of modules and classes; annotate the type alone",
    "Annotated": "write its first type alone",
    "Literal": "write the type of the values: str, int or bool",
    "Callable": "pass a module whose interface is known (torch.jit.interface), or call by name",
    "Set": "use Dict[T, bool]",
    "Deque": "use List",
    "DefaultDict": "use Dict",
    "OrderedDict": "use Dict",
    "Counter": "use Dict[T, int]",
    "Sequence": "use List",
    "Iterable": "use List",
    "Mapping": "use Dict",
}
"""Hints on what to write instead of generics that TorchScript does not have."""


def _check_count(node: tree.expr, kind: str, found: int) -> None:
    if kind not in ("tuple", "union") and found != (expected := 2 if kind == "dict" else 1):
        what = "exactly one element type" if expected == 1 else f"exactly {expected} element types"
        fix = (
            "write Dict[str, int]"
            if kind == "dict"
            else "write one type in the brackets: List[int]"
        )
        raise error(node.range, "TS201", f"expected {what} but found {found}", fix=fix)


class _Generic:
    """A generic applied to arguments that need not be Python types (`List["Forward"]`)."""

    def __init__(self, base: Any, arguments: tuple[Any, ...]) -> None:
        self.base, self.arguments = base, arguments


class _UnionOf:
    def __init__(self, members: tuple[Any, ...]) -> None:
        self.members = members


def _parse_string(node: tree.expr, text: str) -> tree.expr:
    from minits.source import SourceFile
    from minits.syntax import parse_expression

    try:
        inner = parse_expression(SourceFile(node.range.source.filename, text.strip()))
    except CompileError:
        message = f"the annotation {text!r} cannot be read"
        raise error(node.range, "TS202", message, fix="write a type, such as List[int]") from None
    return tree.relocated(inner, lambda _: node.range)


_GENERICS: dict[Any, str] = {
    typing.List: "list", list: "list",
    typing.Dict: "dict", dict: "dict", typing.Tuple: "tuple", tuple: "tuple",
    typing.Optional: "optional", typing.Union: "union", torch.futures.Future: "future",
    internals.FUTURE: "future", internals.AWAIT_CLASS: "await", internals.RREF_CLASS: "rref",
    typing.Final: "final", typing_extensions.Final: "final", collections.OrderedDict: "dict",
}  # fmt: skip


_UNAPPLIED: dict[Any, str] = {
    typing.List: "List[int]", typing.Dict: "Dict[int, int]", typing.Tuple: "Tuple[int]",
    typing.Optional: "Optional[int]", typing.Union: "Union[int]",
    torch.futures.Future: "Future[int]", internals.FUTURE: "Future[int]",
    internals.RREF_CLASS: "RRef[int]",
}  # fmt: skip
"""Generics that are not types by themselves, with a hint on what to write instead."""


def type_from_python(annotation: Any, class_types: ClassTypes = lambda cls: None) -> Type | None:
    """Return the type that a live annotation object means, or None where it means none.

    Raises `CompileError`, without a range, for a generic without the types in it.
    """
    if isinstance(annotation, Type):
        return annotation
    if isinstance(annotation, _UnionOf):
        return _union(annotation.members, class_types)
    if isinstance(annotation, _Generic):
        return _generic(_GENERICS[annotation.base], annotation.arguments, class_types)
    try:
        if annotation in SIMPLE:
            return SIMPLE[annotation]
        if annotation in _UNAPPLIED:
            raise _unapplied(_UNAPPLIED[annotation])
    except TypeError:
        return None
    if annotation in _TENSOR_CLASSES:
        return t.TENSOR
    if isinstance(annotation, internals.CPP_CLASS):
        return type_of_cpp_class(annotation)
    origin = typing.get_origin(annotation)
    if origin is python_types.UnionType or origin is typing.Union:
        return _union(typing.get_args(annotation), class_types)
    if origin is not None and origin in _GENERICS:
        return _generic(_GENERICS[origin], typing.get_args(annotation), class_types)
    if isinstance(annotation, type):
        if issubclass(annotation, torch.Tensor):
            return t.TENSOR
        return class_types(annotation)
    if isinstance(annotation, str) and annotation in DEFAULT_NAMES:
        return type_from_python(DEFAULT_NAMES[annotation], class_types)
    if isinstance(annotation, typing.ForwardRef):
        return type_from_python(annotation.__forward_arg__, class_types)
    if isinstance(annotation, _ALIASES) and not _names(annotation.__value__, annotation):
        return type_from_python(annotation.__value__, class_types)
    return None


_ALIASES: tuple[Any, ...] = (
    typing_extensions.TypeAliasType,
    getattr(typing, "TypeAliasType", typing_extensions.TypeAliasType),
)
"""The classes of `type A = ...`, which Python has since 3.12."""


def _names(annotation: Any, alias: Any) -> bool:
    """Return whether an annotation names an alias, perhaps by way of another one."""
    waiting, seen = [annotation], [alias]
    while waiting:
        part = waiting.pop()
        if part is alias:
            return True
        if isinstance(part, _ALIASES) and not any(part is each for each in seen):
            seen.append(part)
            waiting.append(part.__value__)
        waiting += typing.get_args(part)
    return False


def type_of_cpp_class(value: Any) -> t.ClassType | None:
    """Return the type of `torch.classes.namespace.Name`, a class that a library has registered."""
    name = internals.name_of_class(value)
    return t.bound_class(name) if name else None


def _unapplied(example: str) -> CompileError:
    name = example.partition("[")[0]
    lacking = "contained types. Please add" if "," in example else "a contained type. Please add a"
    message = f"Attempted to use {name} without {lacking} contained type, e.g. {example}"
    return error(None, "TS201", message)


def _union(members: tuple[Any, ...], class_types: ClassTypes) -> Type | None:
    types = [type_from_python(member, class_types) for member in members]
    known = [type for type in types if type is not None]
    return union_of(known) if len(known) == len(types) else None


def _generic(kind: str, arguments: tuple[Any, ...], class_types: ClassTypes) -> Type | None:
    if kind == "tuple" and arguments in (((),), ()):
        return t.TupleType(())
    types = [type_from_python(argument, class_types) for argument in arguments]
    known = [type for type in types if type is not None]
    if len(known) != len(types):
        return None
    match kind, known:
        case "list", [element]:
            return t.ListType(element)
        case "dict", [key, value]:
            check_key(None, key)
            return t.DictType(key, value)
        case "tuple", _:
            return t.TupleType(tuple(known))
        case "optional", [element]:
            return union_of((element, t.NONE))
        case "union", _:
            return union_of(known)
        case "future", [element]:
            return t.FutureType(element)
        case "await", [element]:
            return t.AwaitType(element)
        case "rref", [element]:
            return t.RRefType(element)
        case "final", [element]:
            return element
    return None


def is_final(annotation: Any) -> bool:
    """Return whether a live annotation is `Final` or `Final[T]`."""
    return annotation in _FINAL or typing.get_origin(annotation) in _FINAL
