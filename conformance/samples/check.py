"""Check one program: an implementation does what torch.jit does.

Equal must be: whether it is accepted; the graphs of all its functions, with the names of values and
source ranges; and what each call shows (`outcome.py`), without gradients and with them.
"""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from conformance.canonical import Normaliser
from conformance.case import Call
from conformance.compare import text_difference
from conformance.implementations import Implementation
from conformance.samples.expected import Expected
from conformance.samples.outcome import Outcome, observe
from conformance.samples.program import Arguments, Program
from conformance.tolerances import Tolerance, tolerance_for
from conformance.torch_implementation import TorchJit

_TORCH = str(Path(torch.__file__).parent)
_RAW = (TypeError, AttributeError, KeyError, AssertionError, NameError, RecursionError)
"""Raised by Python itself where a compiler forgot a case; torch raises some of these, too."""
TORCH_FAULTS = (
    "INTERNAL ASSERT",
    "Type cannot be accurately recovered",
    "required keyword attribute",  # a kind of node that no program writes
    "ArrayRef: invalid index",
    "called on an undefined Tensor",  # a result that eager returns as None
    "vector::reserve",  # a list that is repeated less than no times
)
_OF_GRADIENTS = Tolerance(
    1e-5, 1e-6, "sums and products of what the call computed, several in a row"
)
_ULPS_OF_HALVES = 8
"""Units in the last place of a half type, which kernels round to only once."""
Announce = Callable[[str], None]
CALLS = 2
"""How often each call is made: a later one may run a plan with kernels."""


@dataclass(slots=True)
class Counts:
    """Numbers of programs, of what was compared of them, and of what was equal."""

    programs: int = 0
    outcomes: int = 0
    equal_outcomes: int = 0
    graphs: int = 0
    equal_graphs: int = 0
    refused: int = 0
    """Programs that both refuse; each is an outcome that is equal."""
    faulty: int = 0
    """Programs or calls on which torch.jit itself fails by an internal fault; not compared."""
    indented: int = 0
    """Graphs that differ by the indentation in a string alone: torch.jit takes that of the method
    out of a string that goes over two lines, minits keeps the string as Python has it."""
    lost: int = 0
    """Programs of which torch itself ends the process."""

    def __add__(self, other: Counts) -> Counts:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Counts(*(mine + theirs for mine, theirs in pairs))

    def __str__(self) -> str:
        told = (
            f"{self.programs:,} programs: {self.equal_outcomes:,} of {self.outcomes:,} outcomes "
            f"and {self.equal_graphs:,} of {self.graphs:,} graphs equal"
        )
        others = {"refused by both": self.refused, "faults of torch.jit": self.faulty}
        others["graphs that differ by the indentation in a string"] = self.indented
        others["lost with torch"] = self.lost
        return "; ".join([told, *[f"{count:,} {name}" for name, count in others.items() if count]])


