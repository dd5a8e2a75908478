"""Objects of C++ classes in lists, dicts, tuples and Optionals: their classes have no `==`,
truth, length or hash, which nothing may ask of them.
"""

import copy
import io
from collections.abc import Callable
from typing import Any, Dict, List, NamedTuple, Optional, Tuple  # noqa: UP035

import pytest
import torch
from torch import Tensor, nn

import minits

Packed = torch.classes.quantized.LinearPackedParamsBase
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def packed(seed: int) -> Any:
    torch.manual_seed(seed)
    weight = torch.quantize_per_tensor(torch.rand(4, 4), 0.1, 0, torch.qint8)
    return torch.ops.quantized.linear_prepack(weight, torch.rand(4))


class Pair(NamedTuple):
    x: Tensor
    one: Packed  # type: ignore[valid-type]


X, ONE, TWO = torch.rand(2, 4), packed(0), packed(1)


def of_dict(x: Tensor, table: Dict[str, Packed]) -> Tensor:  # noqa: UP006
    for key in table.keys():
        x = torch.ops.quantized.linear_dynamic(x, table[key])
    return x


def of_list(x: Tensor, table: List[Packed]) -> Tensor:  # noqa: UP006
    for one in table:
        x = torch.ops.quantized.linear_dynamic(x, one)
    return x


def of_tuple(x: Tensor, pair: Tuple[Packed, Packed]) -> Tensor:  # noqa: UP006
    x = torch.ops.quantized.linear_dynamic(x, pair[0])
    return torch.ops.quantized.linear_dynamic(x, pair[1])


def of_optional(x: Tensor, one: Optional[Packed]) -> Tensor:  # noqa: UP045
    if one is not None:
        x = torch.ops.quantized.linear_dynamic(x, one)
    return x.relu() * 2


def of_optionals(x: Tensor, some: List[Optional[Packed]]) -> Tensor:  # noqa: UP006, UP045
    for one in some:
        if one is not None:
            x = torch.ops.quantized.linear_dynamic(x, one)
    return x


def of_named(x: Tensor, pair: Pair) -> Tensor:
    return torch.ops.quantized.linear_dynamic(x, pair.one) + pair.x


def of_lists(x: Tensor, table: Dict[str, List[Packed]]) -> Tensor:  # noqa: UP006
    for some in table.values():
        for one in some:
            x = torch.ops.quantized.linear_dynamic(x, one)
    return x


def chosen(x: Tensor, some: List[Packed], more: List[Packed], n: int) -> Tensor:  # noqa: UP006
    used = some
    for i in range(n):
        if i % 2 == 1:
            used = more
        x = torch.ops.quantized.linear_dynamic(x, used[0]).relu() + 1
    return x * 2


def given_back(x: Tensor, one: Packed) -> Tuple[Tensor, Packed]:  # noqa: UP006
    return x * 2 + 1, one


def in_list(x: Tensor, one: Packed) -> List[Packed]:  # noqa: UP006
    return [one, one]


def in_dict(x: Tensor, table: Dict[str, Packed]) -> Dict[str, Packed]:  # noqa: UP006
    return {key + "1": value for key, value in table.items()}


def looked_up(x: Tensor, table: Dict[str, Packed]) -> Optional[Packed]:  # noqa: UP006, UP045
    return table.get("a")


def changed(x: Tensor, some: List[Packed]) -> int:  # noqa: UP006
    some.append(some[0])
    some.extend(some[:1])
    some.reverse()
    some.insert(0, some[-1])
    del some[0]
    return len(some.copy() + some * 2)


def asked(x: Tensor, table: Dict[str, Packed], some: List[Packed]) -> bool:  # noqa: UP006
    return "a" in table and len(some) > 0


def identical(x: Tensor, one: Packed, other: Packed) -> bool:
    return one is other


def of_any(x: Tensor, one: Any) -> bool:
    return one is None


CALLS: list[tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]] = [
    (of_dict, lambda: ({"a": ONE, "b": TWO},)),
    (of_list, lambda: ([ONE, TWO],)),
    (of_tuple, lambda: ((ONE, TWO),)),
    (of_optional, lambda: (ONE,)),
    (of_optional, lambda: (None,)),
    (of_optionals, lambda: ([ONE, None],)),
    (of_named, lambda: (Pair(X, ONE),)),
    (of_lists, lambda: ({"a": [ONE, TWO]},)),
    (chosen, lambda: ([ONE], [TWO], 3)),
    (given_back, lambda: (ONE,)),
    (in_list, lambda: (ONE,)),
    (in_dict, lambda: ({"a": ONE, "b": TWO},)),
    (looked_up, lambda: ({"a": ONE},)),
    (looked_up, lambda: ({"b": ONE},)),
    (changed, lambda: ([ONE, TWO],)),
    (asked, lambda: ({"a": ONE}, [ONE])),
    (identical, lambda: (ONE, ONE)),
    (identical, lambda: (ONE, TWO)),
    (of_any, lambda: (ONE,)),
]


def plain(value: Any) -> Any:
    """Return a value with what an object computes in its place."""
    if isinstance(value, torch.ScriptObject):
        return torch.ops.quantized.linear_dynamic(X, value).tolist()
    if isinstance(value, Tensor):
        return value.tolist()
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize(("program", "arguments"), CALLS)
def test_three_calls(program: Callable[..., Any], arguments: Callable[[], Any]) -> None:
    expected, compiled = plain(program(X, *arguments())), minits.script(program)
    for _ in range(3):
        assert plain(compiled(X, *arguments())) == expected


class Holding(nn.Module):
    some: List[Packed]  # noqa: UP006
    table: Dict[str, Packed]  # noqa: UP006
    last: Optional[Packed]  # noqa: UP045

    def __init__(self) -> None:
        super().__init__()
        self.one, self.some, self.table, self.last = ONE, [ONE, TWO], {"a": TWO}, None

    def forward(self, x: Tensor) -> Tensor:
        x = torch.ops.quantized.linear_dynamic(x, self.one)
        for each in self.some:
            x = torch.ops.quantized.linear_dynamic(x, each)
        x = torch.ops.quantized.linear_dynamic(x, self.table["a"])
        last = self.last
        if last is not None:
            x = torch.ops.quantized.linear_dynamic(x, last)
        self.last = self.one
        return x


FORMS: dict[str, Callable[[Any], Any]] = {
    "scripted": lambda module: module,
    "loaded": lambda module: minits.load(io.BytesIO(module.save_to_buffer())),
    "frozen": lambda module: minits.freeze(module),
    "copied": copy.deepcopy,
}


@pytest.mark.parametrize("form", FORMS)
def test_attributes(form: str) -> None:
    model, module = FORMS[form](minits.script(Holding().eval())), Holding()
    for _ in range(3):
        assert plain(model(X)) == plain(module(X))
