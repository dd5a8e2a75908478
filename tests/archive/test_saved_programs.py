"""Code in archives: torch.jit reads what minits wrote, and it runs equal."""

# ruff: noqa: UP006, UP035, UP045
import copy
import enum
import io
import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Dict, Final, List, NamedTuple, Optional, Tuple

import pytest
import torch
from torch import Tensor, nn
from torch._jit_internal import BroadcastingList2, BroadcastingList3

import minits
from tests.support.programs import PROGRAMS
from tests.support.reading_by_torch import read_by_torch, records, same, saved


def code(content: bytes) -> dict[str, str]:
    """The code files of an archive."""
    return {
        name.removeprefix("code/"): text.decode()
        for name, text in records(content).items()
        if name.endswith(".py")
    }


def require_same(program: Callable[..., Any], *arguments: Any) -> Any:
    """Save a function or module, and compare what torch.jit makes of it with minits; return it."""
    compiled = minits.script(program)
    loaded = read_by_torch(compiled.save_to_buffer())
    assert same(compiled(*arguments), loaded(*arguments))
    return loaded


# ---- Functions ---------------------------------------------------------------------------------


NOT_HANDED_OVER = object()
"""A result with a string that is not UTF-8, which torch gives Python none of."""


def outcome(function: Any, arguments: Any) -> Any:
    """What a call returns, or that it raises."""
    try:
        return function(*copy.deepcopy(arguments))
    except UnicodeDecodeError:
        return NOT_HANDED_OVER
    except Exception:
        return "raises"


@pytest.mark.parametrize(
    ("program", "calls"),
    [pytest.param(program, calls, id=program.__name__) for program, calls in PROGRAMS],
)
def test_programs_run_equal(program: Any, calls: Any) -> None:
    compiled = minits.script(program)
    loaded = read_by_torch(compiled.save_to_buffer())
    for arguments in calls:
        theirs = outcome(loaded, arguments)
        assert theirs is NOT_HANDED_OVER or same(outcome(compiled, arguments), theirs)


def with_defaults(
    x: Tensor, n: int = 3, word: str = "a", scale: float = 1e10, flag: Optional[bool] = None
) -> Tensor:
    return x * n * scale + len(word) + (1 if flag is None else 2)


def test_a_function_becomes_the_forward_of_a_module_and_keeps_its_defaults() -> None:
    loaded = require_same(with_defaults, torch.ones(2, dtype=torch.int64))
    assert loaded.original_name == "PlaceholderModule"
    x = torch.ones(1)
    assert torch.equal(loaded(x, n=2, flag=True), with_defaults(x, n=2, flag=True))


def with_sizes(
    size: BroadcastingList2[int],
    stride: Optional[BroadcastingList3[int]],
    pad: BroadcastingList2[int] = 4,
) -> List[int]:
    return size + pad if stride is None else size + pad + stride


def test_a_number_for_a_list_of_known_length() -> None:
    loaded = require_same(with_sizes, 3, 5)
    assert loaded(3, None) == [3, 3, 4, 4]
    with pytest.raises(RuntimeError, match="'pad'"):
        loaded(3, None, 5)  # torch's reader knows no length of parameters with a default


def self_is_no_module(self: Tensor, other: Tensor) -> Tensor:
    return self - other


def test_a_parameter_named_self() -> None:
    require_same(self_is_no_module, torch.ones(2), torch.zeros(2))


def reserved(range: int, annotate: int, isinstance_: int) -> Tuple[int, List[int]]:
    torch_ = range * annotate
    xs: List[int] = []
    for i in [1, 2]:
        xs.append(i + range)
    while isinstance_ < 3:
        isinstance_ += 1
    return torch_ + isinstance_, xs


def test_variables_named_like_the_words_of_the_printer() -> None:
    require_same(reserved, 2, 3, 0)


