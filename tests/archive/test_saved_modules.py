"""Modules in archives: torch.jit reads what minits wrote, and it runs equal."""

# ruff: noqa: UP006, UP035, UP045
import enum
import io
import re
import sys
from pathlib import Path
from typing import Any, Dict, Final, List, NamedTuple, Optional, Tuple

import torch
from torch import Tensor, nn

from tests.support.reading_by_torch import code, read_by_torch, require_same, saved


def helper(x: Tensor, n: int) -> Tensor:
    return x + n


def other_helper(x: Tensor) -> Tensor:
    return helper(x, 1) * helper(x, 2)


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
