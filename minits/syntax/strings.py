"""String tokens to nodes: adjacent ones are joined, f-strings have their expressions parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.diagnostics import error
from minits.source import SourceFile, SourceRange
from minits.syntax import tree
from minits.syntax.lexer import tokenize_part
from minits.syntax.literals import BadLiteral, split_string, string_value, unescape
from minits.syntax.tokens import Tokens

if TYPE_CHECKING:
    from minits.syntax.fstrings import Field, Part, Text

_ALIKE = "begin all of them with b, or none"


def build_strings(source: SourceFile, tokens: Tokens, indices: list[int]) -> tree.expr:
    """Return a `Constant`, or a `JoinedStr` where one of the strings is an f-string."""
    return _Strings(source, tokens, indices).build()


class _Strings:
    def __init__(self, source: SourceFile, tokens: Tokens, indices: list[int]) -> None:
        self.source, self.tokens, self.indices = source, tokens, indices
        self.where = SourceRange(source, tokens.starts[indices[0]], tokens.ends[indices[-1]])

    def text(self, index: int) -> str:
        return self.source.text[self.tokens.starts[index] : self.tokens.ends[index]]

    def build(self) -> tree.expr:
        """Return the node of adjacent strings, joined. Raises `CompileError`."""
        texts = [self.text(index) for index in self.indices]
        prefixes = [split_string(text)[0] for text in texts]
        if any("f" in prefix for prefix in prefixes):
            return self._joined(texts, prefixes)
        try:
            values = [string_value(text) for text in texts]
        except BadLiteral as why:
            raise self._fault(str(why), why.fix) from None
        kind = "u" if prefixes[0] == "u" else None
        if len(values) == 1:
            return tree.Constant(self.where, values[0], kind)
        if len({type(value) for value in values}) > 1:
            raise self._fault("bytes and str cannot be joined", _ALIKE)
        joined = values[0][:0].join(values)  # type: ignore[arg-type]
        return tree.Constant(self.where, joined, kind)

    def _fault(self, message: str, fix: str | None) -> Exception:
        return error(self.where, "TS011", message, fix=fix)

    def _joined(self, texts: list[str], prefixes: list[str]) -> tree.JoinedStr:
        parts: list[tree.expr] = []
        for index, text, prefix in zip(self.indices, texts, prefixes, strict=True):
            start = self.tokens.starts[index]
            if "b" in prefix:
                raise self._fault("bytes and str cannot be joined", _ALIKE)
            if "f" in prefix:
                found = self.tokens.fstrings[index]
                parts += self._parts(found, "r" in prefix, False)
            else:
                loc = SourceRange(self.source, start, self.tokens.ends[index])
                try:
                    parts.append(tree.Constant(loc, string_value(text), None))
                except BadLiteral as why:
                    raise self._fault(str(why), why.fix) from None
        return tree.JoinedStr(self.where, _merged(parts))

    def _parts(self, found: list[Part], raw: bool, in_spec: bool) -> list[tree.expr]:
        from minits.syntax.fstrings import Text

        parts: list[tree.expr] = []
        for part in found:
            if isinstance(part, Text):
                parts.append(self._literal(part, raw, in_spec))
                continue
            begin, end = part.expression
            if part.debug is not None:
                loc = SourceRange(self.source, begin, begin + len(part.debug))
                parts.append(tree.Constant(loc, part.debug, None))
            parts.append(self._field(part, raw, begin, end))
        return parts

    def _field(self, part: Field, raw: bool, begin: int, end: int) -> tree.FormattedValue:
        from minits.syntax.parser import parse

        inner = tokenize_part(self.source, begin, end)
        expression = parse(self.source, inner, "field")
        spec = None
        if part.spec is not None:
            loc = SourceRange(self.source, part.spec_start, part.end - 1)
            spec = tree.JoinedStr(loc, _merged(self._parts(part.spec, raw, True)))
        loc = SourceRange(self.source, part.start, part.end)
        return tree.FormattedValue(loc, expression, part.conversion, spec)

    def _literal(self, part: Text, raw: bool, in_spec: bool) -> tree.Constant:
        loc = SourceRange(self.source, part.start, part.end)
        text = self.source.text[part.start : part.end].replace("\r\n", "\n").replace("\r", "\n")
        if not in_spec:
            text = text.replace("{{", "{").replace("}}", "}")
        try:
            value = text if raw else unescape(text)
        except BadLiteral as why:
            raise self._fault(str(why), why.fix) from None
        return tree.Constant(loc, value, None)


def _merged(parts: list[tree.expr]) -> tuple[tree.expr, ...]:
    """Join constants that follow one another; drop empty ones."""
    merged: list[tree.expr] = []
    for part in parts:
        last = merged[-1] if merged else None
        if isinstance(part, tree.Constant):
            if part.value == "":
                continue
            if isinstance(last, tree.Constant):
                loc = SourceRange(part.range.source, last.range.start, part.range.end)
                merged[-1] = tree.Constant(loc, last.value + part.value, None)
                continue
        merged.append(part)
    return tuple(merged)
