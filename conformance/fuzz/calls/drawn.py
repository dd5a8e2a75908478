"""Random histories of calls of a program."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

from conformance.fuzz.calls.drawn_programs import program_text
from conformance.fuzz.calls.history import (
    Again,
    Backward,
    Call,
    Change,
    History,
    Result,
    Same,
    Step,
    Threads,
    Write,
)
from conformance.fuzz.calls.seen import PARTS, TWICE
from conformance.fuzz.calls.states import IN_THREAD, STATES
from conformance.fuzz.calls.tensors import BITS, KINDS, LAYOUTS, T
from conformance.fuzz.calls.transforms import TRANSFORMS

SHAPES = ((2, 3), (2, 3), (3, 3), (3, 3), (4, 3), (5, 3), (1, 3), (3,), (3, 1), (0, 3), (), (1,),
          (2, 2, 3), (2, 3, 3, 3), (2, 4), (7, 3))  # fmt: skip
DTYPES = (*["float32"] * 8, "float64", "float16", "bfloat16", "int64", "int64", "int32", "uint8",
          "bool", "complex64")  # fmt: skip
CHANGES = (
    "m.eval()",
    "m.train()",
    "m.scale = 3.0",
    "m.scale = 0.25",
    "m.turned = not m.turned",
    "m.weight.data.mul_(2)",
    "with torch.no_grad(): m.weight.add_(1)",
    "m.weight.data = m.weight.data.double()",
    "m.weight = nn.Parameter(torch.ones(3, 3) / 2)",
    "m.weight = nn.Parameter(torch.tensor([0.5, 1.5, 2.5]).half(), requires_grad=False)",
    "m.weight.requires_grad_(False)",
    "m.weight.requires_grad_(True)",
    "m.double()",
    "m.float()",
    "m.zero_grad()",
    "m.shift = torch.tensor([1.0, 2.0, 3.0])",
    "m.shift.fill_(2)",
    "m = copy.deepcopy(m)",
    "m = copy.copy(m)",
    "m.train(not m.training)",
)
WRITES = (
    "x.add_(1)",
    "x.mul_(0.5)",
    "x[..., :1] = 0.5",
    "x.zero_()",
    "with torch.no_grad(): x.add_(1)",
    "with torch.no_grad(): x.mul_(-1)",
    "x.detach().mul_(0.5)",
    "x.data.mul_(0.5)",
    "x.data = x.data.double()",
    "x.data = x.data[:1]",
    "x.t_()",
    "x.unsqueeze_(0)",
    "x.squeeze_()",
    "x.detach_()",
    "x.requires_grad_()",
    "x.requires_grad_(False)",
)
VIEWS = ("", "", "", "[:1]", "[1:]", "[..., 1:]", "[..., :-1]", "[::2]", ".t()", ".view(-1)",
         ".transpose(0, -1)", ".unsqueeze(0)", ".expand(2, *x.shape)", ".detach()",
         ".as_strided((3, 3), (1, 1))")  # fmt: skip
"""Views of tensors that there are already; some overlap with one another, some with themselves."""
KINDS_OF_PARAMETERS = (
    "Optional[List[Tuple[Tensor, Tensor]]]", "Optional[Tuple[Tensor, Tensor]]",
    "Optional[List[Tensor]]", "Optional[Dict[str, Tensor]]", "Optional[Tensor]", "Optional[int]",
    "List[Tensor]", "Dict[str, Tensor]", "Tuple[Tensor, Tensor]", "Tensor",
    "float", "int", "bool", "str",
)  # fmt: skip
PARAMETER = re.compile(rf"(\w+): ({'|'.join(map(re.escape, KINDS_OF_PARAMETERS))})( = [^,)]*)?"
                       r"(?=, \w+: |, \*|$)")  # fmt: skip


BUILDS = (*["now"] * 5, *["again"] * 2, "background")
HOW = ("ramp", "sum", *PARTS, *TWICE)
"""Ways to ask for gradients."""
HOW_IN_THREADS = ("ramp", "sum", "twice")
"""Those that write to no parameters of a module: threads share these."""
PALETTES = 4
"""Sets of tensors that a program is called with: they decide which kernels are built."""

STATEFUL = re.compile(
    r"manual_seed|self\.\w+(\.\w+_\(| \+= )|BatchNorm"
    r"|class[^$]*\n +\w+(\.\w+\(.*\)|\[.*\])?\.\w+_\("
    r"|class[^$]*fork\(written, "
)
"""Modules that a call changes, or may change by a view of a parameter, as `v = self.weight[1:]` is,
and who draws random numbers: what threads make of them hangs on their order, in eager, too."""


def random_history(random: Random, program: str) -> History:
    """A history of three to a dozen steps."""
    palette = Random(f"{program} {random.randrange(PALETTES)}")
    return _Drawer(random, program, _palette(palette)).history()


def drawn_program(seed: int, number: int) -> str:
    """One of the programs that the histories of a seed are about."""
    return program_text(Random(f"{seed} program {number}"))


class _Drawer:
    """Draws steps. Tensors are mostly of a few descriptions, so that calls are often alike."""

    def __init__(self, random: Random, program: str, palette: list[T]) -> None:
        self.random, self.program = random, program
        self.is_module = "class Program" in program
        head = re.search(r"def (?:program|forward)\((.*)\)", program)
        assert head is not None
        self.keyword_only = head[1].partition("*, ")[2]
        self.parameters = [match.groups() for match in PARAMETER.finditer(head[1])]
        named = [(text, re.findall(r"m\.(scale|turned|weight|shift)", text)) for text in CHANGES]
        self.changes = [text for text, names in named if not names or f"self.{names[0]}" in program]
        is_assigned = "] = " in program  # a copy, in torch.jit, which has no derivative there
        self.transforms = [x for x in TRANSFORMS if x != "functionalize" or not is_assigned]
        self.is_stateful = STATEFUL.search(program) is not None
        if self.is_stateful:  # another program when it runs again, once more or once less
            self.transforms = [x for x in self.transforms if x != "checkpoint"]
        self.palette = palette
        self.steps: list[Step] = []
        self.states: tuple[str, ...] = ()
        self.usual: dict[str, Any] = {}

    def history(self) -> History:
        for _ in range(self.random.choice((3, 4, 5, 6, 8, 12))):
            self.steps.append(self._step())
        bound = self.random.choice((0, 0, 0, 1, 2))
        build = self.random.choice(BUILDS)
        return History(self.program, tuple(self.steps), bound, build)

    def _step(self) -> Step:
        chance = self.random.random()
        calls = [n for n, step in enumerate(self.steps) if isinstance(step, Call)]
        if chance < 0.25 and self.is_module:
            return Change(self.random.choice(self.changes))
        if chance < 0.3 and calls:
            return Backward(self.random.choice(calls), self.random.choice(HOW))
        if chance < 0.32 and not self.is_stateful:
            return self._threads()
        if chance < 0.4 and calls:
            return self._write(self.random.choice(calls))
        return self._call()

    def _write(self, number: int) -> Write:
        """A write to an argument of a call, or to what it returned."""
        call = self.steps[number]
        assert isinstance(call, Call)
        names = [name for name, value in call.args if isinstance(value, T | Again | Result | Same)]
        return Write(number, self.random.choice(WRITES), self.random.choice((*names, *names, "")))

    def _threads(self) -> Threads:
        """Threads share no tensors; what belongs to the process stays as it is."""
        count = self.random.choice((2, 2, 3))
        threads = tuple(
            tuple(self._call(in_thread=True) for _ in range(self.random.randint(1, 4)))
            for _ in range(count)
        )
        return Threads(threads, self.random.randrange(1000))

    def _call(self, in_thread: bool = False) -> Call:
        random = self.random
        args: list[tuple[str, Any]] = []
        for name, kind, default in self.parameters:
            value = self._argument(name, kind, in_thread)
            if default is None or random.random() < 0.4:
                args.append((name, value))
        positional = 0
        for name, _, _ in self.parameters:
            is_next = positional < len(args) and args[positional][0] == name
            if not is_next or f"{name}:" in self.keyword_only or random.random() < 0.05:
                break
            positional += 1
        transform = ""
        if random.random() < 0.06 and positional and not in_thread:
            transform = random.choice(self.transforms)
        how = HOW_IN_THREADS if in_thread else HOW
        backward = random.choice(("", "", "", *how))
        states = self._states(in_thread)
        if transform == "checkpoint":  # it runs the program again where this is no longer on
            states = tuple(name for name in states if name != "negating mode")
        return Call(tuple(args), positional, states, transform, backward)

    def _states(self, in_thread: bool) -> tuple[str, ...]:
        """The states of the call before, now and then others."""
        random = self.random
        if in_thread:
            return (random.choice(list(IN_THREAD)),) if random.random() < 0.1 else ()
        if self.states and random.random() < 0.5:
            self.states = ()
        elif random.random() < 0.15:
            self.states = tuple(random.sample(list(STATES), random.choice((1, 1, 1, 2))))
        return self.states

    # ---- Arguments -----------------------------------------------------------------------------

    def _argument(self, name: str, kind: str, in_thread: bool) -> Any:
        """An argument, mostly the one that the parameter had before."""
        if name in self.usual and self.random.random() < 0.5:
            return self.usual[name]
        made = self._drawn(name, kind, in_thread)
        if not isinstance(made, Again | Result | Same) and name != "check":
            self.usual[name] = made
        return made

    def _drawn(self, name: str, kind: str, in_thread: bool) -> Any:
        random = self.random
        if kind.startswith("Optional["):
            if random.random() < 0.5:
                return None
            kind = kind.removeprefix("Optional[").removesuffix("]")
        match kind:
            case "str":
                return random.choice(("sum", "mean", ""))
            case "List[Tuple[Tensor, Tensor]]":
                return [self._pair(in_thread) for _ in range(random.choice((0, 1, 2, 3)))]
            case "float":
                return random.choice((0.5, 2.0, -1.5, 1.0))
            case "int":
                return random.choice((0, 1, 2, 3)) if name != "dim" else random.choice((-1, 0, 1))
            case "bool":
                return random.random() < 0.5
            case "List[Tensor]":
                return [self._one(in_thread) for _ in range(random.choice((0, 1, 2, 3)))]
            case "Dict[str, Tensor]":
                return {key: self._one(in_thread) for key in "ab"}
            case "Tuple[Tensor, Tensor]":
                return self._pair(in_thread)
        if name == "z" and random.random() < 0.8:
            return T((2, 3), "complex64", "plain", random.choice(("", "", "conj", "neg")))
        if not in_thread and random.random() < 0.15:
            return self._former(name)
        return self._one(in_thread)

    def _former(self, name: str) -> Any:
        """A tensor that there is already, or a view of it."""
        calls = [n for n, step in enumerate(self.steps) if isinstance(step, Call)]
        first, view = self.parameters[0][0], self.random.choice(VIEWS)
        match self.random.randrange(4):
            case 0 if calls:
                return Result(self.random.choice(calls), view)
            case 1 if name != first:
                return Same(first, view)
        return Again(self.random.choice(calls), name, view) if calls else self._one(False)

    def _pair(self, in_thread: bool) -> tuple[Any, Any]:
        """Two tensors, now and then one that an argument is before, or another call was given."""
        first = self._one(in_thread)
        if not in_thread and self.steps and self.random.random() < 0.2:
            return first, self._former(self.parameters[0][0])
        return first, self._one(in_thread)

    def _one(self, in_thread: bool) -> T:
        if self.random.random() < 0.97:
            return self.random.choice(self.palette[:-1] if in_thread else self.palette)
        return _tensor(self.random)


def _palette(random: Random) -> list[T]:
    """A plain tensor, others of its shape and of other shapes, and at last an odd one.

    Of some palettes all tensors but the odd one require gradients.
    """
    shape = random.choice(SHAPES)
    plain = T(shape, grad=random.random() < 0.3)
    others = [_tensor(random, shape), _tensor(random), _tensor(random)]
    odd = T(random.choice(((2, 3), (3, 3), (4, 3))), kind=random.choice(KINDS))
    tensors = [plain, *others]
    if random.random() < 0.25:
        tensors = [replace(tensor, grad=True) for tensor in tensors]
    return [*tensors, odd]


def _tensor(random: Random, shape: tuple[int, ...] | None = None) -> T:
    bits = random.choice(BITS) if random.random() < 0.15 else ""
    layout = random.choice(LAYOUTS) if random.random() < 0.4 else "plain"
    shape = random.choice(SHAPES) if shape is None else shape
    if layout == "channels_last":
        shape = (2, 3, 3, 3)
    grad = random.random() < 0.25
    return T(shape, random.choice(DTYPES), layout, bits, "", grad, random.randrange(3))
