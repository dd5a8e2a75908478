"""Diagnostics, quick fixes and symbols, as the protocol has them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris

from minits.diagnostics import Diagnostic
from minits.lsp.error_pages import link
from minits.lsp.positions import Units
from minits.queries.symbols import Symbol
from minits.queries.text_analysis import TextAnalysis
from minits.short_names import with_short_names
from minits.source import SourceRange

_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
_SYMBOLS = {
    "class": lsp.SymbolKind.Class,
    "method": lsp.SymbolKind.Method,
    "function": lsp.SymbolKind.Function,
}


class Messages:
    """The messages about one text.

    shows_places: whether the client shows other places that belong to a diagnostic.
    """

    def __init__(self, analysis: TextAnalysis, units: Units, *, shows_places: bool) -> None:
        self.analysis, self.units, self.shows_places = analysis, units, shows_places

    def diagnostics(self) -> list[lsp.Diagnostic]:
        return [self.diagnostic(each) for each in self.analysis.diagnostics]

    def diagnostic(self, found: Diagnostic) -> lsp.Diagnostic:
        """Return a diagnostic; one in another file stands where this text leads there."""
        place = self._own_place(found)
        places = [*self._places(found, place)]
        lines = [with_short_names(found.message)]
        for text, loc in places:
            if loc is None or not self.shows_places:
                where = f"{loc.source.filename}:{loc.begin.line}: " if loc is not None else ""
                lines.append(f"{where}note: {text}")
        if found.fix:
            lines.append(f"help: {with_short_names(found.fix)}")
        address = link(found.code)
        return lsp.Diagnostic(
            range=self.units.range(place),
            message="\n".join(lines),
            severity=_SEVERITIES.get(found.severity, lsp.DiagnosticSeverity.Error),
            code=found.code,
            code_description=lsp.CodeDescription(address) if address else None,
            source="minits",
            related_information=[
                lsp.DiagnosticRelatedInformation(self.location(loc), text)
                for text, loc in places
                if loc is not None and self.shows_places
            ],
        )

    def _own_place(self, found: Diagnostic) -> SourceRange:
        source = self.analysis.source
        for loc in (found.range, *(caller.range for caller in found.callers)):
            if loc is not None and loc.source.filename == source.filename:
                return loc
        return SourceRange(source, 0, len(source.line(1)))

    def _places(
        self, found: Diagnostic, place: SourceRange
    ) -> Iterator[tuple[str, SourceRange | None]]:
        """Yield the notes, and other places that have to do with a diagnostic."""
        if found.range is not None and found.range is not place:
            yield "the fault is here", found.range
        for note in found.notes:
            yield with_short_names(note.message), note.range
        for caller in dict.fromkeys(found.callers):
            if caller.range is not None:
                yield str(caller), caller.range

    def location(self, loc: SourceRange) -> lsp.Location:
        return lsp.Location(uri_of(loc.source.filename), self.units.range(loc))

    # ---- Quick fixes ---------------------------------------------------------------------------

    def quick_fixes(self, uri: str, start: int, end: int) -> list[lsp.CodeAction]:
        """Return the cures of the diagnostics that touch the offsets from `start` to `end`."""
        actions: list[lsp.CodeAction] = []
        for found in self.analysis.diagnostics:
            place = self._own_place(found)
            if place.start <= end and start <= place.end:
                actions += self._cures(uri, found)
        return actions

    def _cures(self, uri: str, found: Diagnostic) -> Iterator[lsp.CodeAction]:
        edit = found.edit
        source = self.analysis.source
        if edit is None or any(r.range.source is not source for r in edit.replacements):
            return
        edits = [lsp.TextEdit(self.units.range(r.range), r.text) for r in edit.replacements]
        title = with_short_names(found.fix or found.message)
        yield lsp.CodeAction(
            title=title[:1].upper() + title[1:] + ("" if edit.is_safe else " (a guess)"),
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[self.diagnostic(found)],
            is_preferred=edit.is_safe,
            edit=lsp.WorkspaceEdit(changes={uri: edits}),
        )

    # ---- Symbols -------------------------------------------------------------------------------

    def symbol(self, symbol: Symbol) -> lsp.DocumentSymbol:
        return lsp.DocumentSymbol(
            name=symbol.name,
            kind=_SYMBOLS[symbol.kind],
            range=self.units.range(symbol.range),
            selection_range=self.units.range(symbol.name_range),
            children=[self.symbol(each) for each in symbol.inside],
        )


def uri_of(filename: str) -> str:
    """Return the address of a file. The text of no file is named by its address already."""
    if ":" in filename[2:]:
        return filename
    found: str = uris.from_fs_path(str(Path(filename).resolve()))
    return found


def filename_of(uri: str) -> str:
    """Return the path of a file's address; an address such as `untitled:1` stays as it is."""
    path: str | None = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return path or uri
