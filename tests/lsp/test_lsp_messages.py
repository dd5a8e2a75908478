"""Quick fixes, and positions of texts that have changed: the parts that need no server."""

from __future__ import annotations

import pytest

pytest.importorskip("pygls")

from lsprotocol import types as lsp

from minits.diagnostics import Diagnostic, Note
from minits.edits import inserting, replacing
from minits.lsp.line_map import LineMap
from minits.lsp.messages import Messages, filename_of, uri_of
from minits.lsp.positions import Units
from minits.queries.record import Record
from minits.queries.text_analysis import TextAnalysis
from minits.source import Position, SourceFile, SourceRange

TEXT = "é = []\nprint('😀', xs)\n"
SOURCE = SourceFile("/project/model.py", TEXT)
URI = "file:///project/model.py"


def at(part: str) -> SourceRange:
    start = TEXT.index(part)
    return SourceRange(SOURCE, start, start + len(part))


def messages(*found: Diagnostic, shows_places: bool = True) -> Messages:
    analysis = TextAnalysis(SOURCE, None, found, Record(SOURCE.filename))
    return Messages(analysis, Units(), shows_places=shows_places)


def test_an_edit_is_a_quick_fix() -> None:
    empty = SourceRange(SOURCE, TEXT.index(" ="), TEXT.index(" ="))
    safe = Diagnostic(at("é"), "TS208", "no type", fix="annotate it",
                      edit=inserting(empty, after=": List[int]"))  # fmt: skip
    guess = Diagnostic(at("xs"), "TS311", "undefined", fix="did you mean 'é'?",
                       edit=replacing(at("xs"), "é", is_safe=False))  # fmt: skip
    without = Diagnostic(at("print"), "TS301", "no edit", fix="do something")
    made = messages(safe, guess, without)

    (action,) = made.quick_fixes(URI, 0, 1)
    assert (action.title, action.kind, action.is_preferred) == ("Annotate it", "quickfix", True)
    assert action.edit is not None
    assert action.edit.changes is not None
    (edit,) = action.edit.changes[URI]
    assert edit.new_text == ": List[int]"
    assert edit.range == lsp.Range(lsp.Position(0, 1), lsp.Position(0, 1))

    (action,) = made.quick_fixes(URI, TEXT.index("xs"), TEXT.index("xs"))
    assert (action.title, action.is_preferred) == ("Did you mean 'é'? (a guess)", False)
    assert action.edit is not None
    assert action.edit.changes is not None
    assert action.edit.changes[URI][0].range.start == lsp.Position(1, 12)  # an emoji is two

    assert made.quick_fixes(URI, TEXT.index("print"), TEXT.index("print") + 5) == []


def test_a_fault_in_a_library_stands_where_this_text_leads_there() -> None:
    library = SourceFile("/elsewhere/library.py", "def f(): pass\n")
    inside = SourceRange(library, 4, 5)
    from minits.diagnostics import Caller

    found = Diagnostic(
        inside, "TS402", "no overload", notes=(Note("a hint"), Note("see", inside)),
        callers=(Caller("f", "g", at("print")),),
    )  # fmt: skip
    sent = messages(found).diagnostic(found)
    assert sent.range.start == lsp.Position(1, 0)
    assert sent.message == "no overload\nnote: a hint"
    assert [each.location.uri for each in sent.related_information or []] == [
        "file:///elsewhere/library.py", "file:///elsewhere/library.py", URI,
    ]  # fmt: skip
    plain = messages(found, shows_places=False).diagnostic(found)
    assert not plain.related_information
    assert "/elsewhere/library.py:1: note: see" in plain.message


def test_a_fault_without_a_place_stands_at_the_first_line() -> None:
    found = Diagnostic(None, "TS801", "somewhere")
    assert messages(found).diagnostic(found).range.start == lsp.Position(0, 0)


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [("utf-8", [0, 2, 6, 7]), ("utf-16", [0, 1, 3, 4]), ("utf-32", [0, 1, 2, 3])],
)
def test_columns_in_each_unit(encoding: str, columns: list[int]) -> None:
    source = SourceFile("x", "\f\r\né😀x\n")
    units = Units(lsp.PositionEncodingKind(encoding))
    for index, column in enumerate(columns):
        position = lsp.Position(1, column)
        assert units.offset(source, position) == 3 + index
        assert units.position(source, 3 + index) == position
    assert units.offset(source, lsp.Position(1, 900)) == 6
    assert units.offset(source, lsp.Position(900, 0)) == len(source.text)


def test_lines_that_have_not_changed_are_found_again() -> None:
    old = SourceFile("x", "a\nb\nc\nd\n")
    lines = LineMap(old, SourceFile("x", "a\nB\nBB\nc\nd\n"))
    mapped = [lines.to_old(Position(number, 0)) for number in range(1, 7)]
    assert [each and each.line for each in mapped] == [1, None, None, 3, 4, 5]
    assert [lines.lines_down(number) for number in range(1, 6)] == [0, None, 1, 1, 1]
    same = LineMap(old, old)
    assert [same.to_old(Position(n, 3)) for n in (1, 5)] == [Position(1, 3), Position(5, 3)]
    shorter = LineMap(old, SourceFile("x", "a\nd\n"))
    assert [shorter.to_old(Position(n, 0)) for n in (1, 2)] == [Position(1, 0), Position(4, 0)]
    assert [shorter.lines_down(n) for n in range(1, 5)] == [0, None, None, -2]


def test_names_of_files_and_addresses() -> None:
    assert filename_of("file:///a/b%20c.py") == "/a/b c.py"
    assert uri_of("/a/b c.py") == "file:///a/b%20c.py"
    assert uri_of(filename_of("untitled:Untitled-1")) == "untitled:Untitled-1"
