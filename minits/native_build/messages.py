"""The errors of a library: what each place of a program says where it raises, without Python.

A message that the program formats is computed by the program, in C. What an operator says is found
out here: the operator itself (`ops/`) is given operands for which it raises, and a message in which
some of them are shown becomes a template.

    "KeyError: b" for the key "b", "KeyError: x" for "x"     ->     KeyError: {the key}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import islice, product
from typing import Any

import torch

from minits.codegen.script_traceback import class_name_of, message_of
from minits.codegen.uses import resolve
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Node, Value
from minits.native.c_types import NotNative, has_tensors
from minits.native.enums import members_of
from minits.native.sites import Site, is_of_message
from minits.native.text_patterns import Shown, pieces
from minits.native.texts import is_shown
from minits.ops.errors import as_script_error
from minits.ops.evaluate import evaluator
from minits.ops.implementations.text import format_value
from minits.records import dataclass
from minits.types import types as t
from minits.types.int64 import MIN_INT

_MOST_SAMPLES = 2000
_NUMBERS: dict[t.Type, tuple[Any, ...]] = {
    t.INT: (0, -1, 1, 5, -37, 70, MIN_INT),
    t.FLOAT: (0.0, 1.5, -2.5, 7e22, float("inf"), float("nan")),
    t.BOOL: (False, True),
    t.COMPLEX: (1j, 0j, 1e300 + 0j),
    t.NUMBER: (True, 1 + 1j, 1e10, 2),  # no 0, of which torch's operators take the remainder
    t.STR: ("", "a", "bcd"),
    t.DEVICE: (torch.device("cpu"), torch.device("cuda:1")),
    t.TENSOR: (torch.tensor(2), torch.tensor([1.5, -2.5]), torch.tensor(True)),
}
"""Operands for which operators raise."""
_SHOWN: dict[t.Type, str] = {t.INT: "s", t.BOOL: "s", t.FLOAT: "sf", t.STR: "ls"}
"""The ways in which messages show operands (`Part.how`), by their types."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a message that shows an operand: `told` is its number among those of the site.

    how: s  as `str` does, f  by %f, l  its length
    """

    told: int
    how: str

    def shown(self, operands: list[Any]) -> str:
        """Return the text for some operands."""
        operand = operands[self.told]
        match self.how:
            case "f":
                return f"{operand:f}"
            case "l":
                return str(len(operand))
        return format_value(operand)

    @property
    def mark(self) -> str:
        """The text that stands for it in a template, which no message has."""
        return f"\x01{self.how}{self.told}"


@dataclass(frozen=True, slots=True)
class Message:
    """The class and the template of an error.

    class_name: None where the program raises a message alone
    template: None for the message that the site tells; with parts (`Part.mark`), or two templates,
        for an operand that is zero or empty and for others: byte 2, its digit, one, byte 3, other;
        after a byte 4, the message of torch is told instead, where there is one
    """

    class_name: str | None
    template: str | None


@dataclass(frozen=True, slots=True)
class Raised:
    """An error for some operands: those that the site tells."""

    class_name: str
    message: str
    told: list[Any]


_OF_TENSORS = {
    "aten::len": ("TypeError", "len() of a 0-d tensor"),
    "aten::arange": ("RuntimeError", "upper bound and lower bound inconsistent with step sign"),
    "aten::pow": ("RuntimeError", "Integers to negative integer powers are not allowed."),
    "aten::pow_": ("RuntimeError", "Integers to negative integer powers are not allowed."),
    "aten::hardtanh": ("RuntimeError", "the bounds do not fit the tensor's dtype"),
    "aten::tensor": ("ValueError", "the lists differ in their lengths"),
}
"""Class and message of operators of tensors where no function of torch has failed: samples of
tensors and sizes are not given to torch."""
_MAKING = ("aten::arange", "aten::tensor")
"""Operators that are given numbers for a tensor."""


# ---- Messages that the program makes -----------------------------------------------------------


def expose_messages(graph: Graph) -> Graph:
    """Return a copy of a graph whose messages are strs of the program, where C can make them.

    A cast between a message and what raises it keeps it from being left to Python.
    """
    graph = clone_graph(graph)
    for node in graph.nodes_of_kind("prim::RaiseException"):
        message = node.inputs[0]
        if is_of_message(message.node) and _is_printable(message):
            cast = graph.create("prim::unchecked_cast", [message], [t.STR]).insert_before(node)
            node.set_input(0, cast.output)
    return graph


def _is_printable(value: Value) -> bool:
    """Return whether C can make a str: of values but tensors, by a pattern that is a constant."""
    node = resolve(value).node
    if not is_of_message(node):
        return value.type == t.STR
    values = list(node.inputs)
    if node.kind in ("aten::format", "aten::percentFormat"):
        if (found := _pieces(node)) is None:
            return False
        values = [piece.value for piece in found if not isinstance(piece, str)]
    shown = all(is_shown(each.type) and not has_tensors(each.type) for each in values)
    return shown and all(_is_printable(each) for each in values if each.type == t.STR)


def _pieces(node: Node) -> list[str | Shown] | None:
    """Return the pieces of a pattern; None for one of which C makes no text."""
    try:
        return pieces(node)
    except NotNative:
        return None


def _known_text(value: Value) -> str:
    """Return the patterns of a message that C cannot make."""
    value = resolve(value)
    content = to_python(value)
    if isinstance(content, str):
        return content
    if value.node.kind == "aten::add":
        return "".join(map(_known_text, value.node.inputs))
    if value.node.kind in ("aten::format", "aten::percentFormat"):
        return _known_text(value.node.inputs[0])
    return "{}"


# ---- Messages of operators ---------------------------------------------------------------------


def message_at(site: Site) -> Message:
    """Return the message of a site of a program."""
    node = site.node
    if site.is_torch:
        return Message("RuntimeError", f"\x04{node.kind} failed")
    if node.kind in _MAKING or (node.inputs and node.inputs[0].type == t.TENSOR):
        return Message(*_OF_TENSORS.get(node.kind, ("RuntimeError", f"{node.kind} failed")))
    if node.kind != "prim::RaiseException":
        return _message_of_operator(site)
    name = to_python(node.inputs[1]) if len(node.inputs) > 1 else None
    message = resolve(node.inputs[0])
    if isinstance(content := to_python(message), str):
        return Message(name, content)
    return Message(name, None if message in site.told else _known_text(message))


def _message_of_operator(site: Site) -> Message:
    """Return the template that is true of all samples, or one for an operand that is zero or empty
    and another one; else the operator's name."""
    raised = [*_raised(site)]
    classes = {each.class_name for each in raised}
    class_name = classes.pop() if len(classes) == 1 else "RuntimeError"
    parts = [part for index, value in enumerate(site.told) for part in _parts(index, value)]
    template = _template(raised, parts)
    for index in range(len(site.told)):
        if template is None:
            zero = [each for each in raised if _is_zero(each.told[index])]
            other = [each for each in raised if not _is_zero(each.told[index])]
            both = _template(zero, parts), _template(other, parts)
            if None not in both:
                template = f"\x02{index}{both[0]}\x03{both[1]}"
    return Message(class_name, template or f"{site.node.kind} failed")


