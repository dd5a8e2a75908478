"""Attributes of every kind: torch.jit reads what minits was given."""

# ruff: noqa: UP006, UP007, UP035, UP045
from __future__ import annotations

import enum
import io
import math
from collections.abc import Callable
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import pytest
import torch
from torch import Tensor, nn

import minits
from tests.support.reading_by_torch import read_by_torch, records, same, saved


class Point(NamedTuple):
    x: Tensor
    n: int


class Color(enum.Enum):
    RED = 'r"'
    BLUE = "b"


class Level(enum.Enum):
    LOW = 1
    HIGH = 300


class Share(enum.Enum):
    HALF = 0.5
    MIDDLE = HALF


class Holder(nn.Module):
    """A module with one attribute of a type."""

    def __init__(self, value: Any, type: Any) -> None:
        super().__init__()
        self.value = torch.jit.Attribute(value, type)

    def forward(self, x: Tensor) -> Tensor:
        return x


def read_back(value: Any, type: Any) -> Any:
    return read_by_torch(saved(Holder(value, type))).value


VALUES: list[tuple[str, Any, Any]] = [
    ("ints", [0, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**63 - 1], List[int]),
    ("negative_ints", [-1, -(2**31), -(2**31) - 1, -(2**63)], List[int]),
    ("floats", [0.0, -0.0, 0.1, math.inf, -math.inf, math.nan, 1e300, 5e-324], List[float]),
    ("int_as_float", 3, float),
    ("bools", [True, False], List[bool]),
    ("complex", [1 + 2j, complex(-0.0, math.inf), complex(math.nan, -0.0)], List[complex]),
    ("strings", ["", "a", "ü€😀", "nul\0tab\t\r\n", "'\"\\"], List[str]),
    ("many_strings", [f"text {n}" for n in range(600)] * 2, List[str]),
    ("none", None, Optional[int]),
    ("optional", 3, Optional[int]),
    ("optionals", [None, 3], List[Optional[int]]),
    ("empty_tuple", (), Tuple[()]),
    ("tuple_1", (1,), Tuple[int]),
    ("tuple_3", (1, "a", None), Tuple[int, str, Optional[float]]),
    ("tuple_5", (1, 2, 3.0, "x", True), Tuple[int, int, float, str, bool]),
    ("nested_lists", [[1, 2], [], [3]], List[List[int]]),
    ("empty_lists", ([], [], []), Tuple[List[int], List[Tensor], List[str]]),
    ("tuples_in_list", [("a", 1), ("b", 2)], List[Tuple[str, int]]),
    ("dict_str", {"b": 1, "a": 2}, Dict[str, int]),
    ("dict_int", {3: "c", 1: "a"}, Dict[int, str]),
    ("dict_float", {0.5: [1]}, Dict[float, List[int]]),
    ("dict_bool", {True: 1.5}, Dict[bool, float]),
    ("empty_dict", {}, Dict[str, Tensor]),
    ("dict_of_dicts", {"x": {"y": torch.ones(2)}}, Dict[str, Dict[str, Tensor]]),
    ("union", [1, "a"], List[Union[int, str]]),
    ("tensors", [torch.ones(2), torch.zeros(0)], List[Tensor]),
    ("optional_tensors", [None, torch.ones(2)], List[Optional[Tensor]]),
    ("named_tuple", Point(torch.ones(2), 3), Point),
    ("named_tuples", [Point(torch.ones(2), 3)], List[Point]),
    ("device", torch.device("cpu"), torch.device),
    ("devices", [torch.device("cuda:1"), torch.device("cpu")], List[torch.device]),
]


@pytest.mark.parametrize(
    ("value", "type"), [pytest.param(value, type, id=name) for name, value, type in VALUES]
)
def test_attributes(value: Any, type: Any) -> None:
    expected = float(value) if type is float else value
    assert same(expected, read_back(value, type))


