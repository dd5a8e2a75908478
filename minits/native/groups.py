"""Fused groups in C: their kernels are called as the functions that they are, without Python.

    mts_list *group[2];
    int32_t fault = mts_run_group(pool, groups[1], "tt", (mts_value[]){{.list = x}, ...}, group, 2);

A group in C has a kernel for each kind of inputs that it has met (dtypes, sizes, strides). For new
ones it calls Python, where the group of the generated code runs (`codegen/groups.py`), and from
whose launch the next call can be made in C (`Parts` of `kernels/launch/launch.py`).

Layout: `mts_group` and `mts_launch` (c/groups.c).
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from minits.codegen.groups import Group
from minits.codegen.stored_launch import stored_launch
from minits.codegen.uses import is_used
from minits.identity import Identity
from minits.ir.graph import Node
from minits.kernels.cpu.c_build import NoCompiler, entry_of, open_built
from minits.kernels.launch.call_key import USUAL_STATE, state_of_constants
from minits.kernels.launch.launch import Parts
from minits.kernels.launch.observers import is_recording
from minits.native.boundary import code_of, reader
from minits.native.c_types import NotNative, c_type
from minits.native.printing import keep_fault
from minits.records import dataclass
from minits.torch_internals import put_handle
from minits.types import types as t
from minits.types.dtypes import DTYPE_CODES

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

KIND = "prim::FusionGroup"
MOST_LAUNCHES = 64
"""Kernels of one group that C knows."""
MOST_ARGUMENTS = 64
MOST_OUTPUTS = 16
"""Arguments and outputs of a kernel that C can call."""
_NUMBERS = (t.INT, t.FLOAT, t.BOOL)


# ---- Printing ----------------------------------------------------------------------------------


def print_group(printer: BlockPrinter, node: Node) -> None:
    """Print a fused group. Raises `NotNative` for one that C cannot call."""
    function = printer.function
    types = [value.type for value in node.inputs]
    if any(type != t.TENSOR and type not in _NUMBERS for type in types):
        raise NotNative(node, KIND)
    if len(node.outputs) > MOST_OUTPUTS:
        raise NotNative(node, KIND)
    printer.show(node)
    kinds = "".join(["t" if type == t.TENSOR else "n" for type in types])
    given = [f"{{.{c_type(value).slot} = {printer.read(value)}}}" for value in node.inputs]
    name, count = function.names.new("group"), len(node.outputs)
    number = function.number_of_group(node)
    printer.line(f"mts_list *{name}[{count}];")
    inputs = f"(mts_value[]){{{', '.join(given)}}}"
    call = f'mts_run_group(pool, groups[{number}], "{kinds}", {inputs}, {name}, {count})'
    fault = function.names.new("fault")
    printer.line(f"int32_t {fault} = {call};")
    printer.line(f"if ({fault}) return {fault};")
    for index, output in enumerate(node.outputs):
        if is_used(output):
            printer.make(output, f"{name}[{index}]")
        else:
            printer.line(f"mts_release({name}[{index}]);")


# ---- Calling -----------------------------------------------------------------------------------


class _Launch(ctypes.Structure):
    """An `mts_launch`."""

    _fields_ = [
        ("next", ctypes.c_void_p),
        ("run", ctypes.c_void_p),
        ("key", ctypes.c_void_p),
        ("words", ctypes.c_void_p),
        ("made", ctypes.c_void_p),
        ("results", ctypes.c_void_p),
        ("word_count", ctypes.c_int64),
        ("made_count", ctypes.c_int64),
    ]


_CALL = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)


class _Group(ctypes.Structure):
    """An `mts_group`."""

    _fields_ = [("launches", ctypes.c_void_p), ("call", _CALL)]


@dataclass(frozen=True, slots=True)
class _Arrays:
    """The arrays of a launch, and the library of its kernel, which live as long as it does."""

    launch: _Launch
    arrays: tuple[Any, ...]
    library: Any


class GroupOfC:
    """A fused group that C calls.

    types: those of its inputs
    most: kernels that C learns to call itself
    """

    def __init__(self, group: Group, types: Sequence[t.Type], most: int = MOST_LAUNCHES) -> None:
        self._group, self._most = group, most
        self._types = types
        self._slots = ctypes.c_int64 * len(types)
        self._read = reader(types)
        self._launches: list[_Arrays] = []
        self._known: set[Any] = set()
        self.structure = _Group(None, _CALL(self._call))

    def _call(self, inputs: int, handles: int) -> int:
        """Run the group in Python. Return 1 where this raises, which `raise_fault` raises again."""
        try:
            values = self._read(self._slots.from_address(inputs))
            found = self._group.call(*values)
            outputs = (found,) if self._group.body.is_single else found
            for index, tensor in enumerate(outputs):
                put_handle(tensor, handles + 8 * index)
            self._note(values)
        except BaseException as error:
            keep_fault(error)
            return 1
        return 0

    def _note(self, values: Sequence[Any]) -> None:
        """Let C know of the kernel that has just run, if there is one for these inputs alone."""
        run = self._group.cache.launch_for(values)
        stored = None if run is None else stored_launch(run)
        if stored is None or len(self._launches) >= self._most:
            return
        if Identity(run) in self._known:
            return
        made = _launch_in_c(stored.parts, values, self._types)
        if made is not None:
            self._known.add(Identity(run))
            made.launch.next = self.structure.launches
            self._launches.append(made)
            self.structure.launches = ctypes.addressof(made.launch)


def _launch_in_c(parts: Parts, values: Sequence[Any], types: Sequence[t.Type]) -> _Arrays | None:
    """Return a launch as C makes it; None where it is more than C makes, or no longer there."""
    numbers = (ctypes.c_int64 * max(len(parts.numbers), 1))(*parts.numbers)
    words = _words(parts, ctypes.addressof(numbers), types)
    made = sorted(name for name in parts.namespace if name.startswith("dtype"))
    names = [f"o{index}" for index in range(len(made))]
    if words is None or len(made) > MOST_OUTPUTS or not set(parts.results) <= set(names):
        return None
    try:
        library = open_built(parts.library)
        if library is None:
            return None
        entry = entry_of(library, parts.entry)
    except NoCompiler:
        return None
    tensors = [value for value in values if isinstance(value, torch.Tensor)]
    key = [x for each in tensors for x in _like(each.dtype, each.shape, each.stride())]
    likes = [
        x
        for i in range(len(made))
        for x in _like(*[parts.namespace[f"{each}{i}"] for each in ("dtype", "shape", "strides")])
    ]
    results = [names.index(name) for name in parts.results]
    arrays = [_array(each) for each in (key, words, likes, results)]
    addresses = [ctypes.addressof(each) for each in arrays]
    run = ctypes.cast(entry, ctypes.c_void_p).value
    launch = _Launch(None, run, *addresses, len(words) // 3, len(made))
    return _Arrays(launch, (*arrays, numbers), library)


def _like(dtype: torch.dtype, shape: Sequence[int], strides: Sequence[int]) -> list[int]:
    return [DTYPE_CODES[dtype], len(shape), *shape, *strides]


def _array(numbers: Sequence[int]) -> Any:
    return (ctypes.c_int64 * max(len(numbers), 1))(*numbers)


def _words(parts: Parts, address: int, types: Sequence[t.Type]) -> list[int] | None:
    """Return three numbers for each argument of a kernel: how it is found, of which, and more."""
    words: list[int] = []
    for text, format in zip(parts.arguments, parts.packed, strict=True):
        name, _, offset = text.partition(".data_ptr()")
        index = int(name[1:]) if name[1:].isdigit() else 0
        if name == "address":
            words += [ord("n"), address, 0]
        elif text.isdigit():
            words += [ord("n"), int(text), 0]
        elif name[0] == "o" and name != text:
            more = offset.removeprefix(" + ")
            words += [ord("o"), index, parts.namespace[more] if more else 0]
        elif name[0] == "i" and name != text:
            words += [ord("i"), index, 0]
        elif name[0] == "i" and code_of(types[index]) == format:
            words += [ord("p"), index, 0]
        else:
            return None
    return words if parts.arguments and len(words) <= 3 * MOST_ARGUMENTS else None


def check_unrecorded(values: Sequence[Any]) -> None:
    """Check that kernels are all that a call needs of its groups.

    Raises `ctypes.ArgumentError` where gradients are recorded, and where the process's state
    changes what operators do: then the groups look at each call.
    """
    if state_of_constants() != USUAL_STATE:
        raise ctypes.ArgumentError("the state of the process is not the usual one")
    check_gradients(values, sets_mode=False)


def check_gradients(values: Sequence[Any], sets_mode: bool) -> None:
    """Check that no gradients are recorded. Raises `ctypes.ArgumentError`.

    sets_mode: whether the program itself may begin to record them
    """
    if records(values) or (sets_mode and any(map(_requires_grad, values))):
        raise ctypes.ArgumentError("gradients are recorded")


def records(values: Sequence[Any]) -> bool:
    """Return whether operators record gradients of tensors that are among values, or within."""
    return is_recording() and any(map(_requires_grad, values))


def _requires_grad(value: Any) -> bool:
    if isinstance(value, torch.Tensor):
        return bool(value.requires_grad)
    if isinstance(value, dict):
        return any(map(_requires_grad, value.values()))
    return isinstance(value, (list, tuple)) and any(map(_requires_grad, value))


class Groups:
    """The groups of one function, as C takes them: an array of pointers.

    all_in_python: whether Python is asked for each call, as C does not know of the negative bit
    """

    def __init__(
        self, groups: Sequence[Group], nodes: Sequence[Node], all_in_python: bool = False
    ) -> None:
        types = [[value.type for value in node.inputs] for node in nodes]
        most = 0 if all_in_python else MOST_LAUNCHES
        self._groups = [GroupOfC(*pair, most) for pair in zip(groups, types, strict=True)]
        addresses = [ctypes.addressof(each.structure) for each in self._groups]
        self.array = (ctypes.c_void_p * max(len(addresses), 1))(*addresses)