class Check:
    """The comparison of an implementation with torch.jit on one program."""

    def __init__(
        self, program: Program, implementation: Implementation, calls: int = CALLS
    ) -> None:
        self.program = program
        self.implementation = implementation
        self.calls = calls
        self.counts = Counts(programs=1)
        self.faults: list[str] = []
        self.oracle = TorchJit()

    def run(self, announce: Announce = lambda who: None) -> None:
        """Fill in `counts` and `faults`. `announce` is told who is about to run, as some die."""
        announce("torch.jit")
        expected, refusal = _compiled(self.oracle, self.program)
        announce("other")
        found, own_refusal = _compiled(self.implementation, self.program)
        if expected is None or found is None:
            self._judge_refusal(refusal, own_refusal)
            return
        tolerance = self._compare_graphs(expected, found)
        for number, arguments in enumerate(self.program.calls):
            for with_gradients in (False, True)[: 1 + _can_have_gradients(arguments)]:
                self._check_call(
                    number, arguments, with_gradients, (expected, found), tolerance, announce
                )

    def _check_call(
        self,
        number: int,
        arguments: Arguments,
        with_gradients: bool,
        programs: tuple[Any, Any],
        tolerance: Tolerance,
        announce: Announce,
    ) -> None:
        """Compare one call in each of its ways with torch.jit's."""
        of_torch, found = programs
        announce("torch.jit")
        call = self._caller(self.oracle, of_torch)
        expected = Expected(call, arguments, number, with_gradients)
        error = expected.as_written.error
        if error is not None and _is_faulty(error):
            self.counts.faulty += 1
            return
        announce("other")
        for way, call in self._ways(found):
            seen = observe(call, arguments, number, with_gradients=with_gradients)
            where = f"call {number}, {'with gradients, ' * with_gradients}{way}"
            self._compare(expected, seen, where, tolerance)

    def _judge_refusal(self, refusal: Exception | None, own: Exception | None) -> None:
        if refusal is not None and _is_faulty(refusal):
            self.counts.faulty += 1
            return
        is_clear = own is None or self.implementation.compile_fault(own) is not None
        are_equal = refusal is not None and own is not None and is_clear
        self.counts.outcomes += 1
        self.counts.equal_outcomes += are_equal
        self.counts.refused += are_equal
        if not are_equal:
            told = [
                f"{name}: {_told(why)}" for name, why in (("torch.jit", refusal), ("here", own))
            ]
            self.faults.append("\n".join(told))

    def _compare_graphs(self, expected: Any, found: Any) -> Tolerance:
        wanted = _graphs(self.oracle, expected)
        seen = _graphs(self.implementation, found)
        if seen:
            self.counts.graphs += 1
            difference = text_difference(seen, wanted, ("torch.jit", "here"))
            self.counts.equal_graphs += difference is None
            is_known = _without_blanks(seen) == _without_blanks(wanted)
            self.counts.indented += difference is not None and is_known
            if difference is not None and not is_known:
                self.faults.append(f"graphs\n{difference}")
        return tolerance_for(wanted.values())

    def _caller(self, by: Implementation, compiled: Any) -> Callable[..., Any]:
        return lambda *args, **kwargs: by.call(compiled, Call(args, kwargs))

    def _ways(self, found: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
        """The ways to call what was compiled: several times, and as an implementation knows."""
        call = self._caller(self.implementation, found)
        yield from [(f"time {time}", call) for time in range(1, self.calls + 1)]
        ways = getattr(self.implementation, "ways", None)
        yield from ways(found) if ways is not None else ()

    def _compare(self, expected: Expected, seen: Outcome, where: str, tolerance: Tolerance) -> None:
        differences = list(self._differences(expected, seen, tolerance))
        self.counts.outcomes += 1
        self.counts.equal_outcomes += not differences
        if differences:
            self.faults.append("\n".join([where, *differences]))

    def _differences(
        self, expected: Expected, seen: Outcome, tolerance: Tolerance
    ) -> Iterator[str]:
        has_raised = seen.error is not None
        wanted = expected.as_written if has_raised else expected.for_what_returns()
        if wanted.error is not None or seen.error is not None:
            yield from self._difference_of_errors(wanted.error, seen.error)
            return
        for name in {**wanted.facts, **seen.facts}:
            first, second = wanted.facts.get(name), seen.facts.get(name)
            if first != second:
                yield f"{name}: {second}, torch.jit: {first}"
        if not self.program.is_defined:
            return
        for name, tensor in wanted.tensors.items():
            other = seen.tensors.get(name)
            is_gradient = name.startswith("gradient")
            allowed = _OF_GRADIENTS if is_gradient else tolerance
            if other is None or _are_equal(tensor, other, allowed):
                continue
            if not (is_gradient and expected.is_gradient_as_near(name, other)):
                yield f"{name}: {other}, torch.jit: {tensor}"

    def _difference_of_errors(
        self, wanted: Exception | None, seen: Exception | None
    ) -> Iterator[str]:
        if wanted is None or seen is None:
            yield f"{_told(seen)}, torch.jit: {_told(wanted)}"
        elif self.implementation.run_fault(seen) is None or (
            _is_raw(seen) and not isinstance(wanted, type(seen))
        ):
            yield f"a defect: {_told(seen)}, torch.jit: {_told(wanted)}"


def _compiled(by: Implementation, program: Program) -> tuple[Any, Exception | None]:
    torch.manual_seed(0)
    target = program.make()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return by.compile(target), None
    except Exception as refusal:
        return None, refusal


def _graphs(by: Implementation, compiled: Any) -> dict[str, str]:
    normalise = Normaliser({})
    # The sign of a NaN is whatever the processor gives.
    graphs = {
        normalise.names(each.name): normalise.graph(each.graph).replace("-nan", "nan")
        for each in by.functions(compiled)
    }
    return _with_warnings_numbered_anew(graphs)


def _with_warnings_numbered_anew(graphs: dict[str, str]) -> dict[str, str]:
    """Number `aten::warn` within a program: a process counts those of all that it compiles."""
    known: dict[str, str] = {}

    def anew(number: re.Match[str]) -> str:
        return known.setdefault(number[0], str(len(known)))

    return {name: re.sub(r"(?<=\[warn_id=)\d+", anew, graphs[name]) for name in sorted(graphs)}


def _without_blanks(graphs: dict[str, str]) -> dict[str, str]:
    return {name: re.sub(" +", " ", text) for name, text in graphs.items()}


def _can_have_gradients(arguments: Arguments) -> bool:
    values = [*arguments.args, *[value for _, value in arguments.kwargs]]
    return any(_has_floats(value) for value in values)


def _has_floats(value: Any) -> bool:
    if isinstance(value, Tensor):
        return value.is_floating_point() or value.is_complex()
    return isinstance(value, (list, tuple)) and any(_has_floats(item) for item in value)


def _is_faulty(error: Exception) -> bool:
    return any(text in str(error) for text in TORCH_FAULTS)


def _is_raw(error: Exception) -> bool:
    """Whether Python itself raised, outside of torch."""
    if isinstance(error, RuntimeError) or not isinstance(error, _RAW):
        return False
    *_, last = traceback.extract_tb(error.__traceback__)
    return _TORCH not in last.filename


def _told(error: Exception | None) -> str:
    if error is None:
        return "nothing raised"
    return f"{type(error).__name__}: {str(error).strip()[-400:]}"


def _are_equal(first: Tensor, second: Tensor, tolerance: Tolerance) -> bool:
    """Whether all elements are equal, NaN to itself, or within the tolerance."""
    if first.device.type == "meta" or second.device.type == "meta":
        return True
    relative, absolute = _allowed(first.dtype, tolerance)
    try:
        torch.testing.assert_close(
            _plain(second),
            _plain(first),
            rtol=relative,
            atol=absolute,
            equal_nan=True,
            check_stride=False,
        )
    except AssertionError:
        return False
    except (RuntimeError, NotImplementedError):  # tensors that cannot be read, as torch.func's
        return True
    return True


def _allowed(dtype: torch.dtype, tolerance: Tolerance) -> tuple[float, float]:
    """A tolerance for numbers of a dtype; those of the table are meant for float32."""
    if not (dtype.is_floating_point or dtype.is_complex) or tolerance.relative == 0:
        return 0.0, 0.0
    units = torch.finfo(dtype).eps / torch.finfo(torch.float32).eps
    if units > 1:
        return max(tolerance.relative, _ULPS_OF_HALVES * torch.finfo(dtype).eps), 1e-3
    return tolerance.relative * units, tolerance.absolute * units


def _plain(tensor: Tensor) -> Tensor:
    if tensor.is_quantized:
        return tensor.dequantize()
    dense = tensor.to_dense() if tensor.layout != torch.strided else tensor
    return dense.resolve_conj().resolve_neg()
