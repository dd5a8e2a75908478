"""The command line: `minits compile`, `minits run`, `minits build`, and others.

IR and results go to standard output, diagnostics to standard error. Exit status: 0 when all went
well, 1 when a program is at fault, 2 when the command line or an input is, 3 when minits itself is.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any

from minits.cli.checking import add_check
from minits.cli.compile_options import (
    add_compile,
    add_debug,
    add_input,
    add_language,
    add_maker,
    add_opt,
    add_run,
    add_target,
)
from minits.cli.completion import PrintCompletion
from minits.cli.errors import UsageError
from minits.cli.operators import add_operators, load_operators_of
from minits.cli.parsing import Parser, with_standard_input
from minits.diagnostics import CompileError
from minits.internal_error import InternalError, internal_errors
from minits.lazily import lazily
from minits.recursion import deep_recursion

report_faults = lazily("minits.cli.report:report_faults")
report_usage = lazily("minits.cli.report:report_usage")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        options = command_line().parse_args(with_standard_input(given))
    except SystemExit as stop:  # --help and the like have printed what they print
        return int(stop.code or 0)
    except UsageError as fault:
        report_usage(str(fault))
        return 2
    if isinstance(sys.stdout, TextIOWrapper):  # names and strings need not be Unicode
        sys.stdout.reconfigure(errors="backslashreplace")
    warnings.filterwarnings("ignore", category=DeprecationWarning, message=".*torch.jit.*")
    try:
        with internal_errors(f"minits {options.command}"), deep_recursion():
            if options.command != "check":  # which does it where files are checked
                load_operators_of(options)
            status: int = options.run(options)
    except CompileError as fault:
        report_faults(fault)
        return 1
    except UsageError as fault:
        report_usage(str(fault))
        return 2
    except InternalError as fault:
        report_usage(str(fault))
        return 3
    except BrokenPipeError:  # the reader of our output has gone, as with `| head`
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
    return status


def command_line() -> argparse.ArgumentParser:
    """Return the parser of all commands and their options."""
    parser = Parser(prog="minits", description="Compile, check, inspect and run TorchScript.")
    parser.add_argument("--version", action="version", version=_version(),
                        help="print the version of minits and exit")  # fmt: skip
    parser.add_argument(
        "--print-completion",
        action=PrintCompletion,
        metavar="SHELL",
        help="print a script for bash, zsh or tcsh that completes commands and options",
    )
    subparsers = parser.add_subparsers(required=True, dest="command", metavar="COMMAND")
    add_compile(subparsers)
    add_run(subparsers)
    add_debug(subparsers)
    add_opt(subparsers)
    _add_build(subparsers)
    add_check(subparsers)
    _add_inspect(subparsers)
    _add_report(subparsers)
    _add_explain(subparsers)
    _add_docs(subparsers)
    _add_lsp(subparsers)
    return parser


def _version() -> str:
    from minits import __version__

    return f"minits {__version__}"


def _add_build(subparsers: argparse._SubParsersAction[Any]) -> None:
    parser = subparsers.add_parser("build", help="make a library in C of a program")
    parser.add_argument(
        "target",
        metavar="FILE[:NAME] | MODEL.pt",
        help="a Python file, and the function or module to take; or a TorchScript archive",
    )
    add_maker(parser)
    add_language(parser)
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="the folder to write")
    parser.add_argument(
        "--name", default="model", help="the name of the library and of its files: model.c"
    )
    parser.add_argument(
        "--line-directives",
        action="store_true",
        help="let debuggers step through the lines of the program instead of those of model.c",
    )
    parser.add_argument(
        "--embed", action="store_true", help="put the weights into model.c, not into a file"
    )
    add_input(
        parser,
        "an argument of the function or of forward, once for each: call the library with them "
        "and compare with the interpreter; an Optional that is None here is always None",
    )
    parser.add_argument("--no-compile", action="store_true", help="write the sources only")
    add_operators(parser)
    parser.set_defaults(run=lazily("minits.cli.libraries:run_build"))


def _add_inspect(subparsers: argparse._SubParsersAction[Any]) -> None:
    parser = subparsers.add_parser(
        "inspect", help="tell what is in a TorchScript archive, without running any of it"
    )
    parser.add_argument("file", metavar="MODEL.pt")
    parser.add_argument("--code", action="store_true", help="show the code of its classes, too")
    parser.add_argument("--json", action="store_true", help="print all of it as JSON")
    parser.add_argument("--module", metavar="NAME", help="which module of a torch.package")
    add_operators(parser)
    parser.set_defaults(run=lazily("minits.cli.commands:run_inspect"))


def _add_explain(subparsers: argparse._SubParsersAction[Any]) -> None:
    parser = subparsers.add_parser(
        "explain", help="explain the code of an error or a remark, or a place of a program"
    )
    parser.add_argument(
        "what",
        metavar="CODE | FILE:LINE[:COLUMN] | MODEL.pt/code/NAME.py:LINE",
        help="such as TS402, not-elementwise or model.py:12; of a place: types and where they come "
        "from, branches that are not compiled, kernels",
    )
    add_maker(parser)
    add_language(parser)
    add_input(parser, "of a place: tell the kernels of a call with these arguments; once for each")
    add_operators(parser)
    parser.set_defaults(run=lazily("minits.cli.explaining:run_explain"))


def _add_docs(subparsers: argparse._SubParsersAction[Any]) -> None:
    parser = subparsers.add_parser("docs", help="show a page of the documentation")
    parser.add_argument(
        "page",
        metavar="PAGE[#HEADING]",
        nargs="?",
        help="such as fusion; without it, the pages are listed",
    )
    parser.set_defaults(run=lazily("minits.cli.pages:run_docs"))


def _add_report(subparsers: argparse._SubParsersAction[Any]) -> None:
    report = subparsers.add_parser(
        "report", help="write a page that shows a compilation: source, every pass, kernels"
    )
    view = subparsers.add_parser(
        "view", help="serve that page on this computer, made anew when the file changes"
    )
    for parser in (report, view):
        add_target(parser, "; or a recording of `minits run --record F.json`")
        add_input(parser, "an argument of the call that is shown, once for each")
        parser.add_argument(
            "--record",
            action="store_true",
            help="run the call, too, by the interpreter, so that the page can play it step by step",
        )
    report.add_argument(
        "-o", "--output", metavar="OUT.html", required=True, help="the file to write"
    )
    report.set_defaults(run=lazily("minits.cli.report_page:run_report"))
    view.add_argument("--port", type=int, default=8421, help="the port; 0 takes one that is free")
    view.set_defaults(run=lazily("minits.cli.view_page:run_view"))


def _add_lsp(subparsers: argparse._SubParsersAction[Any]) -> None:
    parser = subparsers.add_parser(
        "lsp", help="serve an editor over stdio: faults, cures, types, definitions"
    )
    parser.add_argument(
        "--dialect",
        choices=("torch", "extended"),
        help="by whose rules, whatever the project's settings say",
    )
    parser.add_argument(
        "--stdio", action="store_true", help="talk over stdin and stdout, as it always does"
    )
    parser.set_defaults(run=lazily("minits.cli.language_server:run_lsp"))


if __name__ == "__main__":
    sys.exit(main())
