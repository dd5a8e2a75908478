"""Few bytes of an archive that stand for much: they are read or refused in linear time."""

from __future__ import annotations

import tracemalloc
import zipfile
from itertools import pairwise

import pytest

import minits
from minits.archive.container.limits import Limits
from tests.support.archives import CLASS, FORWARD, archive_of, packed, refused
from tests.support.hostile_archives import CODE, NESTED, RECORDS


def doubled(start: bytes, count: int) -> bytes:
    """A tuple of twice the tuple before, so many times."""
    return start + b"q\0" + b"h\0\x86q\0" * count


def chain(count: int) -> str:
    """NamedTuples, each of which has the one before twice."""
    parts = ["int", *(f"__torch__.P{number}" for number in range(count - 1))]
    return "".join(
        f"class P{number}(NamedTuple):\n  a : {part}\n  b : {part}\n"
        for number, part in enumerate(parts)
    )


def test_shared_tuples_are_read_once() -> None:
    small = minits.load(archive_of(NESTED, b"}(X\1\0\0\0a" + doubled(b"K\1", 3) + b"u")).a
    assert small == (((1, 1), (1, 1)), ((1, 1), (1, 1)))
    assert small[0] is small[1]
    refused(archive_of(NESTED, b"}(X\1\0\0\0a" + doubled(b"K\1", 90) + b"u"), "parts; at most")


def test_chains_of_named_tuples() -> None:
    code = CLASS + "  a : __torch__.PN\n" + FORWARD
    state = b"}(X\1\0\0\0a" + doubled(b"K\1", 8) + b"u"
    value = minits.load(archive_of(code.replace("PN", "P7") + chain(8), state)).a
    assert value.a is value.b and value.a.b.a.b.a.b.a.b == 1
    refused(archive_of(code.replace("PN", "P89") + chain(90), state), "parts; at most")
    optional = CLASS + "  a : Optional[__torch__.P89]\n" + FORWARD + chain(90)
    refused(archive_of(optional, b"}(X\1\0\0\0aNu"), "parts; at most")


@pytest.mark.parametrize("line", ["x = (x, x)", "x = x + x"])
def test_tuples_that_code_makes(line: str) -> None:
    names = [f"x{number}" for number in range(91)]
    lines = [line.replace("x", a).replace(a, b, 1) for a, b in pairwise(names)]
    body = "\n    ".join(["x0 = (x, x)", *lines, "return x"])
    code = CLASS + FORWARD.replace("return x", body)
    refused(archive_of(code), "parts; at most 4096")


def test_a_list_is_of_one_type_wherever_it_stands() -> None:
    code = CLASS + "  a : List[int]\n  b : List[str]\n" + FORWARD
    refused(archive_of(code, b"}(X\1\0\0\0a]q\1K\1aX\1\0\0\0bh\1u"), "elsewhere a List.int")
    union = CLASS + "  a : Union[List[int], List[str]]\n" + FORWARD
    loaded = minits.load(archive_of(union, b"}(X\1\0\0\0a]q\1X\1\0\0\0zau"))
    assert loaded.a == ["z"]


def test_lines_without_anything_take_little_memory() -> None:
    lines = "\n" * 300_000
    tracemalloc.start()
    try:
        archive = packed({**RECORDS, "code/__torch__.py": CODE + lines}, zipfile.ZIP_DEFLATED)
        minits.load(archive, limits=Limits(code_steps=2 * len(lines)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20 * len(lines) + 2**24
