"""The Python function that calls a function in C.

It is made as text, for a call is to take as few steps as it can:

    def call(i0, i1):
        out = Slots()
        if site := entry(i0, i1, out):
            fail(site, out, (i0, i1))
        return out[0]

and where there are lists, and tensors that may be written to (with operators of torch, what a hook
of Python has raised is raised from within `try`, too):

    def call(i0, i1):
        arrays_i0 = arrays_of_i0(i0)
        pool = Pool()
        writes = Counts()
        known = {}
        out = Slots()
        try:
            if site := entry(
                len(i0), *addresses_of(arrays_i0),
                i1.data_ptr(), *i1.shape, *i1.stride(), addressof(writes) + 0, pool, out
            ):
                fail(site, out, (i0, i1))
            leaves = read(out, (i0,), known)
            return leaves[0]
        finally:
            give_back(out, (i0,), known)
            end(pool)
            note_writes(writes, (i1,))
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from minits.codegen.groups import Group
from minits.ir.constants import has_containers, to_python
from minits.ir.graph import Value
from minits.kernels.launch.observers import is_observed
from minits.kernels.launch.profiled import PROFILER, entry_text, recording
from minits.kernels.lowering.labels import line_of
from minits.native.answers import ASK, Asker
from minits.native.boundary import addresses_of, arrays_of, bytes_of, give_back, reader
from minits.native.c_types import (
    C_TYPES,
    ELEMENTS,
    HELD,
    ElementType,
    c_type,
    c_type_of,
    device_of_number,
    has_tensors,
    is_of_python,
    number_of_device,
)
from minits.native.enums import members_of, number_of
from minits.native.failing import fail
from minits.native.given import is_given_as_words, words_of
from minits.native.groups import Groups, check_gradients, check_unrecorded, records
from minits.native.handles import handle_of_dense, object_at
from minits.native.lifting import Lifted
from minits.native.optional_numbers import is_optional_number
from minits.native.printer import FunctionPrinter
from minits.native.printing import WRITE
from minits.ops.named_tuples import named_tuple_class
from minits.torch_internals import add_to_version, function_modes, in_binding
from minits.types import types as t

_BOXES = {"i": ctypes.c_int64 * 1, "d": ctypes.c_double * 1}
"""The type of the memory of an Optional number, by the member of `mts_value`."""


def caller(
    printer: FunctionPrinter, name: str, entry: Any, end: Any, groups: Sequence[Group] = ()
) -> Callable[..., Any]:
    """Return a Python function of the graph's inputs that calls the function `entry` in C.

    name: of the program's function, which is in the errors' tracebacks
    end: frees the lists of a call, where there are any
    groups: the fused groups of the plan
    """
    writer = _Writer(printer, groups)
    text = writer.text()
    entry.argtypes = [*writer.types, ctypes.c_void_p]
    entry.restype = ctypes.c_int32
    namespace = {
        **writer.namespace,
        **PROFILER,
        "entry": entry,
        "seen": recording(f"{name} in C{line_of(printer.graph)}"),
        "fail": partial(fail, printer, name),
    }
    if end is not None:
        end.argtypes, end.restype = [ctypes.c_void_p], None
        namespace["end"] = end
    exec(compile(text, "<minits native>", "exec"), namespace)
    call: Callable[..., Any] = namespace["call"]
    return call


class _Writer:
    """Writes the Python function. `types` are those of ctypes, by which C is given all but `out`.

    `namespace` has the names that the text refers to.
    """

    def __init__(self, printer: FunctionPrinter, groups: Sequence[Group]) -> None:
        self.printer = printer
        self._groups = groups
        self.names = {value: f"i{number}" for number, value in enumerate(printer.graph.inputs)}
        self.types: list[Any] = []
        self.namespace: dict[str, Any] = {
            "Slots": ctypes.c_int64 * _slots(printer),
            "floats": struct.Struct("d").unpack_from,
            "scalar_tensor": torch.scalar_tensor,
            "partial": partial,
            "device_of_number": device_of_number,
            "object_at": object_at,
            **{str(dtype).removeprefix("torch."): dtype for dtype in ELEMENTS},
        }
        self._given: list[str] = []
        self._before = [*self._attributes(), "out = Slots()"]
        self._after: list[str] = []
        for lifted in printer.lifted:
            self._lift(lifted)
        for value in printer.inputs:
            self._give(value)
        if printer.sets_grad_mode:
            self.namespace.update(
                is_grad_enabled=torch.is_grad_enabled, set_grad_enabled=torch.set_grad_enabled
            )
            self._before.append("mode = is_grad_enabled()")
            self._after.append("set_grad_enabled(mode)")
        self._is_of_tensors = printer.is_of_tensors
        if self._is_of_tensors:
            self._before.insert(0, "look()")
            self.namespace.update(look=_look, in_binding=in_binding, cause_of=_cause_of)
        if printer.has_lists:
            self._add_pool()
        if printer.prints:
            self.namespace["write"] = WRITE
            self._given.append("write")
            self.types.append(type(WRITE))
        if printer.asks:
            self.namespace.update(ask=ASK, Asker=partial(Asker, printer.questions))
            self._before.append("asker = Asker()")
            self._given += ["ask", "asker"]
            self.types += [type(ASK), ctypes.py_object]
            self._after.append("asker.leave()")
        if printer.calls_groups:
            self._add_groups()
        elif printer.records_otherwise:
            check = partial(check_gradients, sets_mode=printer.sets_grad_mode)
            self.namespace["check_gradients"] = check
            self._before.append(f"check_gradients({self._tensors()})")
        if printer.written:
            self._add_counts()

    def _attributes(self) -> Iterator[str]:
        """Yield the lines that read attributes, of the inputs that the program has."""
        attributes = self.printer.attributes
        has_guards = bool(self.printer.modules.classes)
        if not (attributes.read or has_guards):
            return
        taken = [value for value in self.names if value not in attributes.read]
        if (
            has_guards
            or attributes.may_be_met_twice
            or len(attributes.texts) < len(attributes.read)
        ):
            yield f"values = {self._tuple(taken)}"
        if has_guards:
            self.namespace["check_classes"] = self.printer.modules.check
            yield "check_classes(values)"
        if attributes.may_be_met_twice:
            self.namespace["check"] = attributes.check
            yield "check(values)"
        for value, get in attributes.read.items():
            name, text = self.names[value], attributes.texts.get(value)
            if text is None:
                self.namespace[f"get_{name}"] = get
                text = f"get_{name}(values)"
            yield f"{name} = {text}"
        if attributes.state is not None:
            self.namespace["set_all"] = attributes.set_all
            yield "set_state = partial(set_all, values)"

    def _lift(self, lifted: Lifted) -> None:
        """Add the constant that a tensor is."""
        self.namespace[self.names[lifted.value]] = lifted.content

    def _give(self, value: Value) -> None:
        """Add what hands over an input."""
        name, kind = self.names[value], self.printer.kinds.get(value)
        if kind is not None:
            self._given += [f"{name}.data_ptr()", f"*{name}.shape", f"*{name}.stride()"]
            self.types += [ctypes.c_void_p, *[ctypes.c_int64] * (2 * kind.rank)]
            if value in self.printer.written:
                number = self.printer.written.index(value)
                self._given.append(f"addressof(writes) + {8 * number}")
                self.types.append(ctypes.c_void_p)
        elif value.type in (t.TENSOR, t.OptionalType(t.TENSOR)):
            self.namespace["handle_of"] = handle_of_dense
            self._before.append(f"handle_{name} = handle_of({name})")
            self._given.append(f"handle_{name}")
            self.types.append(ctypes.c_void_p)
        elif value.type == t.DEVICE:
            self.namespace["number_of_device"] = number_of_device
            self._given.append(f"number_of_device({name})")
            self.types.append(ctypes.c_int64)
        elif is_of_python(value.type):
            self._given.append(f"id({name})")
            self.types.append(ctypes.c_int64)
        elif is_given_as_words(value.type):
            self.namespace[f"words_of_{name}"] = partial(
                words_of, type=self.printer.tags.at_boundary(value.type)
            )
            self.namespace["addresses_of"] = addresses_of
            self._before.append(f"words_{name} = words_of_{name}({name})")
            self._given.append(f"*addresses_of([words_{name}])")
            self.types.append(ctypes.c_void_p)
        elif isinstance(value.type, t.ListType):
            self._give_list(name, name, value.type.element)
        elif isinstance(value.type, t.DictType):
            self._give_list(f"{name}_keys", f"[*{name}]", value.type.key)
            self._give_list(f"{name}_values", f"[*{name}.values()]", value.type.value)
        elif isinstance(value.type, t.OptionalType) and is_optional_number(value.type):
            self.namespace[f"Box_{name}"] = _BOXES[C_TYPES[value.type.element].slot]
            self._before.append(f"box_{name} = None if {name} is None else Box_{name}({name})")
            self._given.append(f"box_{name}")
            self.types.append(ctypes.c_void_p)
        elif c_type(value) is HELD:
            self.namespace["bytes_of"] = bytes_of
            self._given.append(f"*bytes_of({name})")
            self.types += [ctypes.c_int64, ctypes.c_char_p]
        elif isinstance(value.type, t.EnumType):
            self.namespace["number_of"] = number_of
            self._given.append(f"number_of({name})")
            self.types.append(ctypes.c_int64)
        else:
            self._given.append(name)
            self.types.append(c_type(value).argument)

    def _give_list(self, name: str, items: str, element: t.Type) -> None:
        """Add what hands over a list, of which `items` is the expression."""
        self.namespace[f"arrays_of_{name}"] = partial(arrays_of, type=element)
        self._before.append(f"arrays_{name} = arrays_of_{name}({items})")
        self._given += [f"len({items})", f"*addresses_of(arrays_{name})"]
        depth = 2 if c_type_of(element) is HELD else 1
        self.types += [ctypes.c_int64, *[ctypes.c_void_p] * depth]

    def _add_pool(self) -> None:
        """Add the pool of lists, and what is done with the caller's own at the end."""
        at_boundary = self.printer.tags.at_boundary
        shared = [at_boundary(value.type) for value in self.printer.shared]
        results = [at_boundary(value.type) for value in self.printer.results]
        self.namespace.update(
            Pool=ctypes.c_void_p * 2,
            addresses_of=addresses_of,
            read=reader(results, len(shared)),
            give_back=partial(give_back, shared),
        )
        self._before.append(f"pool = Pool({self._second_word()})")
        self._given.append("pool")
        self.types.append(ctypes.c_void_p)
        if shared and self.printer.writes_lists:
            self._before.append("known = {}")
            self._after.append(f"give_back(out, {self._shared()}, known)")
        self._after.append("end(pool)")

    def _second_word(self) -> str:
        """Return the arguments of a pool: its second word is set where nothing is recorded."""
        if not self.printer.has_shortcuts:
            return ""
        if self.printer.calls_groups:  # which are called for nothing that is
            return "None, 1"
        self.namespace["records"] = records
        return f"None, not records({self._tensors()})"

    def _tensors(self) -> str:
        """Return the tuple of the inputs that are tensors or hold some."""
        return self._tuple([each for each in self.printer.inputs if has_tensors(each.type)])

    def _add_groups(self) -> None:
        """Add the fused groups, which run in C while no gradients are recorded."""
        self.namespace.update(
            groups=Groups(self._groups, self.printer.groups, self.printer.makes_negative_bits),
            check_unrecorded=check_unrecorded,
        )
        self._before.append(f"check_unrecorded({self._tensors()})")
        self._given.append("groups.array")
        self.types.append(ctypes.c_void_p)

    def _add_counts(self) -> None:
        """Add what counts the writes to tensors."""
        written = self.printer.written
        self.namespace.update(
            Counts=ctypes.c_int64 * len(written),
            addressof=ctypes.addressof,
            note_writes=_note_writes,
        )
        self._before.append("writes = Counts()")
        self._after.append(f"note_writes(writes, {self._tuple(written)})")

    def text(self) -> str:
        printer = self.printer
        leaves = [self._leaf(value, number) for number, value in enumerate(printer.results)]
        read = list[str]()
        if printer.has_lists:
            leaves = [f"leaves[{number}]" for number in range(len(leaves))]
            known = ", known" if "known = {}" in self._before else ""
            read = [f"leaves = read(out, {self._tuple(printer.shared)}{known})"]
        given = ", ".join([*self._given, "out"])
        called = entry_text("entry")
        entry = f"{called}({given})"
        if self._is_of_tensors:  # so that torch's warnings are Python's
            entry = f"in_binding({called}, (), ({given},), {{}})"
        body = [
            f"if site := {entry}:",
            f"    fail(site, out, {self._tuple(printer.kinds)})",
            *read,
            f"return {self._results(iter(leaves))}",
        ]
        ends = list[str]()
        if self._is_of_tensors:
            ends += ["except SystemError as error:", "    raise cause_of(error) from None"]
        if self._after:
            ends += ["finally:", *_indented(self._after)]
        if ends:
            body = ["try:", *_indented(body), *ends]
        lifted = {each.value for each in printer.lifted} | {*printer.attributes.read}
        taken = [name for value, name in self.names.items() if value not in lifted]
        head = f"def call({', '.join(taken)}):"
        return "\n".join([head, *_indented([*self._before, *body])])

    def _leaf(self, value: Value, slot: int) -> str:
        """Return the expression of a number, or a member of an enum, in a slot of `out`."""
        if not isinstance(value.type, t.EnumType):
            return _leaf(value, slot)
        self.namespace[f"members_{slot}"] = members_of(value.type)
        return f"members_{slot}[out[{slot}]]"

    def _shared(self) -> str:
        """Return the tuple of what is given back: of the state the function that sets it."""
        state = self.printer.attributes.state
        lists = self._tuple([value for value in self.printer.shared if value is not state])
        return lists if state is None else f"({lists[1:-1]}set_state, )"

    def _tuple(self, values: Iterable[Value]) -> str:
        """Return the tuple of some inputs."""
        return f"({''.join([f'{self.names[value]}, ' for value in values])})"

    def _results(self, leaves: Iterator[str]) -> str:
        """Return the expression of the outputs; tuples that are constants go into a list."""
        constants = self.namespace.setdefault("constants", [])
        texts = [_result(value, leaves, constants) for value in self.printer.graph.outputs]
        return texts[0] if len(texts) == 1 else f"({''.join([f'{text}, ' for text in texts])})"


