"""An editor for tests: pygls's client, and a `minits lsp` that it starts as a process."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

T = TypeVar("T")
TIMEOUT = 60.0


class Editor:
    """A client whose requests wait for their answers."""

    def __init__(self, folder: Path, *options: str, settings: Any = None, **general: Any) -> None:
        self.folder = folder
        self.loop = asyncio.new_event_loop()
        self.client = LanguageClient("an editor", "1")
        self.published: dict[tuple[str, int | None], list[lsp.Diagnostic]] = {}
        self.logged: list[str] = []
        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda sent: self._take(sent))
        self.client.feature(lsp.WINDOW_LOG_MESSAGE)(lambda sent: self._take_log(sent))
        self.run(self.client.start_io(sys.executable, "-m", "minits", "lsp", *options))
        published = lsp.PublishDiagnosticsClientCapabilities(related_information=True)
        of_text = lsp.TextDocumentClientCapabilities(publish_diagnostics=published)
        capabilities = lsp.ClientCapabilities(
            text_document=of_text, general=lsp.GeneralClientCapabilities(**general)
        )
        self.server = self.run(
            self.client.initialize_async(
                lsp.InitializeParams(capabilities, initialization_options=settings)
            )
        ).capabilities
        self.client.initialized(lsp.InitializedParams())

    def run(self, waiting: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(asyncio.wait_for(waiting, TIMEOUT))

    def leave(self) -> int | None:
        """Shut the server down; return its exit status."""

        async def stop() -> int | None:
            await self.client.shutdown_async(None)
            self.client.exit(None)
            status = await self.client._server.wait()
            await self.client.stop()
            return status

        try:
            return self.run(stop())
        finally:
            self.loop.close()

    def _take(self, sent: lsp.PublishDiagnosticsParams) -> None:
        self.published[sent.uri, sent.version] = list(sent.diagnostics)

    def _take_log(self, sent: lsp.LogMessageParams) -> None:
        self.logged.append(sent.message)

    # ---- Texts ---------------------------------------------------------------------------------

    def open(self, name: str, text: str) -> Text:
        uri = (self.folder / name).as_uri()
        item = lsp.TextDocumentItem(uri, "python", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return Text(self, uri, text)

    def diagnostics(self, uri: str, version: int | None) -> list[lsp.Diagnostic]:
        """Wait for the diagnostics of a version of a text."""

        async def found() -> list[lsp.Diagnostic]:
            while (uri, version) not in self.published:
                await asyncio.sleep(0.01)
            return self.published[uri, version]

        return self.run(found())


class Text:
    """A text that is open in the editor."""

    def __init__(self, editor: Editor, uri: str, text: str) -> None:
        self.editor, self.client = editor, editor.client
        self.uri, self.text, self.version = uri, text, 1
        self.id = lsp.TextDocumentIdentifier(uri)

    def change(self, text: str) -> None:
        self.version, self.text = self.version + 1, text
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        id = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(id, [whole]))

    def close(self) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(self.id))

    def diagnostics(self) -> list[lsp.Diagnostic]:
        return self.editor.diagnostics(self.uri, self.version)

    def position(self, at: str) -> lsp.Position:
        """The place of `^` in `at`, the only line with its text, in UTF-16 units."""
        line = at.replace("^", "")
        assert self.text.count(line) == 1, line
        before = self.text[: self.text.index(line) + at.index("^")]
        last = before.rpartition("\n")[2]
        return lsp.Position(before.count("\n"), len(last.encode("utf-16-le")) // 2)

    def hover(self, at: str) -> str | None:
        params = lsp.HoverParams(self.id, self.position(at))
        found = self.editor.run(self.client.text_document_hover_async(params))
        return None if found is None else found.contents.value.replace("```python\n", "", 1)

    def definition(self, at: str) -> tuple[str, lsp.Range] | None:
        params = lsp.DefinitionParams(self.id, self.position(at))
        found = self.editor.run(self.client.text_document_definition_async(params))
        return None if found is None else (found.uri, found.range)

    def quick_fixes_at(self, range: lsp.Range) -> list[lsp.CodeAction]:
        params = lsp.CodeActionParams(self.id, range, lsp.CodeActionContext([]))
        return list(self.editor.run(self.client.text_document_code_action_async(params)) or [])
