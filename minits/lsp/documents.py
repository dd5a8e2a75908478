"""Open texts, analysed in a thread a moment after they change.

One thread analyses, since the compiler's tables belong to the process; the server goes on talking
meanwhile. An analysis that has not begun when its text changes again is dropped.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from minits.check.selection import Selection
from minits.check.settings import Settings
from minits.lazily import lazily
from minits.lsp.line_map import LineMap
from minits.records import replace
from minits.source import Position, SourceFile

if TYPE_CHECKING:
    from minits.queries.text_analysis import TextAnalysis

analyse_text: Callable[[SourceFile, str], TextAnalysis] = lazily(
    "minits.queries.text_analysis:analyse_text"
)

QUIET = 0.2
"""Seconds without a change after which a text is analysed."""
PATIENCE = 10.0
"""Seconds that a question waits for the first analysis of a text."""
STACK = 64 << 20
"""Bytes of the stack of the thread that analyses: programs are as deep as they are long."""


class Document:
    """One open text, its newest analysis, and the newest one of which the syntax was right."""

    def __init__(self, source: SourceFile, version: int | None) -> None:
        self.source, self.version = source, version
        self.analysis: TextAnalysis | None = None
        self.readable: TextAnalysis | None = None
        self.pending: asyncio.Task[None] | None = None

    def take(self, analysis: TextAnalysis) -> None:
        """Keep a new analysis."""
        self.analysis = analysis
        if analysis.tree is not None:
            self.readable = analysis

    async def settled(self) -> TextAnalysis | None:
        """Return the analysis of the text as it is, None if that takes too long."""
        await self._wait()
        is_new = self.analysis is not None and self.analysis.source is self.source
        return self.analysis if is_new else None

    async def readable_at(self, offset: int) -> tuple[TextAnalysis, Position, LineMap] | None:
        """Return the newest analysis with right syntax, and where an offset is in its text.

        Return None where there is no such analysis, or the line has changed since.
        """
        found = self._in_readable(offset)
        if found is None and self.pending is not None and not self.pending.done():
            source = self.source
            await self._wait()
            found = self._in_readable(offset) if self.source is source else None
        return found

    def _in_readable(self, offset: int) -> tuple[TextAnalysis, Position, LineMap] | None:
        if self.readable is None:
            return None
        lines = LineMap(self.readable.source, self.source)
        position = lines.to_old(self.source.position(offset))
        return None if position is None else (self.readable, position, lines)

    async def _wait(self) -> None:
        if self.pending is not None:
            await asyncio.wait({self.pending}, timeout=PATIENCE)


class Documents:
    """The open texts by their addresses."""

    def __init__(
        self,
        analysed: Callable[[str, Document], None],
        failed: Callable[[str], None],
    ) -> None:
        self._analysed, self._failed = analysed, failed
        self._open: dict[str, Document] = {}
        self._worker: ThreadPoolExecutor | None = None

    def get(self, uri: str) -> Document | None:
        return self._open.get(uri)

    def change(self, uri: str, source: SourceFile, version: int | None, settings: Settings) -> None:
        """Take the text of a document, and have it analysed: at once if it is new."""
        document = self._open.get(uri)
        quiet = 0.0 if document is None else QUIET
        if document is None:
            document = self._open[uri] = Document(source, version)
        elif document.pending is not None:
            document.pending.cancel()
        document.source, document.version = source, version
        analysis = self._analyse(uri, document, settings, quiet)
        document.pending = asyncio.get_running_loop().create_task(analysis)

    def close(self, uri: str) -> None:
        """Forget a text."""
        document = self._open.pop(uri, None)
        if document is not None and document.pending is not None:
            document.pending.cancel()

    async def _analyse(
        self, uri: str, document: Document, settings: Settings, quiet: float
    ) -> None:
        await asyncio.sleep(quiet)
        loop = asyncio.get_running_loop()
        try:
            analysis = await loop.run_in_executor(
                self._thread(), _reported, document.source, settings
            )
        except Exception as problem:  # the server outlives whatever a text leads to
            self._failed(f"{document.source.filename}: {type(problem).__name__}: {problem}")
            return
        document.take(analysis)
        for failure in analysis.failures:
            self._failed(failure)
        self._analysed(uri, document)

    def _thread(self) -> ThreadPoolExecutor:
        if self._worker is None:
            threading.stack_size(STACK)
            self._worker = ThreadPoolExecutor(1, "minits analysis")
        return self._worker


def _reported(source: SourceFile, settings: Settings) -> TextAnalysis:
    """Return the analysis of a text with the diagnostics that its project's settings leave."""
    analysis = analyse_text(source, settings.dialect)
    reports = Selection(settings).reports
    kept = tuple(each for each in analysis.diagnostics if reports(each, source.filename))
    return replace(analysis, diagnostics=kept)
