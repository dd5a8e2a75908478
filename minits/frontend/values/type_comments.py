"""Type comments: the annotations of Python 2, which TorchScript still reads.

    def f(x, n):                       def f(x,  # type: Tensor
        # type: (Tensor, int) -> int         n,  # type: int
                                             ):
                                           # type: (...) -> int

torch looks for them line by line and refuses a function with a line that it cannot assign to any,
which might be meant to declare something; so does `require_type_comments`.

Source: torch/jit/annotations.py (`get_type_line`) and torch/csrc/jit/frontend/parser.cpp
(`parseTypeComment`).
"""

from __future__ import annotations

import re

from minits.diagnostics import CompileError, error
from minits.source import SourceFile, SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin

_MARK = "# type:"
_COMMENT = r"#[ \t]*type"
_IGNORED = r"# type: ignore(\[[-a-zA-Z]+\])?$"
_MISSPELT = r"#[ \t]*type[ \t]*:(?! ignore(\[.*\])?$)"
_WITH_RETURN = "# type: (...) -> "


def require_type_comments(definition: tree.FunctionDef) -> None:
    """Check the lines of a Python function. Raises `CompileError` (TS212) as torch refuses them."""
    lines = _lines(definition)
    marked = [line for line in lines if _MARK in line.text and not re.search(_IGNORED, line.text)]
    if len(marked) == 1 and not marked[0].text.strip().startswith(_MARK):
        raise error(
            marked[0],
            "TS212",
            "expected type comment but found code: the comment is to be alone on its line",
            fix=f"annotate the variable, or write {_MARK} (...) -> ... below the def",
        )
    if len(marked) > 1 and not any(_WITH_RETURN in line.text for line in marked):
        raise error(
            marked[-1],
            "TS212",
            "Return type line '# type: (...) -> ...' not found on multiline type annotation: "
            f"{len(marked)} lines of '{definition.name}' have a type comment",
            fix="annotate variables instead, and each parameter or none by a comment",
        )
    misspelt = [line for line in lines if not marked and re.search(_MISSPELT, line.text)]
    if misspelt:
        number = misspelt[0].begin.line
        raise error(
            misspelt[0],
            "TS212",
            f"The annotation prefix in line {number} is probably invalid: it is not '{_MARK}'",
            fix=f"write {_MARK} with these spaces, or say it in other words",
        )


def _lines(definition: tree.FunctionDef) -> list[SourceRange]:
    """Return the lines of a definition that may have a type comment."""
    source, start, end = definition.range
    text, found = source.text, []
    if "#" not in text:
        return []
    for comment in re.compile(_COMMENT).finditer(text, start, _line_end(source, end)):
        begin = text.rfind("\n", 0, comment.start()) + 1
        found.append(SourceRange(source, begin, _line_end(source, begin)))
    return list(dict.fromkeys(found))


def _line_end(source: SourceFile, offset: int) -> int:
    end = source.text.find("\n", offset)
    return end if end >= 0 else len(source.text)


def read_comment(
    definition: tree.FunctionDef, parameters: list[tree.arg], dialect: str
) -> tuple[list[tree.expr | None], tree.expr | None] | None:
    """Return the annotations of `# type: (int) -> Tensor`, or of a comment for each parameter.

    Raises `CompileError`.
    """
    signature = definition.type_comment
    per_parameter = [parameter.type_comment for parameter in parameters]
    head, arrow, _ = (signature or "").partition("->")
    if signature is None or not (arrow or head.startswith("(")):
        return None
    loc = origin(definition)
    comment = _comment(signature, definition.range)
    returns = _parse(_part(comment, len(head) + len(arrow), len(signature))) if arrow else None
    inside = _part(comment, 0, len(head))
    if not (inside.text.startswith("(") and inside.text.endswith(")")):
        raise _bad_comment(loc, signature)
    if inside.text[1:-1].strip() == "..." or any(per_parameter):
        if dialect == "torch":
            _require_as_many(sum(map(bool, per_parameter)), len(parameters), loc)
        texts = [
            _parse(_comment(text, parameter.range)) if text else None
            for parameter, text in zip(parameters, per_parameter, strict=True)
        ]
        return texts, returns
    given = _parse(inside)
    if not isinstance(given, tree.Tuple):  # one type in parentheses
        given = tree.Tuple(given.range, (given,))
    types: list[tree.expr | None] = list(given.elts)
    _require_as_many(len(types), len(parameters), loc)
    return types, returns


def _comment(text: str, after: SourceRange) -> SourceRange:
    """Return the range of a type comment with this text, searched from the range `after`.

    The comment of an overload stands in its declaration, not in the definition: its range is in a
    source of its own.
    """
    source, start, _ = after
    written = re.compile(rf"#[ \t]*type:[ \t]*({re.escape(text)})").search(source.text, start)
    if written is None:
        return SourceRange(SourceFile(source.filename, text), 0, len(text))
    return SourceRange(source, *written.span(1))


def _part(comment: SourceRange, start: int, end: int) -> SourceRange:
    """Return a part of a comment, without the blanks around it."""
    text = comment.text[start:end]
    begin = comment.start + start + len(text) - len(text.lstrip())
    return SourceRange(comment.source, begin, begin + len(text.strip()))


def _require_as_many(annotations: int, parameters: int, loc: SourceRange) -> None:
    if annotations != parameters:
        raise error(
            _head(loc),
            "TS212",
            f"Number of type annotations ({annotations}) did not match the number of function "
            f"parameters ({parameters}): in the type comment",
            fix="give the type of each parameter",
        )


def _head(loc: SourceRange) -> SourceRange:
    """Return the first line of a definition."""
    line = loc.source.text.find("\n", loc.start, loc.end)
    return loc if line < 0 else loc._replace(end=line)


def _parse(part: SourceRange) -> tree.expr:
    from minits.syntax import parse_expression

    try:
        parsed = parse_expression(SourceFile(part.source.filename, part.text))
    except CompileError:
        raise _bad_comment(part, part.text) from None
    return tree.relocated(
        parsed,
        lambda loc: SourceRange(part.source, part.start + loc.start, part.start + loc.end),
    )


def _bad_comment(loc: SourceRange, text: str) -> CompileError:
    fix = "write # type: (int, Tensor) -> Tensor"
    return error(loc, "TS212", f"the type comment {text!r} cannot be read", fix=fix)
