"""Values of libraries beside numbers and strs: NamedTuples, enums, complex numbers, devices."""

import copy
import ctypes
from collections.abc import Callable, Sequence
from enum import Enum, IntEnum
from typing import Any, NamedTuple, Union

import pytest
import torch
from torch import Tensor

import minits
from minits.codegen.script_traceback import class_name_of, message_of
from minits.native.c_types import NotNative
from minits.native_build.loading import NativeModel
from minits.native_build.values import ClassValue
from tests.support.native_libraries import library
from tests.support.needs import need_compiler

need_compiler()
cuda = torch.device("cuda:1")
Number = Union[int, float, complex]  # noqa: UP007 - torch.jit takes no bool for the other form


class Point(NamedTuple):
    x: int
    y: float


class Path(NamedTuple):
    start: Point
    rest: list[Point]
    name: str | None = None


class Other(NamedTuple):
    a: int
    b: float


class Colour(Enum):
    RED = 1
    BLUE = 2


class Word(Enum):
    YES = "yes é"
    NO = ""


class Level(Enum):
    LOW = 0.5
    HIGH = float("inf")


class Shade(Enum):
    RED = 1


class Count(IntEnum):
    NONE = 0
    ONE = 1


class Letter(str, Enum):
    A = "é"


# ---- As arguments and results, beside torch.jit and the interpreter ----------------------------


def point(p: Point) -> Point:
    return p


def moved(p: Point, by: int = 2) -> Point:
    return Point(p.x + by, p.y)


def plain(p: Point) -> tuple[int, float]:
    return p.x, p.y


def path(p: Path, ps: list[Point], q: Point | None) -> Path:
    if q is not None:
        ps.append(q)
    return Path(p.start, ps, p.name)


def held(
    ps: list[Point], by: dict[str, Path], o: Path | None = None
) -> tuple[dict[int, Point], list[tuple[Point, dict[str, Path]]], Path | None, list[Path]]:
    found: dict[int, Point] = {}
    for n, p in enumerate(ps):
        found[n] = p
    return found, [(ps[0], by)], o, list(by.values())


def constant(n: int) -> tuple[Point, int]:
    return Point(1, 2.5), n


def of_tensor(x: Tensor, p: Point) -> tuple[Point, dict[str, Tensor]]:
    return Point(p.x + int(x.sum()), p.y), {"x": x}


def turned(z: complex, zs: list[complex], by: dict[str, complex], o: complex | None) -> tuple[
    complex, list[complex], dict[str, complex], complex | None, tuple[complex, tuple[complex]],
]:  # fmt: skip
    zs.append(z * 1j)
    if o is not None:
        by["o"] = o
    return z, zs, by, o, (-z, (z + 1,))


def rotated(z: complex, by: complex = 1j) -> complex:
    return z * by


def number(x: Tensor):
    return x.item()


def any_number(n: Number) -> Number:
    return n


def real(n: int | float, ns: list[int | float]) -> list[int | float]:
    ns.append(n)
    return ns


def whole_or_complex(n: int | complex) -> int | complex:
    return n


def float_or_complex(n: float | complex) -> float | complex:
    return n


def placed(
    d: torch.device, ds: list[torch.device], o: torch.device | None
) -> tuple[torch.device, list[torch.device], torch.device | None, dict[str, torch.device]]:
    ds.append(torch.device("cuda:3"))
    return d, ds, o, {d.type: d}


def coloured(
    c: Colour, cs: list[Colour], o: Colour | None, by: dict[str, Word]
) -> tuple[Colour, list[Colour], Colour | None, dict[str, Word], int, bool]:
    cs.append(Colour.BLUE)
    return c, cs, o, by, c.value, c == Colour.RED


def counted(n: int, s: str, o: int | None, ns: list[int], by: dict[str, float]) -> tuple[
    int, str, int | None, list[int], dict[str, float],
]:  # fmt: skip
    return n + 1, s + "!", o, ns, by


def count(n: Count, o: Count | None) -> tuple[int, Count | None]:
    return n.value, o


def level(n: int) -> tuple[Level, Word]:
    return Level.HIGH if n > 0 else Level.LOW, Word.NO


