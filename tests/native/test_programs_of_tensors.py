"""Programs of tensors made at random: C and torch.jit agree in results, arguments and errors.

Tensors are in lists, dicts, tuples and Optionals; they are written to, and views of others.
"""

# ruff: noqa: UP006, UP035, UP045

import ctypes
import gc
import linecache
import random
import textwrap
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, Dict, List, Optional, Tuple

import pytest
import torch
from torch import Tensor

import minits
from minits.native.c_types import NotNative
from minits.native.function import NativeFunction
from tests.support.needs import need_compiler

need_compiler()

PARAMETERS = (
    "x: Tensor, y: Tensor, n: int, p: bool, xs: List[Tensor], d: Dict[str, Tensor], "
    "o: Optional[Tensor], pair: Tuple[Tensor, int], f: float"
)
RESULT = "Tuple[Tensor, Tensor, List[Tensor], Dict[str, Tensor], Optional[Tensor], int, float]"
RESULTS = ("x, y, xs, d, o, n, f", "z, x, [y, z], d, None, n + 1, f", "y, w, xs, {'a': w}, x, n, f")
START = ("z = x * 2", "w = y[0]", "ys = [x, z]")
TENSORS = ("x", "y", "z", "w")
EXPRESSIONS = (
    "{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} * 2", "{0} + n", "{0} - f", "2 - {0}", "{0} / 2.5",
    "{0} / ({1} * {1} + 1)", "-{0}", "{0}.abs()", "{0}.sum()", "{0}.mean(-1, True)", "{0}.clone()",
    "torch.relu({0})", "torch.where({0} > {1}, {0}, {1})", "{0}.softmax(-1)", "{0} ** 2",
    "torch.zeros_like({0})", "F.leaky_relu({0}, 0.1)", "F.elu({0})", "{0}.clamp(-1, n)",
    "{0}.detach()", "torch.maximum({0}, {1})", "torch.cat([{0}, {1}])", "torch.stack([{0}, {1}])",
    "torch.stack(xs).sum(0)", "{0}.max()", "({0} > 0).to({0}.dtype)", "{0}.masked_fill({1} > 1, f)",
    "torch.full_like({0}, n)", "torch.tensor([f, 1.0])", "torch.tensor(f)", "torch.ones([2])",
    "torch.full([2, 2], f)", "{0}.index_select(0, torch.tensor([1, 0]))", "{0} @ {1}",
    "{0} + len(xs)",
    "torch.lerp({0}, {1}, 0.75)", "torch.addcmul({0}, {1}, {1}, value=2)", "{0}.cumsum(0)",
    "F.linear({0}, {1})", "F.linear({0}, {1}, {0}[0])", "torch.cat([{0}, {1}], -1)",
    "torch.cat([{0}[0], {1}.view(-1), {0}.t()[1]])", "F.linear({0}[0].unsqueeze(0), {1}.t())",
    # views
    "{0}[0]", "{0}[1:]", "{0}.view(-1)", "{0}.t()", "{0}.unsqueeze(0)", "{0}.squeeze()",
    "{0}.select(-1, n)", "{0}[n:, :1]", "{0}.unsqueeze(-1)", "{0}.squeeze(0)", "{0}.view(2, -1)",
    "{0}.transpose(0, -1)", "{0}.expand_as({1})", "{0}.reshape(2, 2)", "{0}[n]", "{0}[:, -1]",
    # from containers
    "xs[n]", "xs[-1]", "ys[0]", "d['a']", "pair[0]", "ys[n % 2]", "xs[0] + ys[-1]",
)  # fmt: skip
STATEMENTS = (
    "{0} = {expr}", "{0} = {expr}", "{0} = {expr}", "{0} = {expr}", "{0}, {1} = {1}, {0}",
    "xs.append({0})", "ys.append({expr})", "{0} = xs.pop()", "xs[0] = {0}", "xs[n] = {0}",
    "ys = xs", "xs = [{0}, {1}]", "xs = xs + ys", "xs.insert(n, {0})", "ys.reverse()",
    "ys.extend(xs)",
    "d['a'] = {0}", "d['b'] = {expr}", "{0} = d['b']", "d = {{'a': {0}, 'c': {1}}}", "d.pop('a')",
    "o = {0}", "o = None", "pair = ({0}, n)", "{0}, n = pair",
    "for v in xs:\n    {0} = {0} + v.sum()",
    "if o is not None:\n    {0} = o", "if 'b' in d:\n    {0} = d['b']", "o = d.get('b')",
    "for k, v in d.items():\n    {0} = v", "{0} = {expr} if p else {expr}",
    # in place
    "{0}.add_({1})", "{0} += {1}", "{0} *= 2", "{0}.mul_(f)", "{0}.zero_()", "{0}.copy_({1})",
    "{0}[0] = {1}", "{0}[0] = 1.5", "{0}[1:] = f", "{0}.fill_(n)", "{0}.relu_()", "{0} -= n",
    "{0}[0].add_(1)", "xs[0].mul_(2)", "{0}.clamp_(-2, 2)", "{0}[{0} > 1] = 0.5", "d['a'].sub_(1)",
    # of Python
    "{0} = noted({0}, xs, d, n)", "n, o = asked(n, o, pair, f)", "n, o = asked(n, {1}, pair, f)",
    # later
    "w0 = torch.jit._awaitable(noted, {0}, xs, d, n)\n{1} = torch.jit._awaitable_wait(w0)",
    "w1 = torch.jit._awaitable(product, {0}, n)\n{1}.mul_(2)\nn += 1\n"
    "{0} = torch.jit._awaitable_wait(w1)",
    "w2 = [torch.jit._awaitable(product, {0}, n), torch.jit._awaitable(noted, {1}, xs, d, 1)]\n"
    "n = n % 2\n{0} = torch.jit._awaitable_wait(w2[n])\n{1} = torch.jit._awaitable_wait(w2[0])",
    # numbers
    "n = {0}.size(0)", "n = len(xs) - len(ys)", "n = {0}.dim()", "n = int({0}.sum())", "n = n % 3",
    "f = float({0}.sum())", "f = {0}.max().item()", "p = bool({0}.sum() > 0)", "p = {0}.dim() == 2",
    "n += 1", "f = f / 2", "p = not p", "p = n > 1", "n = {0}.numel()", "p = o is None",
    "if n > 5:\n    raise ValueError('large: {{}}'.format(n))", "assert len(xs) < 6, 'many'",
)  # fmt: skip
CONDITIONS = ("p", "n > 1", "n == 0", "bool({0}.sum() > 0)", "{0}.dim() == 2", "len(xs) > 2",
              "f > 0.5", "{0}.size(0) == 2 and p", "o is None")  # fmt: skip