def _template(raised: Sequence[Raised], parts: Sequence[Part]) -> str | None:
    """Return a template that gives all of some messages; None where there is none."""
    for one in raised:
        for template in _templates(one.message, one.told, parts):
            if all(_filled(template, each.told, parts) == each.message for each in raised):
                return template
    return None


def _is_zero(operand: Any) -> bool:
    """Return whether C takes an operand for 0 or empty."""
    is_member = isinstance(operand, Enum)  # of a class whose members are ints
    return isinstance(operand, (int, str, list, dict)) and not operand and not is_member


def _raised(site: Site) -> Iterator[Raised]:
    """Yield the errors of an operator for samples."""
    contents = [to_python(resolve(value)) for value in site.node.inputs]
    samples = [
        _samples(value.type) if content is NOT_CONSTANT else (content,)
        for value, content in zip(site.node.inputs, contents, strict=True)
    ]
    function = evaluator(site.node)
    given = [resolve(value) for value in site.node.inputs]
    for operands in islice(product(*samples), _MOST_SAMPLES):
        known = dict(zip(given, operands, strict=True))
        if any(known[value] is not each for value, each in zip(given, operands, strict=True)):
            continue  # one value twice
        told = [_copied(known[value]) for value in site.told]
        try:
            function(*map(_copied, operands))
        except (MemoryError, OverflowError):
            continue
        except Exception as fault:
            error = as_script_error(fault)
            yield Raised(class_name_of(error), message_of(error), told)


def _copied(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.clone()
    return value.copy() if isinstance(value, (list, dict)) else value


def _samples(type: t.Type) -> tuple[Any, ...]:
    """Return some values of a type, by which an operator may raise."""
    match type:
        case t.ListType(element=element):
            items = _samples(element)[:3]
            return ([], [*items[:1]], [*items])
        case t.DictType():
            return ({},)
        case t.OptionalType(element=element):
            return (None, *_samples(element))
        case t.TupleType(elements=elements):
            return tuple(islice(product(*map(_samples, elements)), 3))
        case t.EnumType():
            return tuple(members_of(type)[:3])
    return _NUMBERS.get(type, ())


def _parts(index: int, value: Value) -> list[Part]:
    """Return the ways in which a message may show an operand."""
    if isinstance(value.type, t.ListType):
        return [Part(index, "l")]
    return [Part(index, way) for way in _SHOWN.get(value.type, "")]


def _templates(message: str, operands: list[Any], parts: Sequence[Part]) -> list[str]:
    """Return the templates from which a message may come: it shows some operands, or none."""
    found = [message]
    for part in parts:
        shown = part.shown(operands)
        if shown:
            found += [text.replace(shown, part.mark) for text in found if shown in text]
    return found


def _filled(template: str, operands: list[Any], parts: Sequence[Part]) -> str:
    for part in parts:
        template = template.replace(part.mark, part.shown(operands))
    return template