P, Q = Point(-1, 0.5), Point(1 << 62, float("-inf"))
BIG = complex(float("inf"), -0.0)
CALLS: list[tuple[Callable[..., Any], Sequence[Any]]] = [
    (point, [P]), (point, [(1, 2.5)]), (point, [Other(1, 2.5)]), (point, [(True, 2)]),
    (moved, [P]), (moved, [P, 7]), (plain, [Q]),
    (path, [Path(P, [Q]), [P], None]), (path, [Path(P, [], "é"), [], Q]),
    (held, [[P, Q], {"a": Path(P, [Q]), "": Path(Q, [])}]), (held, [[P], {}, Path(P, [], "n")]),
    (constant, [1]), (of_tensor, [torch.tensor([2, 3]), P]),
    (turned, [1j, [2j], {"a": BIG}, None]), (turned, [2, [1, 0.5, True], {}, BIG]),
    (rotated, [BIG]), (rotated, [1.5, 2 - 1j]),
    (number, [torch.tensor(3)]), (number, [torch.tensor(0.5)]), (number, [torch.tensor(True)]),
    (number, [torch.tensor(1 - 2j)]), (number, [torch.tensor(7, dtype=torch.uint64)]),
    *[(any_number, [n]) for n in (3, -0.0, True, 1j)],
    (real, [1, [2.5, 3]]), (real, [0.5, []]),
    *[(whole_or_complex, [n]) for n in (3, 1j)],
    *[(float_or_complex, [n]) for n in (3.0, 1j)],
    (placed, [torch.device("cpu"), [], None]), (placed, [cuda, [cuda, torch.device("cuda")], cuda]),
    (placed, ["meta", ["cpu:0"], None]),
    (coloured, [Colour.RED, [], None, {"a": Word.YES}]),
    (coloured, [Colour.BLUE, [Colour.RED], Colour.RED, {}]),
    (level, [0]), (level, [1]),
    (counted, [Count.NONE, Letter.A, Count.ONE, [Count.ONE], {Letter.A: Count.ONE}]),
    (count, [Count.NONE, Count.ONE]), (count, [Count.ONE, None]),
]  # fmt: skip


@pytest.mark.one_in(15, over="")
@pytest.mark.parametrize(("function", "values"), CALLS)
def test_values_are_those_of_torch(function: Callable[..., Any], values: Sequence[Any]) -> None:
    result = getattr(library(function), function.__name__)(*values)
    values = copy.deepcopy(values)
    assert repr(result) == repr(minits.script(function)(*values))
    assert repr(result) == repr(torch.jit.script(function)(*copy.deepcopy(values)))


def test_named_tuples_and_members_are_of_one_class_in_all_libraries() -> None:
    one, other = library(point).point(P), library(moved).moved(P)
    assert type(one) is type(other)
    assert one._fields == ("x", "y")
    assert (one.x, one) == (-1, P)
    native = library(coloured)
    first = native.coloured(Colour.RED, [], None, {"a": Word.YES})
    again = native.coloured(first[0], first[1], Colour.BLUE, first[3])
    assert first[0] is again[0]
    assert (first[0].name, first[0].value, first[0].__class__.__name__) == ("RED", 1, "Colour")
    assert again[3]["a"].value == "yes é"


# ---- Errors ------------------------------------------------------------------------------------


def put(ps: list[Point], n: int) -> Point:
    ps[n] = Point(n, 0.5)
    return ps[n]


def painted(cs: list[Colour], n: int) -> Colour:
    cs[n] = Colour.RED
    return cs.pop(n + 1)


def found(by: dict[str, Point], key: str) -> Point:
    return by[key]


def both(ps: list[Point]) -> tuple[Point, Point]:
    p, q = ps
    return p, q


def told(p: Point, z: complex, d: torch.device, c: Colour) -> int:
    raise ValueError(f"{p} {z} {d} {c}")


def named(text: str) -> torch.device:
    return torch.device(text)


@pytest.mark.one_in(5, over="")
@pytest.mark.parametrize(
    ("function", "values"),
    [
        (put, [[], 0]), (put, [[P], 3]), (painted, [[], 1]), (painted, [[Colour.BLUE], 0]),
        (found, [{"a": P}, "b é"]), (both, [[P]]), (told, [P, BIG, cuda, Colour.RED]),
        (named, ["nowhere"]),
    ],
)  # fmt: skip
def test_errors_are_those_of_the_interpreter(
    function: Callable[..., Any], values: Sequence[Any]
) -> None:
    errors = []
    for each in (getattr(library(function), function.__name__), minits.script(function).interpret):
        with pytest.raises(RuntimeError) as caught:
            each(*copy.deepcopy(values))
        errors.append((class_name_of(caught.value), message_of(caught.value)))
    assert errors[0] == errors[1]


