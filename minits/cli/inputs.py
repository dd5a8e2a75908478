"""Arguments of a program on the command line: `--input EXPR` and `--input NAME=EXPR`."""

from __future__ import annotations

import argparse
import re
from typing import Any, NamedTuple

from minits.cli.errors import UsageError
from minits.cli.programs import evaluate
from minits.diagnostics import CompileError, error
from minits.runtime.argument_faults import ArgumentError
from minits.source import SourceFile, SourceRange

_NAMED = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)")


class Inputs(NamedTuple):
    """The arguments of one call: `function(*inputs.args, **inputs.kwargs)`."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def call_inputs(options: argparse.Namespace) -> Inputs:
    """Evaluate the arguments, in the names of the file if it has been run to find programs.

    Raises `CompileError`, and `UsageError` for a name given twice.
    """
    module = getattr(options, "file_module", None)
    args: list[Any] = []
    pairs: list[tuple[str, Any]] = []
    for text in options.input:
        named = _NAMED.match(text)
        if named is None:
            args.append(evaluate(text, module, "TS802"))
        else:
            pairs.append((named[1], evaluate(text[named.end() :].strip(), module, "TS802")))
    kwargs = dict(pairs)
    if len(kwargs) < len(pairs):
        raise UsageError("--input NAME=... is given twice for one name")
    return Inputs(tuple(args), kwargs)


def unfit_inputs(problem: ArgumentError, options: argparse.Namespace) -> CompileError:
    """Return the error of arguments that do not fit a program."""
    shown = " ".join(f"--input '{text}'" for text in options.input)
    loc = SourceRange(SourceFile("<command line>", shown), 0, len(shown)) if shown else None
    fix = (
        "give --input once for each argument, in order or as NAME=EXPR, as Python expressions of "
        "these types"
    )
    return error(loc, "TS804", str(problem), fix=fix)
