"""`minits lsp`, asked by a real client over stdio."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from lsprotocol import types as lsp

from minits.lsp.messages import filename_of
from minits.lsp.positions import Units
from minits.queries.text_analysis import analyse_text
from minits.source import SourceFile
from tests.support.editor import Editor

HEADER = "import torch\nfrom typing import List, Optional\nfrom torch import Tensor\n\n"
GOOD = (
    HEADER
    + """\
def scaled(x: Optional[Tensor], n: int) -> Tensor:
    if x is None:
        return torch.zeros(n)
    return x.mul(n)

def twice(y: Tensor) -> Tensor:
    both = scaled(y, 2)
    return both
"""
)


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    editor = Editor(tmp_path_factory.mktemp("project"))
    yield editor
    assert editor.logged == []
    assert editor.leave() == 0


def span(found: lsp.Range) -> tuple[int, int, int, int]:
    return (found.start.line, found.start.character, found.end.line, found.end.character)


# ---- Diagnostics -------------------------------------------------------------------------------


@pytest.mark.slow
def test_diagnostics_come_and_go(editor: Editor) -> None:
    text = editor.open("come_and_go.py", GOOD.replace("    if x is None:\n        return", "   "))
    text.change(GOOD.replace("x.mul(n)", "x.mull(n)"))
    (found,) = text.diagnostics()
    assert (found.code, found.source, found.severity) == ("TS302", "minits", 1)
    assert span(found.range) == (7, 11, 7, 17)
    assert "mull" in found.message
    assert "help: did you mean 'mul'?" in found.message
    assert found.code_description is not None
    page, _, heading = found.code_description.href.partition("#")
    assert page.endswith("/errors.md")
    assert heading.startswith("ts302-")
    text.change(GOOD)
    assert text.diagnostics() == []


def test_notes_with_places_are_related_information(editor: Editor) -> None:
    text = editor.open("notes.py", GOOD.replace("if x is None", "if n == 2"))
    (found,) = [each for each in text.diagnostics() if each.code == "TS302"]
    assert span(found.range)[0] == 7
    related = found.related_information or []
    callers = [each for each in related if "called from 'twice'" in each.message]
    assert [span(each.location.range)[:2] for each in callers] == []
    assert {each.location.uri for each in related} <= {text.uri}


def test_a_closed_text_has_no_diagnostics(editor: Editor) -> None:
    text = editor.open("closed.py", GOOD.replace("x.mul", "x.mull"))
    assert text.diagnostics()
    text.close()
    assert editor.diagnostics(text.uri, None) == []


def test_nothing_of_the_text_is_run(editor: Editor, tmp_path: Path) -> None:
    trace = tmp_path / "was_run"
    run_me = f"{HEADER}open({str(trace)!r}, 'w').close()\ndef f(x: int):\n    return x.y\n"
    assert [each.code for each in editor.open("run_me.py", run_me).diagnostics()] == ["TS302"]
    assert not trace.exists()


# ---- Types and definitions -----------------------------------------------------------------------


def test_hover_shows_the_type_and_the_refinement(editor: Editor) -> None:
    text = editor.open("hover.py", GOOD)
    assert text.hover("return ^x.mul") == "Tensor\n```\n\nrefined from Optional[Tensor] by line 6"
    assert text.hover("if ^x is None") == "Optional[Tensor]\n```"
    assert text.hover("both = ^scaled(y") == (
        "def scaled(x: Optional[Tensor], n: int) -> Tensor\n```"
    )
    assert text.hover("^def twice") is None


def test_definitions_here_and_in_another_file(editor: Editor) -> None:
    (editor.folder / "lib.py").write_text("def helper(a):\n    return a\n")
    text = editor.open("user.py", GOOD + "\nfrom lib import helper\nh = helper(1)\n")
    found = text.definition("both = ^scaled(y")
    assert found is not None
    assert (found[0], span(found[1])) == (text.uri, (4, 4, 4, 10))
    found = text.definition("h = ^helper(1)")
    assert found is not None
    assert found[0] == (editor.folder / "lib.py").as_uri()
    assert span(found[1]) == (0, 4, 0, 10)


def test_symbols(editor: Editor) -> None:
    text = editor.open("symbols.py", GOOD + "\nclass C:\n    def m(self):\n        pass\n")
    params = lsp.DocumentSymbolParams(text.id)
    found = editor.run(editor.client.text_document_document_symbol_async(params))
    assert found is not None
    assert [each.name for each in found] == ["scaled", "twice", "C"]
    assert [each.name for each in found[2].children] == ["m"]  # type: ignore[union-attr]


def test_an_unfinished_text_keeps_the_types_of_what_has_not_changed(editor: Editor) -> None:
    text = editor.open("unfinished.py", GOOD)
    assert text.diagnostics() == []
    text.change(GOOD.replace("    both = scaled(y, 2)\n", "    pass\n    both = scaled(y, (\n"))
    codes = [each.code for each in text.diagnostics()]
    assert codes
    assert all(str(code).startswith("TS0") for code in codes)
    assert text.hover("return ^x.mul") == "Tensor\n```\n\nrefined from Optional[Tensor] by line 6"
    assert text.hover("return ^both") == "Tensor\n```"
    params = lsp.HoverParams(text.id, text.position("return ^both"))
    found = editor.run(editor.client.text_document_hover_async(params))
    assert found is not None
    assert found.range is not None
    assert span(found.range) == (12, 11, 12, 15)
    assert text.hover("    both = ^scaled(y, (") is None


def test_columns_are_utf_16_units(editor: Editor) -> None:
    text = editor.open(
        "columns.py",
        HEADER
        + "def f(s: str, n: int) -> str:\n    return '😀é😀' + s + '\u2028\x0c' + n.lower()\n",
    )
    (found,) = text.diagnostics()
    assert span(found.range) == (5, 32, 5, 39)
    assert text.hover("+ ^s + '") == "str\n```"
    assert text.hover("+ ^n.lower") == "int\n```"
    where = text.definition("+ ^n.lower")
    assert where is not None
    assert span(where[1]) == (4, 14, 4, 15)


# ---- Dialects and units ------------------------------------------------------------------------

TRUTHY = (
    HEADER
    + "def f(x: Optional[Tensor]) -> bool:\n    ok = x is not None\n"
    + ("    if ok:\n        return x.is_cuda\n    return False\n")
)


@pytest.mark.slow
def test_the_dialect_and_the_units_may_be_others(tmp_path: Path) -> None:
    """The editor's settings decide, before the options that the server is started with."""
    options, settings = ("--stdio", "--dialect", "torch"), {"dialect": "extended"}
    kinds = [lsp.PositionEncodingKind.Utf8]
    editor = Editor(tmp_path, *options, settings=settings, position_encodings=kinds)
    assert editor.open("truthy.py", TRUTHY).diagnostics() == []
    assert editor.server.position_encoding == "utf-8"
    text = editor.open("units.py", HEADER + "def f(y: int):\n    é = '😀' + y\n    return é\n")
    (found,) = text.diagnostics()
    assert found.range.end.character == 19
    params = lsp.HoverParams(text.id, lsp.Position(5, 18))
    assert editor.run(editor.client.text_document_hover_async(params)) is not None
    assert editor.leave() == 0


