"""The command line: `minits compile`, `minits run`, `minits build`, and others.

IR and results go to standard output, diagnostics to standard error. Exit status: 0 when all went
well, 1 when a program is at fault, 2 when the command line or an input is, 3 when minits itself is.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence

from minits.cli import commands
from minits.cli.errors import UsageError
from minits.cli.report import report_faults, report_usage
from minits.diagnostics import CompileError
from minits.internal_error import InternalError, internal_errors
from minits.lazily import lazily
from minits.recursion import deep_recursion


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = _parser()
    try:
        options = parser.parse_args(arguments)
    except SystemExit as stop:  # argparse has told why
        return int(stop.code or 0)
    warnings.filterwarnings("ignore", category=DeprecationWarning, message=".*torch.jit.*")
    try:
        with internal_errors(f"minits {options.command}"), deep_recursion():
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="minits", description="Compile, check, inspect and run TorchScript."
    )
    parser.add_argument("--version", action="version", version=_version())
    subparsers = parser.add_subparsers(required=True, dest="command", metavar="COMMAND")
    _add_compile(subparsers)
    _add_run(subparsers)
    _add_build(subparsers)
    _add_check(subparsers)
    _add_inspect(subparsers)
    _add_lsp(subparsers)
    return parser


def _version() -> str:
    from minits import __version__

    return f"minits {__version__}"


def _add_program(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target",
        metavar="FILE[:NAME]",
        help="a Python file, `-` for standard input, and the function, module or class to take",
    )
    parser.add_argument(
        "--module", metavar="EXPR", help="make the module from this, such as 'Net(8, 2)'"
    )
    parser.add_argument("--fn", metavar="EXPR", help="make the function from this expression")
    _add_language(parser)


def _add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dialect",
        choices=("torch", "extended"),
        default="torch",
        help="extended also accepts what docs/extensions.md lists",
    )
    parser.add_argument(
        "--no-import",
        action="store_true",
        help="compile from the text alone, without running the file",
    )


def _add_compile(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("compile", help="compile a program and show what becomes of it")
    _add_program(parser)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--emit-ir", dest="emit", action="store_const", const="ir", default="ir")
    kind.add_argument("--emit", choices=commands.EMIT_KINDS, default="ir", metavar="KIND",
                      help=f"what to show: {', '.join(commands.EMIT_KINDS)}")  # fmt: skip
    parser.add_argument("-o", "--output", metavar="OUT", help="write to this file")
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="EXPR",
        help="with --emit=optimized, loops, cpp, cuda or --remarks: show the plan for a call with "
        "these arguments",
    )
    fusion = parser.add_argument_group("fusion (with --emit=loops, cpp, cuda, or any other)")
    fusion.add_argument(
        "--remarks",
        nargs="?",
        const="",
        metavar="KINDS",
        help="tell for each operator whether it was fused, and if not, why: passed,missed,analysis",
    )
    fusion.add_argument("--remarks-output", metavar="FILE", help="write all remarks as YAML")
    passes = parser.add_argument_group(
        "passes (those that compile the program, and those of --emit)"
    )
    passes.add_argument(
        "--passes",
        metavar="A,B,C",
        help="with --emit=optimized: run these passes and pipelines, in this order, on the inlined "
        "graph; with --input, they know the call (such as specialize,optimize,fusion)",
    )
    passes.add_argument("--print-ir-before", nargs="?", const="all", metavar="PASS")
    passes.add_argument("--print-ir-after", nargs="?", const="all", metavar="PASS")
    passes.add_argument("--print-ir-after-change", action="store_true")
    passes.add_argument("--print-changed", choices=("diff",))
    passes.add_argument("--verify-each", action="store_true")
    passes.add_argument("--time-passes", action="store_true")
    parser.set_defaults(run=commands.run_compile)


def _add_run(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("run", help="compile a program and call it")
    _add_program(parser)
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="EXPR",
        help="an argument, such as 'torch.randn(2, 3)'; once for each",
    )
    parser.add_argument("--method", default="forward", help="the method of a module to call")
    parser.add_argument("--stats", action="store_true", help="tell which plans were built")
    parser.add_argument(
        "--native", action="store_true", help="call the library in C that `minits build` would make"
    )
    parser.set_defaults(run=commands.run_run)


def _add_build(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("build", help="make a library in C of a program")
    parser.add_argument(
        "target",
        metavar="FILE[:NAME] | MODEL.pt",
        help="a Python file, and the function or module to take; or a TorchScript archive",
    )
    parser.add_argument(
        "--module", metavar="EXPR", help="make the module from this, such as 'Net(8, 2)'"
    )
    parser.add_argument("--fn", metavar="EXPR", help="make the function from this expression")
    _add_language(parser)
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
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="EXPR",
        help="an argument of the function or of forward, once for each: call the library with them "
        "and compare with the interpreter; an Optional that is None here is always None",
    )
    parser.add_argument("--no-compile", action="store_true", help="write the sources only")
    parser.set_defaults(run=commands.run_build)


def _add_check(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("check", help="report every fault of a file")
    parser.add_argument("target", metavar="FILE[:NAME]")
    parser.add_argument("--module", metavar="EXPR", help=argparse.SUPPRESS)
    parser.add_argument("--fn", metavar="EXPR", help=argparse.SUPPRESS)
    _add_language(parser)
    parser.set_defaults(run=commands.run_check)


def _add_inspect(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "inspect", help="tell what is in a TorchScript archive, without running any of it"
    )
    parser.add_argument("file", metavar="MODEL.pt")
    parser.add_argument("--code", action="store_true", help="show the code of its classes, too")
    parser.add_argument("--json", action="store_true", help="print all of it as JSON")
    parser.add_argument("--module", metavar="NAME", help="which module of a torch.package")
    parser.set_defaults(run=commands.run_inspect)


def _add_lsp(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "lsp", help="serve an editor over stdio: faults, cures, types, definitions"
    )
    parser.add_argument(
        "--dialect",
        choices=("torch", "extended"),
        default="torch",
        help="by whose rules, unless the editor says so in its settings",
    )
    parser.add_argument(
        "--stdio", action="store_true", help="talk over stdin and stdout, as it always does"
    )
    parser.set_defaults(run=lazily("minits.cli.language_server:run_lsp"))


if __name__ == "__main__":
    sys.exit(main())