def _indented(lines: list[str]) -> list[str]:
    return [f"    {each}" for each in lines]


def _slots(printer: FunctionPrinter) -> int:
    """Return the length of `out`: the caller's lists, then results, or what a site tells."""
    told = [len(site.told) for site in printer.sites]
    return len(printer.shared) + max(len(printer.results), *told, 1)


def _look() -> None:
    """Raise `ctypes.ArgumentError` where calls of torch's operators are to be seen by Python.

    A default device is a mode that sees them, and gives those that make tensors a device.
    """
    if is_observed() or function_modes():
        raise ctypes.ArgumentError("operators are observed")


def _cause_of(error: SystemError) -> BaseException:
    """Return the error that a hook of Python has raised, such as one of `saved_tensors_hooks`.

    An operator of torch has called it; C returns as after any error, and ctypes finds this one.
    """
    return error.__cause__ or error


def _note_writes(writes: Sequence[int], tensors: Sequence[Tensor]) -> None:
    """Let autograd know of the writes of C to tensors, as many as eager would count."""
    for tensor, count in zip(tensors, writes, strict=True):
        if count:
            add_to_version(tensor, count)


def _leaf(value: Value, slot: int) -> str:
    """Return the expression of a number in a slot of `out`."""
    if isinstance(value.type, ElementType):
        number = f"floats(out, {8 * slot})[0]" if c_type(value).code == "d" else f"out[{slot}]"
        return f"scalar_tensor({number}, dtype={str(value.type.dtype).removeprefix('torch.')})"
    if value.type == t.DEVICE:
        return f"device_of_number(out[{slot}])"
    if is_of_python(value.type):
        return f"object_at(out[{slot}])"
    if value.type == t.FLOAT:
        return f"floats(out, {8 * slot})[0]"
    return f"out[{slot}] != 0" if value.type == t.BOOL else f"out[{slot}]"


def _result(value: Value, leaves: Iterator[str], constants: list[Any]) -> str:
    content = to_python(value)
    if isinstance(content, tuple) and not has_containers(content):
        constants.append(content)
        return f"constants[{len(constants) - 1}]"
    if value.node.kind == "prim::TupleConstruct":
        items = [_result(item, leaves, constants) for item in value.node.inputs]
        made = f"({''.join([f'{item}, ' for item in items])})"
        if not isinstance(value.type, t.TupleType) or value.type.name is None:
            return made
        constants.append(named_tuple_class(value.type))
        return f"constants[{len(constants) - 1}]({made})"
    return "None" if value.type == t.NONE else next(leaves)
