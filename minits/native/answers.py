"""Answers to questions that C asks Python (`questions.py`).

    asker = Asker(questions)
    entry(..., ASK, asker, pool, out)     C calls ASK(asker, number, values, &words)

What a question raises is an error of the program at its place, or ends the call where it is none
(an interrupt). Objects of Python that C is given live as long as the call.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from typing import Any

import torch

from minits.codegen.context_stack import ActiveContexts
from minits.ir.constants import NOT_CONSTANT
from minits.native.boundary import reader
from minits.native.c_types import is_of_python
from minits.native.given import words_of
from minits.native.handles import PLAIN_TYPES
from minits.native.printing import RAISED, keep_fault
from minits.ops.copies import copied
from minits.ops.errors import ScriptError
from minits.records import dataclass, field
from minits.torch_internals import with_functions
from minits.types import types as t
from minits.types.type_parts import distinct_parts

Answer = Callable[..., Any]
"""A function of who asks and the values of a question."""


@dataclass(slots=True, eq=False)
class Question:
    """A question: the function that answers it, and the values that it takes.

    values: those that are constants; `NOT_CONSTANT` for each that C gives
    types: of those that C gives
    type: of the answer; None where there is none
    """

    answer: Answer
    values: Sequence[Any]
    types: Sequence[t.Type] = field(default_factory=list)
    type: t.Type | None = None
    _read: Callable[..., list[Any]] | None = None

    def answered(self, asker: Asker, address: int | None) -> Any:
        """Return the answer, given the address of the values that C gives. Raises what it does."""
        if self._read is None:
            self._read = reader(self.types)
        given = iter(())
        if address:
            slots = (ctypes.c_int64 * len(self.types)).from_address(address)
            given = iter(self._read(slots))
        values = [next(given) if each is NOT_CONSTANT else copied(each) for each in self.values]
        with with_functions():  # which the binding that C is called in has switched off
            return self.answer(asker, *values)


class Asker:
    """Python's part of a call of C. `warned` has the numbers of the warnings that it has shown."""

    __slots__ = ("_kept", "_last", "entered", "questions", "warned")

    def __init__(self, questions: Sequence[Question]) -> None:
        self.questions = questions
        self.warned: set[int] = set()
        self.entered = ActiveContexts()
        self._kept: dict[int, Any] = {}
        self._last: tuple[Any, array[int]] | None = None

    def answer(self, number: int, values: int | None, place: int) -> None:
        """Answer a question. `place` is where C expects the address of the words of the answer.

        Raises what the question does, and `ScriptError` for what C cannot be given.
        """
        question = self.questions[number]
        answer = question.answered(self, values)
        if question.type is None:
            return
        if isinstance(answer, torch.Tensor) and type(answer) not in PLAIN_TYPES:
            answer = answer.as_subclass(torch.Tensor)
        try:
            words = words_of(answer, question.type)
        except ctypes.ArgumentError as error:
            raise ScriptError(str(error)) from None
        self._last = answer, words
        if holds_of_python(question.type):
            self._kept[id(answer)] = answer
        ctypes.c_void_p.from_address(place).value = words.buffer_info()[0]

    def leave(self) -> None:
        """Exit the managers that the program has entered, where it has raised."""
        self.entered.leave()


def holds_of_python(type: t.Type) -> bool:
    """Return whether values of a type are objects of Python, or may hold some."""
    return is_of_python(type) or any(map(holds_of_python, distinct_parts(type)))


def _ask(asker: Asker, number: int, values: int | None, place: int) -> int:
    """Answer a question. Return 0, or where it raises 1, and `RAISED` if the program may not."""
    try:
        asker.answer(number, values, place)
    except Exception as error:
        keep_fault(error)
        return 1
    except BaseException as error:  # also an interrupt of the keyboard
        keep_fault(error)
        return RAISED
    return 0


ASK = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.py_object, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
)(_ask)
"""The function that C calls; the interpreter lock is held meanwhile."""