def literals() -> Tuple[List[float], List[complex], List[str], int, Dict[str, float]]:
    floats = [1e10, 1e16, -123456789012.0, 1e17, 0.1, -0.0, 1e-300, math.inf, -math.inf]
    imaginary = [1 + 2j, 3j, -1.5 - 2e10j]
    texts = ["tab\t", "cr\r", "nul\0", "del\x7f", "ü", "a'b\"c\\", "\a\b\f\v\n"]
    return floats, imaginary, texts, -9223372036854775807 - 1, {"a": 2e12}


def test_literals() -> None:
    require_same(literals)


def large_float(x: Tensor) -> Tensor:
    return x * 1e10 + 2e15


def test_large_floats_stay_floats() -> None:
    """torch.jit.save writes 10000000000, which is read as an int."""
    loaded = require_same(large_float, torch.ones(2, dtype=torch.int64))
    assert loaded(torch.ones(2, dtype=torch.int64)).dtype == torch.float32


def helper(x: Tensor, n: int) -> Tensor:
    return x + n


def other_helper(x: Tensor) -> Tensor:
    return helper(x, 1) * helper(x, 2)


def test_called_functions_are_saved_once() -> None:
    content = saved(other_helper)
    read_by_torch(content)
    texts = "".join(code(content).values())
    assert texts.count("def helper(") == 1


def forks(x: Tensor, n: int) -> Tensor:
    first = torch.jit.fork(helper, x, n)
    second = torch.jit.fork(other_helper, x)
    return torch.jit.wait(first) + torch.jit.wait(second)


def test_forks() -> None:
    require_same(forks, torch.ones(2), 3)


# ---- Modules -----------------------------------------------------------------------------------


class Color(enum.Enum):
    RED = 'quote"'
    BLUE = "blue"


class Pair(NamedTuple):
    left: Tensor
    right: Optional[int] = None


class Counter:
    def __init__(self, start: int) -> None:
        self.count = start

    @property
    def double(self) -> int:
        return self.count * 2

    @double.setter
    def double(self, value: int) -> None:
        self.count = value // 2

    @staticmethod
    def one() -> int:
        return 1

    def __add__(self, other: int) -> int:
        return self.count + other + Counter.one()


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass

    def scale(self, factor: int) -> float:
        pass


class Scaled(nn.Module):
    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor

    def scale(self, factor: int) -> float:
        return self.factor * factor


def before(self: Any, inputs: Tuple[Tensor]) -> Tuple[Tensor]:
    return (inputs[0] + 1,)


def after(self: Any, inputs: Tuple[Tensor], output: Tensor) -> Tensor:
    return output * inputs[0].sum()


class Model(nn.Module):
    layer: Layer
    layers: List[int]
    size: Final[int]
    sizes: Final[List[float]]
    pair: Pair

    def __init__(self) -> None:
        super().__init__()
        self.layer = Scaled(2.0)
        self.stack = nn.ModuleList([Scaled(0.5), nn.ReLU(), Scaled(0.25)])
        self.table = nn.ModuleDict({"a b": nn.Linear(2, 2), "if": nn.Tanh()})
        self.sequence = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5), nn.BatchNorm1d(2))
        self.size, self.sizes = 4, [1.0, 2e12]
        self.color = Color.RED
        self.pair = Pair(torch.ones(2), 3)
        self.counter = Counter(5)
        self.weights = nn.ParameterList([nn.Parameter(torch.ones(2))])
        self.register_parameter("nothing", None)
        self.register_buffer("passing", torch.ones(2), persistent=False)
        self.stack[0].register_forward_hook(after)
        self.stack[2].register_forward_pre_hook(before)

    def forward(self, x: Tensor, again: bool = True) -> Tensor:
        counter = Counter(self.size)
        counter.double = 8
        for module in self.stack:
            x = module(x)
        for module in self.table.values():
            x = module(x)
        if self.color == Color.RED:
            x = x + counter.double + (counter + 1)
        pair = Pair(x)
        right = self.pair.right
        if right is not None and again:
            x = pair.left * right + self.helper(self.pair.left)
        if self.nothing is None:
            x = x + self.passing
        return self.sequence(self.layer(x)) + self.layer.scale(3) + self.weights[0]

    def helper(self, x: Tensor) -> Tensor:
        return other_helper(x) * sum(self.sizes)

    @torch.jit.export
    def exported(self, xs: List[int]) -> Dict[str, int]:
        return {"sum": sum(xs), "count": self.counter.count}

    @torch.jit.unused
    def unused(self, x: Any) -> Any:
        return sys.argv