class Enums(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.color = Color.RED
        self.levels = [Level.LOW, Level.HIGH]
        self.share = Share.HALF

    def forward(self) -> Tuple[str, str, List[int], float]:
        values = [level.value for level in self.levels]
        return self.color.name, self.color.value, values, self.share.value


def test_enums() -> None:
    assert read_by_torch(saved(Enums()))() == ("RED", 'r"', [1, 300], 0.5)


def half_as_default(share: Share = Share.HALF) -> bool:
    return share == Share.HALF


def test_members_as_defaults_and_second_names_are_read_back() -> None:
    read = minits.load(io.BytesIO(minits.script(half_as_default).save_to_buffer()))
    assert read() is True
    assert read(Share.MIDDLE) is True


def test_dtypes_are_numbers() -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.dtype = torch.float64

        def forward(self, x: Tensor) -> Tensor:
            return x.to(self.dtype)

    assert read_by_torch(saved(Model()))(torch.ones(2)).dtype == torch.float64


# ---- Tensors -----------------------------------------------------------------------------------

TENSORS: dict[str, Callable[[], Tensor]] = {
    "scalar": lambda: torch.tensor(3.5),
    "empty": lambda: torch.empty(0, 3),
    "transposed": lambda: torch.arange(6.0).reshape(2, 3).t(),
    "offset": lambda: torch.arange(10)[3:8:2],
    "expanded": lambda: torch.ones(1, 2).expand(5, 2),
    "requires_grad": lambda: torch.ones(2, requires_grad=True),
    "conj": lambda: torch.tensor([1 + 2j, 3j]).conj(),
    "neg": lambda: torch.tensor([1 + 2j, 3j]).conj().imag,
    "sparse": lambda: torch.eye(3).to_sparse(),
    "sparse_csr": lambda: torch.eye(3).to_sparse_csr(),
    "quantized": lambda: torch.quantize_per_tensor(torch.arange(4.0), 0.5, 1, torch.quint8),
    "quantized_channels": lambda: torch.quantize_per_channel(
        torch.ones(2, 3), torch.tensor([0.5, 0.25]), torch.tensor([0, 1]), 0, torch.qint8
    ),
    "nan": lambda: torch.tensor([math.nan, -0.0, math.inf]),
}


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support is in beta")
@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor, torch.quantize_per_channel")
@pytest.mark.parametrize("name", TENSORS)
def test_tensors(name: str) -> None:
    tensor = TENSORS[name]()
    loaded = read_back(tensor, Tensor)
    assert same(tensor, loaded)
    if tensor.layout == torch.strided:
        assert tensor.stride() == loaded.stride()
        assert tensor.storage_offset() == loaded.storage_offset()


@pytest.mark.parametrize(
    "dtype",
    [
        torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16,
        torch.float32, torch.float64, torch.complex64, torch.complex128, torch.bool,
        torch.bfloat16, torch.uint16, torch.uint32, torch.float8_e5m2, torch.float8_e4m3fn,
    ],
    ids=str,
)  # fmt: skip
def test_dtypes_of_tensors(dtype: torch.dtype) -> None:
    tensor = torch.tensor([0, 1, 3]).to(dtype)
    loaded = read_back(tensor, Tensor)
    assert loaded.dtype == dtype
    assert torch.equal(tensor.to(torch.complex128), loaded.to(torch.complex128))


def test_meta_tensors_have_no_bytes() -> None:
    content = saved(Holder(torch.empty(1000, device="meta"), Tensor))
    assert records(content)["data/0"] == b""
    loaded = read_by_torch(content).value
    assert (loaded.device.type, loaded.shape) == ("meta", (1000,))


def test_a_layout_that_archives_lack_is_refused() -> None:
    holder = Holder(torch.eye(4).to_sparse_bsr((2, 2)), Tensor)
    with pytest.raises(minits.SaveError, match=r"Holder\.value: tensors of layout .*sparse_bsr"):
        saved(holder)


# ---- Sharing -----------------------------------------------------------------------------------


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(2, 2, bias=False)
        self.second = nn.Linear(2, 2, bias=False)
        self.second.weight = self.first.weight
        self.again = self.first
        self.register_buffer("whole", torch.arange(10.0))
        self.register_buffer("part", self.whole[2:5])

    def forward(self, x: Tensor) -> Tensor:
        self.part.add_(1)
        return self.second(self.first(x)) + self.again(x) + self.whole.sum()


def test_shared_tensors_storages_and_submodules_stay_shared() -> None:
    content = saved(Tied())
    assert [name for name in records(content) if name.startswith("data/")] == ["data/0", "data/1"]
    loaded = read_by_torch(content)
    assert len(list(loaded.parameters())) == 1
    assert loaded.first._c._type() == loaded.again._c._type()
    before = loaded.whole[2].item()
    loaded(torch.ones(1, 2))
    assert loaded.whole[2].item() == before + 1


def test_a_storage_seen_as_two_dtypes_has_two_records() -> None:
    """torch.jit.save writes one, and reads the second tensor as the first one's dtype."""

    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("floats", torch.tensor([1.0, 2.0]))
            self.register_buffer("bits", self.floats.view(torch.int32))

        def forward(self) -> Tensor:
            return self.bits

    loaded = read_by_torch(saved(Model()))
    assert loaded.bits.tolist() == torch.tensor([1.0, 2.0]).view(torch.int32).tolist()
    assert loaded.floats.tolist() == [1.0, 2.0]


class Node:
    def __init__(self, value: int) -> None:
        self.value = value
        self.items = [value]


def test_objects_of_script_classes() -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.node = Node(3)
            self.same = self.node

        def forward(self) -> Tuple[int, int]:
            self.same.items.append(4)
            return self.node.value, len(self.node.items)

    model = Model()
    assert read_by_torch(saved(model))() == (3, 2)


class Tree:
    def __init__(self, nodes: List[Node], by_name: Dict[str, Node], last: Optional[Node]) -> None:
        self.nodes = nodes
        self.by_name = by_name
        self.last = last

    def total(self) -> int:
        result = 0
        for node in self.nodes:
            result += node.value
        last = self.last
        return result if last is None else result * last.value + self.by_name["a"].items[0]


class WithTrees(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        first, second = Node(3), Node(4)
        self.full = Tree([first, second], {"a": first}, second)
        self.bare = Tree([], {}, None)
        self.pairs = torch.jit.Attribute([(first, Color.RED)], List[Tuple[Node, Optional[Color]]])

    def forward(self) -> Tuple[int, int, int]:
        self.full.nodes[0].value += 10
        node, color = self.pairs[0]
        return self.full.total(), self.bare.total(), node.value if color is not None else -1


def test_objects_in_containers_of_objects_stay_shared() -> None:
    expected = minits.script(WithTrees())()
    content = saved(WithTrees())
    assert read_by_torch(content)() == expected
    assert minits.load(io.BytesIO(content))() == expected


def test_an_attribute_that_is_not_set_is_named() -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.node = Node(3)

        def forward(self) -> int:
            return self.node.value

    model = Model()
    compiled = minits.script(model)
    del model.node.items
    with pytest.raises(minits.SaveError, match=r"Model\.node\.items: the attribute is not set"):
        compiled.save_to_buffer()