def test_the_dialect_is_torchs_unless_another_is_chosen(editor: Editor) -> None:
    assert editor.open("truthy.py", TRUTHY).diagnostics()


@pytest.mark.slow
def test_a_project_chooses_its_dialect(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    settings = project / "pyproject.toml"
    settings.write_text('[tool.minits]\ndialect = "extended"\n', encoding="utf-8")
    editor = Editor(project)
    assert editor.open("truthy.py", TRUTHY).diagnostics() == []
    settings.write_text('[tool.minits]\ndialect = "latin"\n', encoding="utf-8")
    assert editor.open("again.py", TRUTHY).diagnostics()
    assert editor.leave() == 0


@pytest.mark.slow
def test_a_project_and_comments_ignore_faults(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    editor = Editor(project)
    wrong = HEADER + "def f(y: int):\n    return y.nothing\n"
    text = editor.open("wrong.py", wrong)
    (found,) = text.diagnostics()
    text.change(wrong.replace("y.nothing", f"y.nothing  # minits: ignore[{found.code}]"))
    assert text.diagnostics() == []
    settings = f'[tool.minits]\nignore = ["{found.code}"]\n'
    (project / "pyproject.toml").write_text(settings, encoding="utf-8")
    text.change(wrong)
    assert text.diagnostics() == []
    assert editor.leave() == 0


# ---- What must not kill it -----------------------------------------------------------------------


def test_a_text_at_every_stage_of_its_writing(editor: Editor) -> None:
    text = editor.open("typed.py", "")
    for end in range(1, len(GOOD), 7):
        text.change(GOOD[:end])
    text.change(GOOD)
    assert text.diagnostics() == []
    assert text.hover("return ^both") == "Tensor\n```"


STRANGE = {
    "nul": "def f(x: int):\n    return x\0\n",
    "surrogate": "def f(x: str):\n    return x + '\ud800'\n",
    "carriage returns": "def f(x: int):\r    return x.y\r",
    "deep": "def f(x: int):\n    return " + "(" * 5000 + "x" + ")" * 5000 + "\n",
    "long sum": "def f(x: int):\n    return " + "x + " * 20000 + "x\n",
    "deep blocks": "def f(x: int):\n" + "".join(
        "    " * (n + 1) + "if x:\n" for n in range(150)
    ),
    "unfinished string": "def f(x: int):\n    return '''" + "x\n" * 5000,
    "unfinished class": "class A(\n",
    "one long line": "x = [" + "1, " * 100000,
}  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", STRANGE)
def test_strange_texts(editor: Editor, name: str) -> None:
    text = editor.open(f"{name}.py", STRANGE[name])
    assert isinstance(text.diagnostics(), list)
    text.change(GOOD)
    assert text.hover("return ^both") == "Tensor\n```"


def test_a_huge_text(editor: Editor) -> None:
    functions = "".join(
        f"def f{n}(x: Tensor, n: int) -> Tensor:\n    return x.mul(n) + {n}\n" for n in range(1000)
    )
    text = editor.open(
        "huge.py", HEADER + functions + "def last(x: Tensor) -> str:\n    return x\n"
    )
    other = editor.open("beside.py", GOOD)
    assert [each.code for each in text.diagnostics()] == ["TS504"]
    assert text.hover("return x.mul(^n) + 999") == "int\n```"
    assert other.diagnostics() == []


def test_questions_about_what_is_not_there(editor: Editor) -> None:
    text = editor.open("there.py", GOOD)
    outside = [lsp.Position(10**6, 0), lsp.Position(7, 10**6), lsp.Position(0, 0)]
    nobody = lsp.TextDocumentIdentifier("file:///nowhere/at_all.py")
    for position in outside:
        for id in (text.id, nobody):
            asked = lsp.HoverParams(id, position)
            editor.run(editor.client.text_document_hover_async(asked))
            wanted = lsp.DefinitionParams(id, position)
            editor.run(editor.client.text_document_definition_async(wanted))
    params = lsp.DocumentSymbolParams(nobody)
    assert editor.run(editor.client.text_document_document_symbol_async(params)) == []
    untitled = lsp.TextDocumentItem("untitled:Untitled-1", "python", 1, GOOD + "x = 1 1\n")
    editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(untitled))
    assert editor.diagnostics("untitled:Untitled-1", 1)


def message(body: bytes | dict[str, object]) -> bytes:
    if isinstance(body, dict):
        body = json.dumps({"jsonrpc": "2.0", **body}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def test_malformed_messages(tmp_path: Path) -> None:
    """What is no message is passed over; the server answers what comes after it, and ends with 0
    where its input ends.
    """
    sent = [
        message({"id": 1, "method": "initialize", "params": {"capabilities": {}}}),
        message({"method": "initialized", "params": {}}),
        message(b"{no json at all"),
        message(b"\xff\xfe\x00"),
        message({"id": 2, "method": "textDocument/hover", "params": {"position": "nowhere"}}),
        message({"id": 3, "method": "minits/no_such_method", "params": {}}),
        message({"method": "textDocument/didOpen", "params": {"textDocument": 7}}),
        message({"method": "textDocument/didChange", "params": [1, 2, 3]}),
        b"Some-Header: of another kind\r\n",
        message({"id": 4, "method": "textDocument/documentSymbol",
                 "params": {"textDocument": {"uri": "file:///nothing.py"}}}),
        message({"id": 5, "method": "shutdown"}),
        message({"method": "exit"}),
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "minits", "lsp"],
        input=b"".join(sent), capture_output=True, timeout=120, cwd=tmp_path,
    )  # fmt: skip
    answers = {}
    for part in done.stdout.split(b"Content-Length: ")[1:]:
        body = json.loads(part.partition(b"\r\n\r\n")[2])
        if "id" in body:
            answers[body["id"]] = body
    assert "capabilities" in answers[1]["result"]
    assert "error" in answers[3]
    assert answers[4]["result"] == []
    assert 5 in answers
    assert done.returncode == 0


# ---- The command ---------------------------------------------------------------------------------


def test_it_says_what_is_missing() -> None:
    code = (
        "import sys; sys.modules['pygls'] = None\n"
        "from minits.cli.main import main; sys.exit(main(['lsp']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'minits[lsp]'" in done.stderr
    assert "Traceback" not in done.stderr


# ---- Quick fixes ---------------------------------------------------------------------------------


def test_a_quick_fix_mends_its_fault(editor: Editor) -> None:
    """As many as the compiler has edits for; each makes its own fault, and no other, go away."""
    faulty = HEADER + "def f(n: int, x: Optional[Tensor]) -> Tensor:\n    é = '😀' + 1\n"
    faulty += "    if x != None:\n        n = 2\n    return torch.zerosx(n)\n"
    text = editor.open("cures.py", faulty)
    before = text.diagnostics()
    source = SourceFile(filename_of(text.uri), faulty)
    expected = [each.fix for each in analyse_text(source).diagnostics if each.edit is not None]
    made = [action for found in before for action in text.quick_fixes_at(found.range)]
    assert [(each.title[:1].lower() + each.title[1:]).split(" (a guess")[0] for each in made] == (
        expected
    )
    for action in made:
        assert action.edit is not None
        assert action.edit.changes is not None
        assert action.diagnostics is not None
        (mended,) = action.diagnostics
        text.change(applied(source, list(action.edit.changes[text.uri])))
        after = {(each.code, each.message) for each in text.diagnostics()}
        assert (mended.code, mended.message) not in after
        assert len(after) == len(before) - 1


def applied(source: SourceFile, edits: list[lsp.TextEdit]) -> str:
    units, text = Units(), source.text
    for edit in sorted(edits, key=lambda each: each.range.start, reverse=True):
        start, end = (units.offset(source, at) for at in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text
