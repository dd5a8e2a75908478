"""Loaded graphs stand where the program stood, whoever saved it; damaged records do no harm."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.archive.pickling.writer import EMPTY_TUPLE, MARK, TUPLE, PickleWriter
from tests.support.archives import packed, records_of

RECORD = "code/__torch__/test_read_source_ranges.py.debug_pkl"


class Program(nn.Module):
    def forward(self, x: Tensor, text: str) -> Tensor:
        assert text == "ü" or len(text) > 0
        y = torch.neg(x)
        future = torch.jit.fork(torch.relu, y + 1)
        return torch.mm(x, y.t()) + torch.jit.wait(future)


def saved_by_torch() -> io.BytesIO:
    buffer = io.BytesIO()
    torch.jit.save(torch.jit.script(Program()), buffer)
    buffer.seek(0)
    return buffer


def saved_by_minits() -> io.BytesIO:
    return io.BytesIO(minits.script(Program()).save_to_buffer())


def places(graph: Any) -> list[tuple[str, str]]:
    nodes = [*graph.all_nodes()]
    nodes += [inner for node in nodes if node.get("Subgraph") for inner in places_in(node)]
    return [
        (node.kind, str(node.range))
        for node in nodes
        if node.range is not None and node.kind.startswith("aten::")
    ]


def places_in(node: Any) -> Any:
    return node["Subgraph"].all_nodes()


@pytest.mark.parametrize("save", [saved_by_torch, saved_by_minits])
def test_nodes_stand_where_they_stood(save: Callable[[], io.BytesIO]) -> None:
    expected = places(minits.script(Program()).graph)
    assert expected
    assert {place.rpartition("/")[2].partition(":")[0] for _, place in expected} == {
        Path(__file__).name
    }
    assert places(minits.load(save()).graph) == expected


def test_what_is_saved_again_keeps_its_places() -> None:
    loaded = minits.load(saved_by_torch())
    again = minits.load(io.BytesIO(loaded.save_to_buffer()))
    assert places(again.graph) == places(loaded.graph)


def test_errors_show_the_program() -> None:
    loaded = minits.load(saved_by_minits())
    with pytest.raises(RuntimeError) as caught:
        loaded(torch.ones(3), "a")
    line = Program.forward.__code__.co_firstlineno + 4
    assert f'File "{Path(__file__)}", line {line}, in forward' in str(caught.value)


# ---- Records of others -------------------------------------------------------------------------


def loaded_with(record: bytes) -> Any:
    """Load the program with another record of places."""
    records = records_of(saved_by_minits())
    assert RECORD in records
    return minits.load(packed({**records, RECORD: record}))


def source_places(write_source: Callable[[PickleWriter], None], start: int = 4) -> bytes:
    """A record in the older form with one place from the first character on."""
    out = PickleWriter()
    out.op(MARK)
    out.integer(0)
    write_source(out)
    out.integer(start)
    out.integer(7)
    out.tuple_of(3)
    out.tuple_of(2)
    out.op(TUPLE)
    return out.finish()


def older_source(filename: str, text: str = "ü = a+b\nx\n") -> Callable[[PickleWriter], None]:
    def write(out: PickleWriter) -> None:
        out.string(text)
        out.string(filename)
        out.integer(12)
        out.tuple_of(3)

    return write


def test_the_older_form_holds_texts() -> None:
    loaded = loaded_with(source_places(older_source("older.py")))
    assert {place for _, place in places(loaded.graph)} == {"older.py:12:4"}
    [node, *_] = [node for node in loaded.graph.all_nodes() if node.kind == "aten::neg"]
    assert node.range.text == " a+"  # bytes 4 to 7


@pytest.mark.parametrize("filename", ["/dev/zero", "/etc/passwd", "notes.txt", "", "x.py/"])
def test_files_that_are_no_programs_are_not_named(filename: str) -> None:
    """Python opens the files that tracebacks name."""
    loaded = loaded_with(source_places(older_source(filename)))
    assert {place for _, place in places(loaded.graph)} == {"<unknown>:12:4"}


def nothing(out: PickleWriter) -> None:
    out.op(EMPTY_TUPLE)


DAMAGED = {
    "no pickle": b"\x80\x02",
    "none": b"\x80\x02N.",
    "a number": b"\x80\x02K\x01.",
    "empty": b"\x80\x02).",
    "no source": source_places(nothing),
    "a form without texts": b"\x80\x02X\x18\0\0\0FORMAT_WITH_STRING_TABLE))\x87.",
    "forbidden": b"\x80\x02cos\nsystem\n.",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_records_say_nothing(name: str) -> None:
    loaded = loaded_with(DAMAGED[name])
    assert all(place.startswith("code/__torch__/") for _, place in places(loaded.graph))
    assert torch.equal(loaded(torch.ones(2, 2), "a"), Program()(torch.ones(2, 2), "a"))


def test_places_beyond_their_source_end_with_it() -> None:
    loaded = loaded_with(source_places(older_source("a.py"), start=10**6))
    assert all(place.startswith("a.py:") for _, place in places(loaded.graph))
