"""Numbers that were read from tensors: for the operator that is being called, or for Python.

    x.chunk(n)       with n : %n, a size of a tensor, records
    %4 : int = aten::Int(%n)
    range(n)         warns: the number becomes a constant

Both ask the tensor for its `__index__`. Where an operator comes next that the same instruction of
the program calls, and it has that number, the number was read for it.
"""

from __future__ import annotations

from types import FrameType

from torch import Tensor

from minits.records import dataclass
from minits.tracing.program_lines import program_frame
from minits.tracing.warning import warn


@dataclass(eq=False, slots=True)
class ReadNumber:
    """A number that was read from a tensor, and the instruction of the program that read it.

    message: the warning, where Python read it.
    """

    tensor: Tensor
    value: int
    frame: FrameType
    instruction: int
    line: int
    message: str | None = None


def read_number(tensor: Tensor, value: int, message: str | None = None) -> ReadNumber:
    """Return a number that the program reads now."""
    frame = program_frame()
    return ReadNumber(tensor, value, frame, frame.f_lasti, frame.f_lineno, message)


def numbers_for_operator(numbers: list[ReadNumber]) -> list[ReadNumber]:
    """Return the numbers that the instruction read which is calling an operator now.

    The others were read by Python: it is told.
    """
    frame = program_frame()
    found = [each for each in numbers if each.frame is frame and each.instruction == frame.f_lasti]
    tell([each for each in numbers if each not in found])
    return found


def tell(numbers: list[ReadNumber]) -> None:
    """Warn of numbers that no operator has taken."""
    for number in numbers:
        if number.message is not None:
            warn(number.message, number.frame, number.line)
