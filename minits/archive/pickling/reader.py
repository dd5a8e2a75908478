"""The interpreter of the pickles in archives: thirty opcodes, and no more.

A pickle is a program for a stack machine. This machine makes descriptions (`descriptions.py`) and
nothing else: it imports nothing, calls nothing that the file names (`globals.py` has the few
calls that mean something), and ends at a limit of steps.

Two things are the writer's own way. An object is `GLOBAL class, (), NEWOBJ, state, BUILD`, and
NEWOBJ makes nothing: the class stays on the stack until BUILD, so that a memo taken in between
holds the class. BUILD and REDUCE are one operation.

Source: torch/csrc/jit/serialization/unpickler.cpp (`Unpickler::readInstruction`).
Differs: names, keys and shapes are checked, and what follows the end is refused.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from typing import Any

from minits.archive.container.limits import Limits
from minits.archive.errors import ArchiveError
from minits.archive.pickling.descriptions import DictOf, ListOf, ObjectOf
from minits.archive.pickling.globals import Malformed, Named, call, enum_member, is_allowed, storage

_NAME = re.compile(r"[A-Za-z0-9_.]+")


def read_pickle(data: memoryview, record: str, limits: Limits) -> Any:
    """Return the description of the value in a pickle. Raises `ArchiveError`."""
    return _Machine(bytes(data), record, limits).run()


class _Mark:
    """Marks on the stack where the items of a container begin."""


_MARK = _Mark()


class _Machine:
    """The stack and the memo."""

    def __init__(self, data: bytes, record: str, limits: Limits) -> None:
        self.data, self.record, self.limits = data, record, limits
        self.position = 0
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    # ---- The loop ------------------------------------------------------------------------------

    def run(self) -> Any:
        """Return the value of the pickle. Raises ArchiveError."""
        if self.data[:2] != b"\x80\x02":
            raise ArchiveError("this is no pickle of protocol 2", self.record, 0)
        self.position = start = 2
        data, operations, stop = self.data, _OPERATION_OF_BYTE, ord(".")
        try:
            for _ in range(self.limits.pickle_steps):
                start = self.position
                opcode = data[start]
                self.position = start + 1
                if opcode == stop:
                    return self._result()
                operations[opcode](self)
        except Malformed as fault:
            raise self._fault(str(fault), start) from None
        except (IndexError, struct.error):  # of data[start], and of numbers
            raise self._fault("the pickle ends in the middle of an operation") from None
        raise self._fault(f"the pickle has more than {self.limits.pickle_steps} operations")

    def _result(self) -> Any:
        if len(self.stack) != 1 or self.stack[0] is _MARK:
            raise self._fault("the pickle does not end with one value")
        if self.position != len(self.data):
            raise self._fault("there are bytes after the end of the pickle")
        return self.stack[0]

    def _fault(self, message: str, offset: int | None = None) -> ArchiveError:
        return ArchiveError(message, self.record, self.position if offset is None else offset)

    # ---- Bytes, stack, memo --------------------------------------------------------------------

    def _bytes(self, count: int) -> bytes:
        found = self.data[self.position : self.position + count]
        if len(found) != count:
            raise self._fault("the pickle ends in the middle of an operation")
        self.position += count
        return found

    def _line(self) -> str:
        end = self.data.find(b"\n", self.position, self.position + 4096)
        if end < 0:
            raise Malformed("a name does not end")
        text = self.data[self.position : end]
        self.position = end + 1
        if not text.isascii() or not _NAME.fullmatch(text.decode()):
            raise Malformed("a name has characters that are none of names")
        return text.decode()

    def _pop(self) -> Any:
        if not self.stack or self.stack[-1] is _MARK:
            raise Malformed("a value is taken from an empty stack")
        return self.stack.pop()

    def _pop_to_mark(self) -> list[Any]:
        for index in range(len(self.stack) - 1, -1, -1):
            if self.stack[index] is _MARK:
                items = self.stack[index + 1 :]
                del self.stack[index:]
                return items
        raise Malformed("items are gathered without a mark")

    def _remember(self, index: int) -> None:
        if not self.stack or self.stack[-1] is _MARK:
            raise Malformed("there is nothing to remember")
        if len(self.memo) >= self.limits.memo_entries:
            raise Malformed("too much is remembered")
        self.memo[index] = self.stack[-1]

    def _recall(self, index: int) -> None:
        if index not in self.memo:
            raise Malformed(f"nothing is remembered under {index}")
        self.stack.append(self.memo[index])

    # ---- Operations ----------------------------------------------------------------------------

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def tuple(self) -> None:
        self.push(tuple(self._pop_to_mark()))

    def short_tuple(self, count: int) -> None:
        items = [self._pop() for _ in range(count)]
        self.push(tuple(reversed(items)))

    def list(self) -> None:
        self.push(ListOf(self._pop_to_mark()))

    def dict(self) -> None:
        self.push(DictOf(_pairs(self._pop_to_mark())))

    def append(self) -> None:
        item = self._pop()
        self._list().append(item)

    def appends(self) -> None:
        items = self._pop_to_mark()
        self._list().extend(items)

    def _list(self) -> Any:
        if not self.stack or not isinstance(self.stack[-1], ListOf):
            raise Malformed("items are appended to what is no list")
        return self.stack[-1].items

    def set_item(self) -> None:
        value, key = self._pop(), self._pop()
        self._pairs_below().extend(_pairs([key, value]))

    def set_items(self) -> None:
        pairs = _pairs(self._pop_to_mark())
        self._pairs_below().extend(pairs)

    def _pairs_below(self) -> Any:
        if not self.stack or not isinstance(self.stack[-1], DictOf):
            raise Malformed("an item is set in what is no dict")
        return self.stack[-1].items

    def long(self) -> None:
        """Push an int of eight bytes. Raises Malformed for other lengths."""
        if self._bytes(1) != b"\x08":
            raise Malformed("a long integer has eight bytes")
        self.push(struct.unpack("<q", self._bytes(8))[0])

    def text(self) -> None:
        raw = self._bytes(struct.unpack("<I", self._bytes(4))[0])
        self.push(raw.decode("utf-8", "surrogateescape"))  # torch's strings are bytes

    def named(self) -> None:
        """Push the name of a class or function. Raises Malformed for one that is not allowed."""
        found = Named(self._line(), self._line())
        if not is_allowed(found):
            raise Malformed(f"the pickle names {found.qualified}, which archives never do")
        self.push(found)

    def new_object(self) -> None:
        """Leave the class of a new object on the stack. Raises Malformed for anything else."""
        if self._pop() != () or not self.stack or not isinstance(self.stack[-1], Named):
            raise Malformed("an object is made of a class and no arguments")

    def build(self) -> None:
        """Push an object with its state. Raises Malformed if a state is given to something else."""
        start = self.position - 1
        argument, callee = self._pop(), self._pop()
        if not isinstance(callee, Named) or not callee.is_class:
            raise Malformed("a state is given to what is no object")
        self.push(ObjectOf(callee.qualified, argument, start))

    def reduce(self) -> None:
        """Push the result of a call, or an enum's member. Raises Malformed."""
        start = self.position - 1
        argument, callee = self._pop(), self._pop()
        if not isinstance(callee, Named):
            raise Malformed("what is called is no function")
        if callee.is_class:
            self.push(enum_member(callee, argument, start))
        else:
            self.push(call(callee, argument))

    def persistent(self) -> None:
        self.push(storage(self._pop()))


