"""What archives hold and how it is read, down to single records and opcodes."""

import io
import struct
import zipfile

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.archive.container.limits import DEFAULT_LIMITS
from minits.archive.container.reader import Container
from minits.archive.pickling.descriptions import DictOf, ListOf, ObjectOf
from minits.archive.pickling.reader import read_pickle
from tests.support.archives import CLASS, FORWARD, archive_of, packed, records_of, saved


def described(pickle: bytes) -> object:
    return read_pickle(memoryview(b"\x80\x02" + pickle + b"."), "data.pkl", DEFAULT_LIMITS)


def text(value: str) -> bytes:
    raw = value.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


# ---- Containers --------------------------------------------------------------------------------


class Linear(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(2, 3)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_entries_may_be_packed_in_both_ways(method: int) -> None:
    module = Linear()
    archive = packed(records_of(saved(module)), method)
    x = torch.rand(4, 2)
    assert torch.equal(minits.load(archive)(x), module(x))


def test_records_are_named_without_the_folder() -> None:
    container = Container.open(saved(Linear()))
    assert "data.pkl" in container and "constants.pkl" in container
    assert sorted(container.size(f"data/{n}") for n in (0, 1)) == [12, 24]
    assert 1 <= container.version <= 10


@pytest.mark.parametrize("lacking", ["byteorder", ".data/serialization_id", "debug"])
def test_some_records_may_be_missing(lacking: str) -> None:
    records = {n: r for n, r in records_of(saved(Linear())).items() if lacking not in n}
    assert minits.load(packed(records))(torch.rand(1, 2)).shape == (1, 3)


@pytest.mark.parametrize("record", ["version", ".data/version"])
@pytest.mark.parametrize("version", [3, 10])
def test_the_version_may_stand_in_two_places(record: str, version: int) -> None:
    records = records_of(saved(Linear()))
    del records["version"]
    assert Container.open(packed({**records, record: f"{version}\n"})).version == version


# ---- Pickles -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pickle", "value"),
    [
        (b"N", None),
        (b"\x88", True),
        (b"\x89", False),
        (b"K\xff", 255),
        (b"M\xff\xff", 65535),
        (b"J\xff\xff\xff\xff", -1),
        (b"\x8a\x08" + struct.pack("<q", -(2**63)), -(2**63)),
        (b"G" + struct.pack(">d", -0.0), -0.0),
        (text("a\0ü"), "a\0ü"),
        (b"X\1\0\0\0\xff", "\udcff"),
        (b")", ()),
        (b"K\1\x85", (1,)),
        (b"K\1K\2\x86", (1, 2)),
        (b"K\1K\2K\3\x87", (1, 2, 3)),
        (b"(K\1K\2K\3K\4t", (1, 2, 3, 4)),
        (b"(K\1q\5h\5t", (1, 1)),
        (b"(K\1r\0\2\0\0j\0\2\0\0t", (1, 1)),
        (b"cbuiltins\ncomplex\nG" + struct.pack(">d", 1) + b"G" + struct.pack(">d", 2) + b"\x86R",
         1 + 2j),
        (b"ctorch\ndevice\n" + text("cuda:1") + b"\x85R", torch.device("cuda", 1)),
    ],
)  # fmt: skip
def test_values_that_stand_for_themselves(pickle: bytes, value: object) -> None:
    found = described(pickle)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize("pickle", [b"](K\1K\2e", b"(K\1K\2l", b"]K\1aK\2a"])
def test_lists(pickle: bytes) -> None:
    found = described(pickle)
    assert isinstance(found, ListOf) and found.items == [1, 2] and found.tag is None


@pytest.mark.parametrize("pickle", [b"}(K\1K\2u", b"(K\1K\2d", b"}K\1K\2s"])
def test_dicts(pickle: bytes) -> None:
    found = described(pickle)
    assert isinstance(found, DictOf) and found.items == [(1, 2)]


