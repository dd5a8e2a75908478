"""The server: each request and notification of the protocol, and the function that answers it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from minits import __version__
from minits.check.settings import Settings, SettingsError, read_settings
from minits.lazily import lazily
from minits.lsp.documents import Document, Documents
from minits.lsp.positions import Units
from minits.records import replace
from minits.source import Position, SourceFile

if TYPE_CHECKING:
    from minits.lsp.line_map import LineMap
    from minits.queries.text_analysis import TextAnalysis

type_at: Callable[..., Any] = lazily("minits.queries.type_at:type_at")
definition_at: Callable[..., Any] = lazily("minits.queries.definitions:definition_at")
symbols_of: Callable[..., Any] = lazily("minits.queries.symbols:symbols_of")
Messages: Callable[..., Any] = lazily("minits.lsp.messages:Messages")
filename_of: Callable[[str], str] = lazily("minits.lsp.messages:filename_of")


class Server(LanguageServer):  # type: ignore[misc]
    """pygls's server with the texts that are open."""

    def __init__(self, dialect: str | None) -> None:
        # Whole texts: pygls would cut lines at form feeds to apply changes of parts.
        full = lsp.TextDocumentSyncKind.Full
        super().__init__("minits", __version__, text_document_sync_kind=full)
        self.dialect = dialect
        self._wrong_settings = ""
        self.documents = Documents(self.publish, self.log)

    @property
    def units(self) -> Units:
        return Units(self.workspace.position_encoding)

    @property
    def shows_places(self) -> bool:
        """Return whether the client shows the other places of a diagnostic."""
        of_text = self.client_capabilities.text_document
        published = of_text.publish_diagnostics if of_text is not None else None
        return published is not None and bool(published.related_information)

    def changed(self, uri: str) -> None:
        """Take the text of a document that was opened or changed."""
        document = self.workspace.get_text_document(uri)
        source = SourceFile(filename_of(uri), document.source)
        self.documents.change(uri, source, document.version, self.settings_of(source.filename))

    def settings_of(self, filename: str) -> Settings:
        """Return the settings of the file's project; the editor's dialect comes before theirs."""
        folder = Path(filename).absolute().parent
        try:
            settings = read_settings(folder)
        except SettingsError as fault:
            if str(fault) != self._wrong_settings:  # once, not at each key
                self._wrong_settings = str(fault)
                self.log(self._wrong_settings)
            settings = Settings(folder)
        return settings if self.dialect is None else replace(settings, dialect=self.dialect)

    def publish(self, uri: str, document: Document) -> None:
        messages = Messages(document.analysis, self.units, shows_places=self.shows_places)
        self._send(uri, messages.diagnostics(), document.version)

    def forget(self, uri: str) -> None:
        self.documents.close(uri)
        self._send(uri, [], None)

    def _send(self, uri: str, found: list[lsp.Diagnostic], version: int | None) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version))

    def log(self, message: str) -> None:
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, message))


# ---- Texts ---------------------------------------------------------------------------------------


def initialize(ls: Server, params: lsp.InitializeParams) -> None:
    """Take the client's settings: `{"dialect": "extended"}`."""
    given = params.initialization_options
    dialect = given.get("dialect") if isinstance(given, dict) else None
    if dialect in ("torch", "extended"):
        ls.dialect = dialect


def did_open(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    ls.changed(params.text_document.uri)


def did_change(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    ls.changed(params.text_document.uri)


def did_close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    ls.forget(params.text_document.uri)


# ---- Questions -----------------------------------------------------------------------------------


async def _known_at(
    ls: Server, params: lsp.TextDocumentPositionParams
) -> tuple[TextAnalysis, Position, LineMap] | None:
    """Return the analysis that answers for a position, of the text or of an earlier one of it."""
    document = ls.documents.get(params.text_document.uri)
    if document is None:
        return None
    return await document.readable_at(ls.units.offset(document.source, params.position))


async def hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """The type of the expression at a position, and why it has it."""
    known = await _known_at(ls, params)
    if known is None:
        return None
    analysis, position, lines = known
    found = type_at(analysis.record, position)
    if found is None:
        return None
    text = f"```python\n{' or '.join(found.types)}\n```"
    why = found.refinement or found.ended
    if why is not None:
        text += f"\n\n{why}"
    down = lines.lines_down(found.range.begin.line)
    return lsp.Hover(
        lsp.MarkupContent(lsp.MarkupKind.Markdown, text),
        None if down is None else ls.units.range(found.range, down),
    )


async def definition(ls: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
    """The place where the name at a position is defined."""
    known = await _known_at(ls, params)
    if known is None:
        return None
    analysis, position, lines = known
    found = definition_at(analysis.tree, analysis.record, position)
    if found is None:
        return None
    if found.source is analysis.source:
        down = lines.lines_down(found.begin.line)
        here = params.text_document.uri
        return None if down is None else lsp.Location(here, ls.units.range(found, down))
    location: lsp.Location = Messages(analysis, ls.units, shows_places=True).location(found)
    return location


async def code_action(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """The cures of the diagnostics at a range."""
    document = ls.documents.get(params.text_document.uri)
    analysis = await document.settled() if document is not None else None
    if document is None or analysis is None:
        return []
    start = ls.units.offset(document.source, params.range.start)
    end = ls.units.offset(document.source, params.range.end)
    messages = Messages(analysis, ls.units, shows_places=ls.shows_places)
    found: list[lsp.CodeAction] = messages.quick_fixes(params.text_document.uri, start, end)
    return found


async def document_symbol(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    """The functions and classes of a text whose syntax is right."""
    document = ls.documents.get(params.text_document.uri)
    analysis = await document.settled() if document is not None else None
    if analysis is None or analysis.tree is None:
        return []
    messages = Messages(analysis, ls.units, shows_places=True)
    return [messages.symbol(each) for each in symbols_of(analysis.tree)]


_QUICK_FIXES = lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix])


def make_server(dialect: str | None = None) -> Server:
    """Return a server that is not connected to anything yet."""
    server = Server(dialect)
    server.feature(lsp.INITIALIZE)(initialize)
    server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(did_open)
    server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(did_close)
    server.feature(lsp.TEXT_DOCUMENT_HOVER)(hover)
    server.feature(lsp.TEXT_DOCUMENT_DEFINITION)(definition)
    server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, _QUICK_FIXES)(code_action)
    server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(document_symbol)
    return server


def serve(dialect: str | None) -> None:
    """Serve over stdin and stdout until the client leaves.

    What anything prints meanwhile goes to stderr: on stdout it would break the protocol.
    """
    output, sys.stdout = sys.stdout, sys.stderr
    try:
        make_server(dialect).start_io(sys.stdin.buffer, output.buffer)
    finally:
        sys.stdout = output
