"""The gradient of a kernel, as a kernel.

    kernel(reduced=1)                      backward(reduced=1)
      x = load(0)               FULL         x = load(0)                  FULL
      m = detach(max(x))        ROW          m = detach(max(x))           ROW
      e = exp(sub(x, m))        FULL         e = exp(sub(x, m))           FULL
      t = sum(e)                ROW          t = sum(e)                   ROW
      y = div(e, t)             FULL         g = load(1)                  FULL   of output 0
      output 0 = y                           dt = sum(neg(div(mul(g, y), t)))  ROW
                                             de = add(div(g, t), dt)      FULL
                                             output 0 = mul(de, e)

What the gradient needs is computed again from the inputs, unless it was saved: values of the
forward kernel can be inputs of the gradient's. `worth_saving` tells which pay. Each value has an
adjoint, the derivative of the loss by it. Along the rows that are reduced over,

- a ROW value is one value that is used at many indices: its adjoint is the sum over the row;
- the adjoint of the operand of `sum` is that of the result, at every index.

Adjoints of half types are float32, from the gradient that is given to the one that is written.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from minits.kernels.gradients.reduction_gradients import derivative_of
from minits.kernels.gradients.scan_gradients import SCAN_DERIVATIVES
from minits.kernels.gradients.smallest_cut import smallest_cut
from minits.kernels.ir.kernel import Kernel, Level, Scalar, users_of
from minits.kernels.ir.simplifying import SimplifyingBuilder
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.kernels.scalar_ops.row import computed_in
from minits.records import dataclass


class NotDifferentiable(Exception):
    """A kernel has an operation whose derivative is not known."""


@dataclass(frozen=True, slots=True)
class Backward:
    """The gradient of a kernel.

    The inputs of `kernel` are those of the forward kernel, then one for each value that was saved,
    then one for the gradient of each of the forward kernel's outputs in `gradients`. The latter two
    are FULL or ROW as the value is. Its parameters are the forward kernel's.

    `outputs` has, for each input of the forward kernel, the output of `kernel` that is its
    gradient, or None. Gradients have the shape of the domain (FULL) or ones for the dimensions that
    are reduced over (ROW): where the input is broadcast they are still to be summed, and the
    gradient of a FULL input that is a ROW output is to be expanded first. Inputs may share one.

    `reached` says which inputs have a gradient. Where there is no output for it, it is zero.

    `used` are the forward kernel's values that are computed again or, if saved, read; of these,
    derivatives are made with those that are `read`, and the others lead to them.
    """

    kernel: Kernel
    gradients: tuple[int, ...]
    outputs: tuple[int | None, ...]
    reached: tuple[bool, ...]
    used: tuple[Scalar, ...]
    read: tuple[Scalar, ...]


def backward(
    kernel: Kernel,
    wanted: Sequence[bool],
    given: Sequence[bool] | None = None,
    saved: Sequence[Scalar] = (),
) -> Backward:
    """Return the kernel that computes the gradients of the `wanted` inputs.

    `given` tells which outputs have a gradient (default: all). Those of outputs that do not depend
    on wanted inputs, and of integers, are not taken. `saved` are values of the kernel that are
    handed over. Raises NotDifferentiable.
    """
    values = _needing(kernel, wanted)
    given = [True] * len(kernel.outputs) if given is None else given
    return _Reverse(kernel, values, given, saved).run()


def worth_saving(
    kernel: Kernel, wanted: Sequence[bool], results: Collection[Scalar] | None = None
) -> list[Scalar]:
    """Return the values that the gradient of a kernel should not compute again.

    These are `results`, outputs that stay as they are (default: those of softmax), what scans give,
    and one number a row for sums: each of them would be another sweep over the row. An
    extremum that is compared with its operands is not among them: both must be the results of one
    kernel to be equal. Raises NotDifferentiable.
    """
    if results is None:
        results = [output.value for output in kernel.outputs if _is_softmax(output.value)]
    if not kernel.has_sweeps and not results:
        return []
    used = backward(kernel, wanted, saved=list(results)).used
    users = users_of(kernel)
    return [
        value
        for value in used
        if value in results
        or value.op == "sum"
        or value.is_scan
        or (value.op in ("max", "min") and all(user.op == "detach" for user in users[value]))
    ]


def saved_values(
    kernel: Kernel,
    wanted: Sequence[bool],
    results: Collection[Scalar],
    changing: Collection[int],
    asked: Collection[Scalar] = (),
) -> list[Scalar]:
    """Return the values to save so that the gradient of a kernel does not read inputs `changing`.

    They are those that are `worth_saving`, and a smallest cut; none that this makes of no use.
    Values that are `asked` for can be computed of them as well, if the gradient computes these.
    Raises NotDifferentiable.
    """
    worth = worth_saving(kernel, wanted, results)
    saved, used = _saved_and_used(kernel, wanted, worth, changing, None, asked)
    return [value for value in saved if value in used]


def saved_beside(
    kernel: Kernel,
    wanted: Sequence[bool],
    saved: list[Scalar],
    changing: Collection[int],
    given: Sequence[bool] | None = None,
) -> list[Scalar]:
    """Return `saved` and what must be saved beside it so that gradients do not read `changing`.

    `given` tells which outputs have a gradient (default: all). Raises NotDifferentiable.
    """
    return _saved_and_used(kernel, wanted, saved, changing, given)[0]


def _saved_and_used(
    kernel: Kernel,
    wanted: Sequence[bool],
    saved: list[Scalar],
    changing: Collection[int],
    given: Sequence[bool] | None,
    asked: Collection[Scalar] = (),
) -> tuple[list[Scalar], tuple[Scalar, ...]]:
    """Return the result of `saved_beside`, and the values that the gradient uses then."""
    while True:
        rest = backward(kernel, wanted, given, saved)
        values = [value for value in rest.used if value not in saved]
        loads = [value for value in values if value.is_read and value.payload in changing]
        if not loads:
            return saved, rest.used
        read = [value for value in rest.read if value not in saved]
        read += [value for value in values if value in asked and value not in read]
        saved = saved + smallest_cut(values, loads, read, _differentiated(kernel).union(loads))


def _differentiated(kernel: Kernel) -> set[Scalar]:
    """Return the values through which gradients flow from the outputs.

    What a slope is computed of is not among them: its own gradient, in a gradient of the gradient,
    would read what the first gradient does not.
    """
    found = {output.value for output in kernel.outputs}
    for value in reversed(kernel.values):
        if value in found and value.op not in _WITHOUT:
            found.update(value.operands[:2] if value.op == "sloped" else value.operands)
    return found


def differentiable_outputs(kernel: Kernel, wanted: Sequence[bool]) -> tuple[bool, ...]:
    """Return for each output whether it depends on wanted inputs in a differentiable way."""
    values = _needing(kernel, wanted)
    return tuple([output.value in values for output in kernel.outputs])


# ---- Where gradients flow ------------------------------------------------------------------------

_WITHOUT = frozenset(("detach", "any", "all", "argmax", "argmin"))
"""Operations through which no gradient flows."""


def _needing(kernel: Kernel, wanted: Sequence[bool]) -> set[Scalar]:
    """Return the values through which gradients flow to wanted inputs."""
    found: set[Scalar] = set()
    for value in kernel.values:
        if value.is_read:
            needs = wanted[value.payload]
        else:
            needs = value.op not in _WITHOUT and any(o in found for o in value.operands)
        if needs and value.dtype.is_floating_point:
            found.add(value)
    return found


class _Adjoint:
    """The gradient collected for one value: `each` at every index, `once` in every row."""

    __slots__ = ("each", "once")

    def __init__(self) -> None:
        self.each: Scalar | None = None
        self.once: Scalar | None = None


class _Reverse:
    """One run through a kernel, from its outputs to its inputs."""

    def __init__(
        self,
        kernel: Kernel,
        needing: set[Scalar],
        given: Sequence[bool],
        saved: Sequence[Scalar],
    ) -> None:
        self.kernel = kernel
        self.needing = needing
        self.saved = saved
        self.k = SimplifyingBuilder(kernel.reduced)
        self.copies: dict[Scalar, Scalar] = {}
        self.adjoints: dict[Scalar, _Adjoint] = {}
        self.gradients = [
            index
            for index, output in enumerate(kernel.outputs)
            if given[index] and output.value in needing
        ]

    def run(self) -> Backward:
        self._compute_again()
        self._seed()
        for value in reversed(self.kernel.values):
            if value in self.adjoints and value.op != "load":
                self._step(value)
        return self._finish()

    def _compute_again(self) -> None:
        k, kernel = self.k, self.kernel
        for given in kernel.inputs:
            k.input(given.dtype, given.level, given.looked_up)
        k.kernel.parameters += kernel.parameters
        for value in self.saved:
            k.range = value.range
            self.copies[value] = k.load(k.input(value.dtype, value.level))
        for value in kernel.values:
            operands = tuple([self.copies[operand] for operand in value.operands])
            if value in self.copies:
                k.know(self.copies[value], value, operands)
            else:
                self.copies[value] = k.copy(value, operands)

    def _seed(self) -> None:
        """Give each output the gradient that is handed over."""
        for index in self.gradients:
            value = self.kernel.outputs[index].value
            self.k.range = value.range
            gradient = self.k.load(self.k.input(value.dtype, value.level))
            self._add(value, gradient, is_each=value.level is Level.FULL)

    # ---- Adjoints ------------------------------------------------------------------------------

    def _add(self, value: Scalar, gradient: Scalar | None, is_each: bool) -> None:
        """Add to the adjoint of a value. `is_each`: at each index of the domain."""
        if value not in self.needing:
            return
        adjoint = self.adjoints.setdefault(value, _Adjoint())
        if gradient is NotImplemented:
            raise NotDifferentiable("the derivative by an operand is not known")
        if gradient is None or _is_zero(gradient):
            return
        gradient = self.k.cast(gradient, computed_in(value.dtype))
        if is_each:
            adjoint.each = self._sum(adjoint.each, gradient)
        else:
            adjoint.once = self._sum(adjoint.once, gradient)

    def _sum(self, one: Scalar | None, other: Scalar) -> Scalar:
        return other if one is None else self.k("add", one, other)

    def _adjoint(self, value: Scalar) -> Scalar | None:
        """Return the adjoint of a value whose users have all been seen. None is zero."""
        adjoint = self.adjoints[value]
        if value.level is Level.FULL or adjoint.each is None:
            return adjoint.each or adjoint.once
        return self._sum(adjoint.once, self.k.total(adjoint.each))

    def _step(self, value: Scalar) -> None:
        """Hand the adjoint of a value on to its operands."""
        self.k.range = value.range
        gradient = self._adjoint(value)
        found: Sequence[Scalar | None] = [None] * len(value.operands)
        if gradient is not None and value in self.saved and _is_softmax(value):
            self._add(value.operands[0].operands[0], self._of_softmax(value, gradient), True)
        elif gradient is not None:
            found = self._derivatives(value, gradient)
        is_each = value.level is Level.FULL or value.is_reduction
        for operand, mine in zip(value.operands, found, strict=True):
            self._add(operand, mine, is_each)

    def _derivatives(self, value: Scalar, gradient: Scalar) -> Sequence[Scalar | None]:
        if value.op == "look_up":
            raise NotDifferentiable("the gradient of a table would be scattered")
        if value.op == "cast":
            return [gradient]
        operands = [self._wide(operand) for operand in value.operands]
        if value.is_reduction:
            return [derivative_of(value)(self.k, gradient, self._wide(value), operands[0])]
        if value.is_scan:
            return [self._of_scan(value, gradient, operands[0])]
        derivative = SCALAR_OPS[value.op].derivative
        if derivative is None:
            raise NotDifferentiable(f"the derivative of {value.op} is not known")
        return derivative(self.k, gradient, self._wide(value), operands)

    def _of_scan(self, value: Scalar, gradient: Scalar, operand: Scalar) -> Scalar:
        derivative = SCAN_DERIVATIVES.get(value.op)
        if derivative is None:
            raise NotDifferentiable(f"the derivative of {value.op} is not known")
        return derivative(self.k, value.payload, gradient, self._wide(value), operand)

    def _of_softmax(self, value: Scalar, gradient: Scalar) -> Scalar:
        """The gradient of `x` in `exp(x) / sum(exp(x))`, made of the result alone."""
        result = self._wide(value)
        total = self.k.total(self.k("mul", gradient, result))
        return self.k("mul", self.k("sub", gradient, total), result)

    def _wide(self, value: Scalar) -> Scalar:
        """A value of the forward kernel, in the dtype in which it is computed with."""
        return self.k.cast(self.copies[value], computed_in(value.dtype))

    # ---- The end -------------------------------------------------------------------------------

    def _finish(self) -> Backward:
        count = len(self.kernel.inputs)
        outputs: list[int | None] = [None] * count
        reached = [False] * count
        known: dict[Scalar, int] = {}
        for value in self.kernel.values:
            if value.op != "load" or value not in self.adjoints:
                continue
            reached[value.payload] = True
            gradient = self._adjoint(value)
            if gradient is not None:
                gradient = self.k.cast(gradient, value.dtype)
                if gradient not in known:
                    known[gradient] = self.k.output(gradient, keepdim=not gradient.level)
                outputs[value.payload] = known[gradient]
        made = self.k.finish()
        live = set(made.values)
        used = tuple([value for value in self.kernel.values if self.copies[value] in live])
        copied = set(self.copies.values())
        direct = {x for value in live - copied for x in value.operands}
        direct |= {output.value for output in made.outputs}
        read = tuple([value for value in used if self.copies[value] in direct])
        return Backward(made, tuple(self.gradients), tuple(outputs), tuple(reached), used, read)


def _is_softmax(value: Scalar) -> bool:
    """Return whether a value is `e / sum(e)`, where e is `exp(x - detach(max(x)))`."""
    if value.op != "div":
        return False
    exponential, total = value.operands
    if exponential.op != "exp" or total.op != "sum" or total.operands[0] is not exponential:
        return False
    (shifted,) = exponential.operands
    return shifted.op == "sub" and shifted.operands[1].op == "detach"


def _is_zero(value: Scalar) -> bool:
    return value.op == "constant" and value.payload == 0