# ---- Other kinds -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "values", "said"),
    [
        (point, [(1,)], "'p' but one of kind tuple"),
        (point, [(1, 2.5, 3)], "'p' but one of kind tuple"),
        (point, [(1.5, 2.5)], "'p' but one of kind tuple"),
        (point, [P, P], "point() is given too many arguments"),
        (point, [1j], "'p' but one of kind complex"),
        (path, [Path(P, [(1, "a")]), [], None], "'p' but one of kind tuple"),  # type: ignore[list-item]
        (rotated, ["1"], "'z' but one of kind str"),
        (rotated, [None], "'z' but one of kind None"),
        (turned, [1j, [cuda], {}, None], "'zs' but one of kind list"),
        (any_number, ["1"], "'n' but one of kind str"),
        (any_number, [None], "'n' but one of kind None"),
        (real, [True, []], "'n' but one of kind bool"),
        (real, [1j, []], "'n' but one of kind complex"),
        (whole_or_complex, [0.5], "'n' but one of kind float"),
        (float_or_complex, [1], "'n' but one of kind int"),
        (placed, [1, [], None], "'d' but one of kind int"),
        (placed, [torch.tensor(1), [], None], "'d' but one of kind Tensor"),
        (placed, ["cpu", [], "cuda:"], "'o' but the name of no device"),
        (placed, ["metal", [], None], "'d' but the name of no device"),
        (placed, ["cpu", [""], None], "'ds' but the name of no device"),
        (coloured, [1, [], None, {}], "'c' but one of kind int"),
        (coloured, ["RED", [], None, {}], "'c' but one of kind str"),
        (coloured, [Shade.RED, [], None, {}], "'c' but one of kind enum"),
        (coloured, [Colour.RED, [Word.NO], None, {}], "'cs' but one of kind list"),
        (counted, [Colour.RED, "", None, [], {}], "'n' but one of kind enum"),
        (counted, [Letter.A, "", None, [], {}], "'n' but one of kind enum"),
        (count, [1, None], "'n' but one of kind int"),
    ],
)
def test_other_kinds_are_refused(
    function: Callable[..., Any], values: Sequence[Any], said: str
) -> None:
    with pytest.raises(TypeError) as caught:
        getattr(library(function), function.__name__)(*values)
    assert said in str(caught.value)
    assert f"Declaration: {function.__name__}(" in str(caught.value)


def test_a_member_that_the_library_does_not_have_is_refused() -> None:
    native = library(coloured)
    more: Any = Enum("Colour", {"GREEN": 3})
    with pytest.raises(TypeError, match="'c' but the name of no member of the enum"):
        native.coloured(more.GREEN, [], None, {})


def test_an_int_that_c_does_not_have_is_an_error() -> None:
    beyond = torch.tensor(-1).to(torch.uint64)
    assert minits.script(number)(beyond) == (1 << 64) - 1
    with pytest.raises(OverflowError, match="an int of the result is beyond 63 bits"):
        library(number).number(beyond)


def one_or_other(flag: bool, p: Point) -> tuple[tuple[int, float], bool]:
    q: tuple[int, float] = p if flag else (1, 2.0)
    return q, flag


def tagged(x: int | str) -> int:
    return x if isinstance(x, int) else 0


def test_what_a_library_does_not_have_is_refused() -> None:
    """A value keeps the class by which it was made, and C the class of its type."""
    with pytest.raises(NotNative):
        library(one_or_other)
    with pytest.raises(NotNative):
        library(tagged)


def test_the_library_tells_its_classes() -> None:
    assert declarations(library(held)) == [
        "Point(int x, float y)",
        f"Path(__torch__.{__name__}.Point start, __torch__.{__name__}.Point[] rest, str? name)",
    ]
    assert declarations(library(coloured)) == [
        "Colour(int RED=1, int BLUE=2)", 'Word(str YES="yes é", str NO="")'
    ]  # fmt: skip
    assert declarations(library(level))[0] == "Level(float LOW=0.5, float HIGH=inf)"
    assert declarations(library(rotated)) == []


def declarations(native: NativeModel) -> list[str]:
    """Return those of a library's classes."""
    entry = native._entry("classes")
    entry.restype = ctypes.POINTER(ClassValue)
    classes, found = entry(), list[str]()
    while classes[len(found)].name is not None:
        found.append(classes[len(found)].declaration.decode())
    return found