def test_containers_are_tagged_with_their_types() -> None:
    build = b"ctorch.jit._pickle\nbuild_intlist\n](K\1e\x85R"
    restore = b"ctorch.jit._pickle\nrestore_type_tag\n]" + text("List[str]") + b"\x86R"
    first, second = described(build), described(restore)
    assert isinstance(first, ListOf) and first.tag == "List[int]"
    assert isinstance(second, ListOf) and second.tag == "List[str]"


def test_an_object_is_a_class_and_a_state() -> None:
    found = described(b"c__torch__.a\nM\n)\x81}(X\1\0\0\0xK\1ub")
    assert isinstance(found, ObjectOf) and found.class_name == "__torch__.a.M"
    assert isinstance(found.state, DictOf) and found.state.items == [("x", 1)]


# ---- Objects -----------------------------------------------------------------------------------

LISTS = CLASS + "  a : List[int]\n  b : Optional[List[int]]\n" + FORWARD
TAGGED = b"ctorch.jit._pickle\nbuild_intlist\n](K\1e\x85R"


def state_of(**values: bytes) -> bytes:
    return b"}(" + b"".join(text(name) + value for name, value in values.items()) + b"u"


def test_what_is_remembered_is_one_object() -> None:
    shared = minits.load(archive_of(LISTS, state_of(a=TAGGED + b"q\1", b=b"h\1")))
    assert shared.a is shared.b
    apart = minits.load(archive_of(LISTS, state_of(a=TAGGED, b=TAGGED)))
    assert apart.a == apart.b and apart.a is not apart.b


def test_old_files_do_not_tag_containers() -> None:
    assert minits.load(archive_of(LISTS, state_of(a=b"](K\1e", b=b"N"))).a == [1]


def test_shared_submodules_are_one() -> None:
    code = (
        CLASS + "  a : __torch__.N\n  b : __torch__.N\n" + FORWARD
        + "class N(Module):\n  training : bool\n"
    )  # fmt: skip
    child = b"c__torch__\nN\n)\x81" + state_of(training=b"\x88") + b"bq\1"
    loaded = minits.load(archive_of(code, state_of(a=child, b=b"h\1")))
    assert loaded.a is loaded.b and loaded.a.original_name == "N"


def test_attributes_that_no_class_declares_are_left_out() -> None:
    loaded = minits.load(archive_of(CLASS + FORWARD, state_of(more=b"K\1")))
    assert not hasattr(loaded, "more")


def test_frozen_modules_have_no_training() -> None:
    frozen = torch.jit.freeze(torch.jit.script(Linear().eval()))
    x = torch.rand(1, 2)
    buffer = io.BytesIO()
    torch.jit.save(frozen, buffer)
    buffer.seek(0)
    torch.testing.assert_close(minits.load(buffer)(x), frozen(x))


# ---- The language of archives ------------------------------------------------------------------


def result_of(body: str, *args: object, more: str = "", constants: bytes = b"\x80\x02).") -> object:
    """What a `forward` of this body returns; `x` is its parameter."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    code = CLASS + f"  def forward(self: __torch__.M,\n    x: Tensor):\n{lines}" + more
    return minits.load(archive_of(code, constants=constants))(*args)


ONES = torch.ones(2)
INF = float("inf")


FORKED = """z = 3
def __forked_function():
  return torch.add(z, 4)
f = fork(__forked_function)
return torch.wait(f)"""
FORKED_WITHIN = """z = 3
def __forked_function():
  def __forked_function0():
    return torch.add(z, 4)
  f = fork(__forked_function0)
  return torch.mul(torch.wait(f), z)
