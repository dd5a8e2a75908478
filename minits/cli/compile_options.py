"""The options of `minits compile`, `minits run` and `minits opt`.

It imports nothing of the compiler, so that `--help` is quick: commands are imported when they run.
"""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from minits.cli.operators import add_operators
from minits.lazily import lazily

EMIT_KINDS = {
    "ast": "the syntax tree",
    "types": "the signature, and the type of every value",
    "ssa-before": "the graph as it was emitted: variables are loads and stores",
    "ir": "the graph, as torch prints it (the default)",
    "inlined": "the graph with all calls inlined",
    "optimized": "the graph after --passes, or of the plan for --input",
    "dot": "one of these graphs for graphviz; with --input, fused groups are boxes",
    "code": "the program as torch prints it, in an archive",
    "python": "the Python that runs around kernels",
    "native": "the program as C, or why it is not",
    "loops": "the loops of its kernels",
    "cpp": "its kernels as C",
    "cuda": "its kernels as CUDA",
}


def add_target(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the program: a file and what is taken of it. The help ends with `more`."""
    parser.add_argument(
        "target",
        metavar="FILE[:NAME]",
        help="a Python file, `-` for standard input, and the function, module, class or "
        f"MODULE.METHOD to take; or a TorchScript archive{more}",
    )
    add_maker(parser)
    add_language(parser)
    add_operators(parser)


def add_maker(parser: argparse.ArgumentParser) -> None:
    """Add the options whose expressions make the program."""
    maker = parser.add_mutually_exclusive_group()
    maker.add_argument(
        "--module", metavar="EXPR", help="make the module from this, such as 'Net(8, 2)'"
    )
    maker.add_argument("--fn", metavar="EXPR", help="make the function from this expression")


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how the file is read."""
    parser.add_argument(
        "--dialect",
        choices=("torch", "extended"),
        default="torch",
        help="extended also accepts what `minits docs extensions` lists",
    )
    parser.add_argument(
        "--no-import",
        action="store_true",
        help="compile from the text alone, without running the file",
    )


def add_input(parser: argparse.ArgumentParser, help: str) -> None:
    """Add `--input`, which is given once for each argument of a call."""
    parser.add_argument(
        "--input", action="append", default=[], metavar="[NAME=]EXPR", help=help
    )  # fmt: skip


def add_compile(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Add the command `compile`."""
    parser = subparsers.add_parser(
        "compile",
        help="compile a program and show what becomes of it",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="kinds of --emit:\n"
        + "\n".join(f"  {name:12}{text}" for name, text in EMIT_KINDS.items()),
    )
    add_target(parser)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--emit-ir", dest="emit", action="store_const", const="ir",
                      help="the same as --emit=ir")  # fmt: skip
    kind.add_argument("--emit", choices=[*EMIT_KINDS], metavar="KIND",
                      help="what to show: see below")  # fmt: skip
    parser.add_argument("-o", "--output", metavar="OUT", help="write to this file")
    parser.add_argument(
        "--method", metavar="NAME", help="show this method of a module, not all of them"
    )
    add_input(
        parser,
        "with --emit=optimized, dot, loops, cpp, cuda or --remarks: show the plan for a call with "
        "these arguments; once for each",
    )
    fusion = parser.add_argument_group("fusion (with any kind of --emit)")
    fusion.add_argument(
        "--remarks",
        nargs="?",
        const="passed,missed,analysis",
        metavar="KINDS",
        help="tell for each operator whether it was fused, and if not, why: passed,missed,analysis",
    )
    fusion.add_argument("--remarks-output", metavar="FILE", help="write all remarks as YAML")
    passes = parser.add_argument_group(
        "passes (those that compile the program, and those of --emit)"
    )
    passes.add_argument(
        "--passes",
        nargs="?",
        action=_Passes,
        metavar="A,B,C",
        help="with --emit=optimized or dot: run these passes and pipelines, in this order, on the "
        "inlined graph; with --input, they know the call (such as specialize,optimize,fusion); "
        "without a value, list all passes",
    )
    add_passes(passes)
    parser.set_defaults(emit="ir", run=lazily("minits.cli.compiling:run_compile"))


def add_passes(group: argparse._ArgumentGroup) -> None:
    """Add the options that list, load, show, check and time passes."""
    group.add_argument("--list-passes", action=_ListPasses, nargs=0,
                       help="list all passes, with a line on each")  # fmt: skip
    group.add_argument("--load-pass", action="append", default=[], metavar="FILE",
                       help="take passes of this Python file, too")  # fmt: skip
    group.add_argument("--print-ir-before", nargs="?", const="all", metavar="PASS",
                       help="print the graph before this pass, or before each")  # fmt: skip
    group.add_argument("--print-ir-after", nargs="?", const="all", metavar="PASS",
                       help="print the graph after this pass, or after each")  # fmt: skip
    group.add_argument("--print-ir-after-change", action="store_true",
                       help="print the graph after each pass that changed it")  # fmt: skip
    group.add_argument("--print-changed", choices=("diff",),
                       help="print what each pass changed")  # fmt: skip
    group.add_argument("--verify-each", action="store_true",
                       help="verify the graph after each pass")  # fmt: skip
    group.add_argument("--time-passes", action="store_true",
                       help="print how long each pass took")  # fmt: skip


class _ListPasses(argparse.Action):
    """Prints the passes and ends the command, as `--help` does."""

    def __call__(self, *_: object) -> NoReturn:
        import sys

        from minits.cli.passes import list_passes

        sys.stdout.write(list_passes())
        sys.exit(0)


class _Passes(argparse.Action):
    """Keeps the names of passes; without any, it lists the passes."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if not values:
            _ListPasses([], "")()
        setattr(namespace, self.dest, values)


def add_opt(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Add the command `opt`."""
    parser = subparsers.add_parser("opt", help="run passes on the text of graphs")
    parser.add_argument("file", metavar="FILE.ir", help="graphs as printed, `-` for standard input")
    parser.add_argument(
        "--passes",
        nargs="?",
        action=_Passes,
        metavar="A,B,C",
        help="run these passes and pipelines, in this order; without a value, list all passes",
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="write to this file")
    parser.add_argument("--emit", choices=("ir", "dot"), default="ir",
                        help="dot draws the graphs with graphviz")  # fmt: skip
    add_passes(parser.add_argument_group("passes"))
    parser.set_defaults(run=lazily("minits.cli.opt:run_opt"))


def add_run(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Add the command `run`."""
    parser = subparsers.add_parser("run", help="compile a program and call it")
    add_target(parser)
    add_input(parser, "an argument, such as 'torch.randn(2, 3)'; once for each")
    add_method(parser)
    parser.add_argument("--stats", action="store_true", help="tell which plans were built")
    parser.add_argument(
        "--native", action="store_true", help="call the library in C that `minits build` would make"
    )
    parser.add_argument(
        "--record",
        metavar="F.json",
        help="run it by the interpreter, and write each operation with the values that it gave",
    )
    parser.set_defaults(run=lazily("minits.cli.running:run_run"))


def add_debug(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Add the command `debug`."""
    parser = subparsers.add_parser(
        "debug", help="step over the operations of a call, forwards and backwards"
    )
    add_target(parser, "; or a recording of `minits run --record F.json`")
    add_input(parser, "an argument, such as 'torch.randn(2, 3)'; once for each")
    add_method(parser)
    parser.set_defaults(run=lazily("minits.cli.debugging:run_debug"))


def add_method(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a method of a module, which is called."""
    parser.add_argument(
        "--method", metavar="NAME", help="the method of a module to call: forward, if none is given"
    )