def _pairs(items: list[Any]) -> list[tuple[Any, Any]]:
    if len(items) % 2:
        raise Malformed("a dict has a key without a value")
    return list(zip(items[::2], items[1::2], strict=True))


def _number(format: str) -> Callable[[_Machine], None]:
    packed = struct.Struct(format)
    unpack, size = packed.unpack_from, packed.size

    def number(machine: _Machine) -> None:
        position = machine.position
        machine.stack.append(unpack(machine.data, position)[0])
        machine.position = position + size

    return number


def _recall_short(machine: _Machine) -> None:
    index = machine.data[machine.position]
    machine.position += 1
    machine._recall(index)


def _recall_long(machine: _Machine) -> None:
    (index,) = _INDEX.unpack_from(machine.data, machine.position)
    machine.position += 4
    machine._recall(index)


_INDEX = struct.Struct("<I")


def _value(make: Callable[[], Any]) -> Callable[[_Machine], None]:
    return lambda machine: machine.push(make())


_OPERATIONS: dict[bytes, Callable[[_Machine], None]] = {
    b"(": _value(lambda: _MARK),
    b")": _value(lambda: ()),
    b"]": _value(ListOf),
    b"}": _value(DictOf),
    b"N": _value(lambda: None),
    b"\x88": _value(lambda: True),
    b"\x89": _value(lambda: False),
    b"K": _number("<B"),
    b"M": _number("<H"),
    b"J": _number("<i"),
    b"G": _number(">d"),
    b"\x8a": _Machine.long,
    b"X": _Machine.text,
    b"t": _Machine.tuple,
    b"\x85": lambda machine: machine.short_tuple(1),
    b"\x86": lambda machine: machine.short_tuple(2),
    b"\x87": lambda machine: machine.short_tuple(3),
    b"l": _Machine.list,
    b"d": _Machine.dict,
    b"a": _Machine.append,
    b"e": _Machine.appends,
    b"s": _Machine.set_item,
    b"u": _Machine.set_items,
    b"c": _Machine.named,
    b"\x81": _Machine.new_object,
    b"b": _Machine.build,
    b"R": _Machine.reduce,
    b"Q": _Machine.persistent,
    b"q": lambda machine: machine._remember(machine._bytes(1)[0]),
    b"r": lambda machine: machine._remember(struct.unpack("<I", machine._bytes(4))[0]),
    b"h": _recall_short,
    b"j": _recall_long,
}


def _unknown(machine: _Machine) -> None:
    """Raises Malformed."""
    start = machine.position - 1
    raise Malformed(f"the opcode {machine.data[start : start + 1]!r} is not one of archives")


_OPERATION_OF_BYTE = [_OPERATIONS.get(bytes([opcode]), _unknown) for opcode in range(256)]