f = fork(__forked_function)
return torch.wait(f)"""


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("return torch.len(annotate(List[int], []))", 0),
        ("return (inf, -inf, 1.+2.j, 3.-infj)", (INF, -INF, 1 + 2j, complex(3, -INF))),
        ("return ops.prim.dtype(x)", 6),
        ("a, = [3]\nreturn a", 3),
        ("a, b, = (3, 4)\nreturn torch.add(a, b)", 7),
        ("return ((1, 2, 3))[0:2]", (1, 2)),
        ("return annotate(float, torch.select(x, 0, 0))", 1.0),
        ("if True:\n  y : Optional[int] = 4\nelse:\n  y = None\nreturn unchecked_cast(int, y)", 4),
        ("if False:\n  y = uninitialized(int)\nelse:\n  y = 4\nreturn y", 4),
        ("y = __torch__.twice\nreturn y(3, )", 6),
        ("return __torch__.P(1, \"a\").s", "a"),
        ("return __torch__.E.B", None),
        (FORKED, 7),
        (FORKED_WITHIN, 21),
        ("c = __torch__.C.__new__(__torch__.C)\n_0 = (c).__init__(3, )\nreturn c.n", 3),
        ("return torch.append(annotate(List[int], [1]), 2)", [1, 2]),
        ("return torch.__isnot__(x, None)", True),
        ("return \"\\015\\t\\\"\"", "\r\t\""),
        ("return -9223372036854775808", -(2**63)),
        ("return str(torch.device(\"cpu\"))", "cpu"),
        ("return isinstance(annotate(Union[int, str], 3), (int, float))", True),
    ],
)  # fmt: skip
def test_expressions_of_archives(body: str, result: object) -> None:
    more = (
        "class P(NamedTuple):\n  n : int\n  s : str\n"
        "class E(Enum):\n  A = 1\n  B = 2\n"
        "class C:\n  n : int\n  def __init__(self: __torch__.C,\n    n: int) -> NoneType:\n"
        "    self.n = n\n    return None\n"
        "def twice(n: int) -> int:\n  return torch.mul(n, 2)\n"
    )
    found = result_of(body, ONES, more=more)
    if result is None:
        assert (found.name, found.value) == ("B", 2)  # type: ignore[attr-defined]
    else:
        assert found == result


def test_constants_are_one_value_for_all_calls() -> None:
    pickle = b"\x80\x02" + text("ü") + b"K\7\x86."
    assert result_of("return (CONSTANTS.c0, CONSTANTS.c1)", ONES, constants=pickle) == ("ü", 7)


def test_attributes_may_have_names_that_are_none_in_python() -> None:
    code = CLASS + '  __annotations__ = []\n  __annotations__["0"] = int\n' + FORWARD.replace(
        "return x", 'return torch.add(x, getattr(self, "0"))'
    )  # fmt: skip
    loaded = minits.load(archive_of(code, b"}(X\1\0\0\0000K\5u"))
    assert loaded(torch.ones(1)).item() == 6


def test_old_headers_are_skipped() -> None:
    code = "op_version_set = 1\nimport __torch__.torch.nn\n" + CLASS + FORWARD
    assert minits.load(archive_of(code))(torch.ones(1)).item() == 1


def test_what_is_not_used_need_not_be_right() -> None:
    code = CLASS + FORWARD + "class Unused:\n  x : Nonsense\n"
    assert minits.load(archive_of(code))(torch.ones(1)).item() == 1


def test_constants_of_modules_are_seen_from_python() -> None:
    code = CLASS + "  k : Final[int] = -3\n  t : Final[Tuple[int, str]] = (1, 'a')\n" + FORWARD
    loaded = minits.load(archive_of(code))
    assert (loaded.k, loaded.t) == (-3, (1, "a"))


def test_parameters_keep_their_defaults() -> None:
    code = CLASS + (
        "  def forward(self: __torch__.M,\n    x: int=3,\n    y: List[int]=[0, 0],\n"
        "    z: float=inf,\n    s: Optional[str]=None) -> Tuple[int, List[int], float]:\n"
        "    return (x, y, z)\n"
    )
    assert minits.load(archive_of(code))() == (3, [0, 0], float("inf"))