LOOPS = ("for i in range(3):", "for i in range(n):", "for i, v in enumerate(xs[:3]):",
         "while n < 3:\n    n += 1", "for i in range(len(ys) % 4):")  # fmt: skip


@torch.jit.ignore
def noted(x: Tensor, xs: List[Tensor], d: Dict[str, Tensor], n: int) -> Tensor:
    """Write to a tensor, and return one of those given, or a new one."""
    if n > 0:
        x.add_(n)
    xs.append(x)
    d["a"] = x * 2
    return xs[n]


@torch.jit.ignore
def asked(
    n: int, o: Optional[Tensor], pair: Tuple[Tensor, int], f: float
) -> Tuple[int, Optional[Tensor]]:
    if f > 2:
        raise ValueError("large")
    return n + pair[1], None if o is None else pair[0]


def product(x: Tensor, n: int) -> Tensor:
    if n > 4:
        raise ValueError("large")
    return x * n


class Maker:
    """Makes the source of one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def source(self) -> str:
        lines = [*START, *self.block(0), f"return {self.random.choice(RESULTS)}"]
        body = textwrap.indent("\n".join(lines), "    ")
        return f"def program({PARAMETERS}) -> {RESULT}:\n{body}\n"

    def block(self, depth: int, in_loop: bool = False) -> list[str]:
        count = self.random.randint(1, 3 if depth else 7)
        return [line for _ in range(count) for line in self.statement(depth, in_loop)]

    def statement(self, depth: int, in_loop: bool) -> Iterator[str]:
        kind = self.random.random()
        if kind < 0.2 and depth < 3:
            yield f"if {self.filled(self.random.choice(CONDITIONS))}:"
            yield from self.indented(depth, in_loop)
            if self.random.random() < 0.5:
                yield "else:"
                yield from self.indented(depth, in_loop)
        elif kind < 0.3 and depth < 2:
            yield from self.random.choice(LOOPS).splitlines()
            yield from self.indented(depth, True)
        elif kind < 0.33 and depth:
            yield f"return {self.random.choice(RESULTS)}"
        elif kind < 0.37 and in_loop:
            yield f"if {self.filled(self.random.choice(CONDITIONS))}:"
            yield f"    {self.random.choice(('break', 'continue'))}"
        else:
            yield from self.filled(self.random.choice(STATEMENTS)).splitlines()

    def indented(self, depth: int, in_loop: bool) -> Iterator[str]:
        for line in self.block(depth + 1, in_loop):
            yield f"    {line}"

    def filled(self, text: str) -> str:
        names = self.random.choices(TENSORS, k=2)
        while "{expr}" in text:
            made = self.random.choice(EXPRESSIONS).format(*self.random.choices(TENSORS, k=2))
            text = text.replace("{expr}", made, 1)
        return text.format(*names)


def _arguments(number: int) -> tuple[Any, ...]:
    generator = torch.Generator().manual_seed(number)

    def made(*shape: int) -> torch.Tensor:
        return torch.randint(-3, 4, shape, generator=generator).float() / 2

    x, y, a = made(2, 2), made(2, 2), made(2, 2)
    if number == 0:
        return x, y, 1, True, [a, x], {"a": y, "b": a}, None, (a, 2), 0.5
    if number == 1:
        return x, x.t(), 0, False, [a], {"a": x[0]}, a, (made(2), 0), -1.5
    x = x.requires_grad_()
    return x, y, 2, True, [x * 1, y, y], {"a": a, "b": a[1]}, y, (x * 2, 1), 3.0


_NAMES = {
    "torch": torch, "F": torch.nn.functional, "Tensor": torch.Tensor, "List": list, "Dict": dict,
    "noted": noted, "asked": asked, "product": product,
}  # fmt: skip


def _compiled(source: str, name: str) -> Callable[..., Any]:
    """Return the function of a source, whose lines compilers find."""
    head = "from typing import Dict, List, Optional, Tuple\n"
    linecache.cache[name] = (len(source), None, (head + source).splitlines(True), name)
    namespace = {**_NAMES, "__name__": __name__}
    exec(compile(head + source, name, "exec"), namespace)
    found: Callable[..., Any] = namespace["program"]
    return found


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        yield from _tensors([*value.values()])
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _tensors(each)


def _outcome(call: Callable[..., Any], number: int) -> Any:
    """Return what a call returns or None for an error, what arguments are then, and who shares."""
    arguments = _arguments(number)
    try:
        result = call(*arguments)
    except (RuntimeError, torch.jit.Error, IndexError, KeyError, ValueError, AssertionError):
        return None, [x.detach() for x in _tensors(arguments)]
    every = [*_tensors(arguments), *_tensors(result)]
    places = [x.untyped_storage().data_ptr() for x in every]
    shared = [places.index(place) for place in places]
    told: list[Any] = [(x.dtype, x.shape, x.stride(), x.requires_grad) for x in every]
    told += [x._version > 0 for x in _tensors(arguments)]  # whether they have been written to
    gradients = None
    if any(x.requires_grad and x.is_floating_point() for x in _tensors(result)):
        total = sum(x.sum() for x in _tensors(result) if x.requires_grad)
        try:
            total.backward()
        except RuntimeError:
            gradients = "none"
        else:
            gradients = arguments[0].grad
    plain = deepcopy(_detached(result))
    return plain, [x.detach() for x in _tensors(arguments)], shared, told, gradients


def _detached(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach()
    if isinstance(value, dict):
        return {key: _detached(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(_detached, value))
    return value


def _assert_same(found: Any, wanted: Any, told: str) -> None:
    if isinstance(wanted, torch.Tensor):
        assert isinstance(found, torch.Tensor), told
        torch.testing.assert_close(
            found, wanted, equal_nan=True, msg=lambda m: f"{told}\n{found}\n{wanted}\n{m}"
        )
    elif isinstance(wanted, float):
        assert found == pytest.approx(wanted, rel=1e-5, nan_ok=True), told
    elif isinstance(wanted, dict):
        assert [*found] == [*wanted], told
        _assert_same([*found.values()], [*wanted.values()], told)
    elif isinstance(wanted, (list, tuple)) and not isinstance(wanted, torch.Size):
        assert type(found) is type(wanted), f"{told}\n{found}\n{wanted}"
        assert len(found) == len(wanted), f"{told}\n{found}\n{wanted}"
        for one, other in zip(found, wanted, strict=True):
            _assert_same(one, other, told)
    else:
        assert found == wanted, f"{told}\n{found}\n{wanted}"


class _Allocator:
    """The bytes that the C library has given out."""

    def __init__(self) -> None:
        fields = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"

        class Info(ctypes.Structure):
            _fields_ = [(name, ctypes.c_size_t) for name in fields.split()]

        self._ask = ctypes.CDLL(None).mallinfo2
        self._ask.restype = Info

    def in_use(self) -> int:
        gc.collect()
        info = self._ask()
        return int(info.uordblks + info.hblkhd)


def _check_nothing_is_left(call: Callable[[], Any], told: str) -> None:
    """Check that calls leave no memory behind: less than the smallest piece for each of them.

    Caches fill in the first rounds.
    """
    try:
        allocator = _Allocator()
    except AttributeError:
        pytest.skip("this C library does not tell what it has given out")
    grown = []
    while len(grown) < 30 and not (grown and grown[-1] < 50 * 24):
        before = allocator.in_use()
        for _ in range(50):
            call()
        grown.append(allocator.in_use() - before)
    assert min(grown) < 50 * 24, f"{told}\n{grown}"


def _is_left_to_python(native: NativeFunction, number: int) -> bool:
    """Whether a function in C refuses a call, since it would record other gradients."""
    try:
        _outcome(native, number)
    except ctypes.ArgumentError:
        return True
    return False


def check(seed: int) -> bool:
    """Compare a program for all arguments. Return whether it is native."""
    source = Maker(seed).source()
    program = _compiled(source, f"<program of tensors {seed}>")
    try:
        reference = torch.jit.script(program)
    except RuntimeError:
        return False
    told = f"{seed}\n{source}"
    try:
        native = NativeFunction(minits.script(program).graph_after(["optimize"]), "program")
        native.build()
    except NotNative:
        return False
    except minits.CompileError as error:
        raise AssertionError(told) from error
    numbers = [number for number in range(3) if not _is_left_to_python(native, number)]
    for number in numbers:
        with torch.jit.optimized_execution(False):
            wanted = _outcome(reference, number)
        found = _outcome(native, number)
        if len(found) > len(wanted):  # what raises may be dead code, which torch removes, too
            wanted = _outcome(reference, number)
        _assert_same(found, wanted, f"{told}\narguments {number}")
    if seed % 5 == 0:
        for number in numbers:
            _check_nothing_is_left(lambda number=number: _outcome(native, number), told)
    return True


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 20, 10))
@pytest.mark.filterwarnings("ignore:")
def test_random_programs_agree(first: int) -> None:
    assert sum(map(check, range(first, first + 10))) > 1