def test_a_model_with_everything() -> None:
    model = Model().eval()
    loaded = require_same(model, torch.ones(3, 2))
    assert loaded.exported([1, 2]) == {"sum": 3, "count": 5}
    assert loaded.size == 4
    assert [name for name, _ in loaded.named_parameters()] == [
        name for name, _ in model.named_parameters()
    ]
    assert [name for name, _ in loaded.named_buffers()] == [
        name for name, _ in model.named_buffers()
    ]
    loaded.train()
    assert getattr(loaded.sequence, "1").training


def test_the_code_is_what_torch_writes() -> None:
    """Definition by definition: the order, and the numbers of mangled names, are free."""
    buffer = io.BytesIO()
    torch.jit.save(torch.jit.script(Plain()), buffer)
    assert definitions(saved(Plain())) == definitions(buffer.getvalue())


class Halved(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x / 2


class Plain(nn.Module):
    """One without what torch writes otherwise, or so that it cannot be read."""

    pair: Pair

    def __init__(self) -> None:
        super().__init__()
        self.stack = nn.ModuleList([Halved(), nn.ReLU(), nn.Identity()])
        self.pair = Pair(torch.ones(2), 3)
        self.stack[0].register_forward_hook(after)

    def forward(self, x: Tensor) -> Tensor:
        for module in self.stack:
            x = module(x)
        return other_helper(x) + self.pair.left


def definitions(content: bytes) -> set[str]:
    text = re.sub(r"\.___torch_mangle_\d+", "", "".join(code(content).values()))
    return set(re.split(r"^(?=class |def )", text, flags=re.MULTILINE))


class Stateful(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("scale", torch.ones(2))
        self.count = 3

    @torch.jit.export
    def __getstate__(self) -> Tuple[Tensor, int, bool]:
        return self.scale + 1, self.count, self.training

    @torch.jit.export
    def __setstate__(self, state: Tuple[Tensor, int, bool]) -> None:
        self.scale = state[0]
        self.count = state[1] + 1
        self.training = state[2]

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale + self.count


def test_the_state_is_what_getstate_returns() -> None:
    loaded = read_by_torch(saved(Stateful()))
    assert loaded.scale.tolist() == [2.0, 2.0]
    assert loaded.count == 4


def made_here(number: int) -> nn.Module:
    class Local(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.number = number

        def forward(self, x: int) -> int:
            return x * 10 + self.number

    return Local()


class Locals(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = made_here(1), made_here(2)

    def forward(self, x: int) -> Tuple[int, int]:
        return self.first(x), self.second(x)


def test_classes_of_one_name_stay_apart() -> None:
    require_same(Locals(), 3)


def test_files_whose_names_differ_by_case_alone_stay_apart(tmp_path: Path) -> None:
    """torch.jit finds records without regard to case."""
    text = "import torch\ndef f(x: int) -> int:\n    return x + {}\n"
    modules: Any = []
    for name, number in (("Shouted", 1), ("shouted", 2)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / f"{name}.py").write_text(text.format(number))
        sys.path.insert(0, str(folder))
        modules.append(__import__(name))
        sys.path.pop(0)
    first, second = (module.f for module in modules)

    def both(x: int) -> Tuple[int, int]:
        return first(x), second(x)

    require_same(both, 3)


class OddNames(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("class", torch.ones(2))
        self.register_buffer("naïve", torch.ones(2))
        self.add_module("with space", nn.ReLU())

    def forward(self, x: Tensor) -> Tensor:
        return x + getattr(self, "class")


def test_attributes_named_like_keywords() -> None:
    loaded = require_same(OddNames(), torch.ones(2))
    assert set(dict(loaded.named_buffers())) == {"class", "naïve"}


class WithConstants(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.text = "ümlaut"

    def forward(self, x: Tensor) -> Tuple[Tensor, str, complex]:
        return x + torch.tensor([1.0, -0.0]), "ß" + self.text, complex(-0.0, 1)


def test_what_has_no_literal_is_a_constant() -> None:
    require_same(WithConstants(), torch.ones(2))


# ---- Versions ----------------------------------------------------------------------------------


def no_bump(x: Tensor) -> Tensor:
    return x + 1


def divides(x: Tensor) -> Tensor:
    return x / 2


def divides_floats(x: float) -> float:
    return x / 2


def fills(n: int) -> Tensor:
    return torch.full([n], 3)


def spaced(n: int) -> Tensor:
    return torch.linspace(0, 1, n)


def log_spaced(n: int) -> Tensor:
    return torch.logspace(0, 1, n)


def activated(x: Tensor) -> Tensor:
    return torch.nn.functional.gelu(x)


def forked_division(x: Tensor) -> Tensor:
    return torch.jit.wait(torch.jit.fork(divides, x))


@pytest.mark.parametrize(
    ("program", "argument", "version"),
    [
        (no_bump, torch.ones(1), 3),
        (divides_floats, 1.0, 3),
        (divides, torch.tensor(3), 4),
        (forked_division, torch.tensor(3), 4),
        (fills, 2, 5),
        (spaced, 3, 8),
        (log_spaced, 3, 9),
        (activated, torch.ones(1), 10),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_version_is_the_lowest_with_the_meaning_of_the_operators(
    program: Any, argument: Any, version: int
) -> None:
    require_same(program, argument)
    found = records(saved(program))
    name = ".data/version" if version >= 6 else "version"
    assert found[name] == f"{version}\n".encode()


# ---- Refusals ----------------------------------------------------------------------------------


@torch.jit.ignore
def in_python(x: Tensor) -> Tensor:
    return x


def calls_python(x: Tensor) -> Tensor:
    return in_python(x)


def test_calls_of_python_functions_are_refused(tmp_path: Path) -> None:
    compiled = minits.script(calls_python)
    path = tmp_path / "model.pt"
    with pytest.raises(
        minits.SaveError, match=r"Could not export Python function call 'in_python'"
    ) as caught:
        compiled.save(path)
    assert f"{Path(__file__).name}:" in str(caught.value)
    assert not path.exists()


@torch.jit.interface
class Linked:
    def get(self) -> int:
        pass


class Ring:
    def __init__(self, following: Optional[Linked]) -> None:
        self.next = following

    def get(self) -> int:
        return 1


class WithCycle(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.ring = Ring(None)
        self.ring.next = self.ring

    def forward(self) -> int:
        return self.ring.get()


def test_objects_that_contain_themselves_are_refused() -> None:
    with pytest.raises(minits.SaveError, match=r"WithCycle\.ring\.next: .*contain themselves"):
        saved(WithCycle())


class WithGenerator(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.generator = torch.Generator()

    def forward(self) -> Tensor:
        return torch.rand([2], generator=self.generator)


def test_values_that_archives_lack_are_refused() -> None:
    with pytest.raises(minits.SaveError, match=r"WithGenerator\.generator: .*Generator"):
        saved(WithGenerator())


@pytest.mark.parametrize("value", [nn.ReLU(), helper, 3])
def test_what_is_not_compiled_is_refused(value: Any) -> None:
    with pytest.raises(minits.SaveError, match=r"is not compiled\nhelp: save what minits.script"):
        minits.save(value, io.BytesIO())


def test_methods_are_refused() -> None:
    with pytest.raises(minits.SaveError, match=r"method forward .*\nhelp: save its module"):
        minits.script(Halved()).forward.save(io.BytesIO())
