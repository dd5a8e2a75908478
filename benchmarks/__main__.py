"""Measure something: `python -m benchmarks COMMAND`."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from typing import Any, NamedTuple


class Option(NamedTuple):
    """An option of a command; its name, or `dest`, is a parameter of the module's `run`."""

    name: str
    default: Any = None
    metavar: str | None = None
    help: str | None = None
    dest: str | None = None

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        if self.default is False:
            parser.add_argument(self.name, action="store_true", help=self.help)
            return
        kind = type(self.default) if self.default is not None else str
        reads = (lambda text: text.split(",")) if kind is list else kind
        named = {"dest": self.dest} if self.dest else {}
        parser.add_argument(
            self.name,
            type=reads,
            default=self.default,
            metavar=self.metavar,
            help=self.help,
            **named,
        )


class Command(NamedTuple):
    """A module of this package, whose `run` measures, prints, and returns an exit status.

    Where `run` starts processes of their own, these call `measure_part` with a text.
    """

    name: str
    help: str
    options: tuple[Option, ...] = ()
    module: str | None = None
    """The module, where it has another name."""

    def parser(self, commands: Any) -> None:
        parser = commands.add_parser(self.name, help=self.help)
        for option in self.options:
            option.add_to(parser)
        parser.add_argument("--part", help=argparse.SUPPRESS)

    def run(self, options: dict[str, Any]) -> int:
        module = importlib.import_module(f"benchmarks.{self.module or self.name}")
        part = options.pop("part")
        if part is not None:
            print(json.dumps(module.measure_part(part)))
            return 0
        status: int = module.run(**options)
        return status


def rounds(number: int) -> Option:
    return Option("--rounds", number)


def only(what: str) -> Option:
    return Option("--only", metavar=what, help="measure this one alone")


FILE = Option("--json", metavar="FILE", help="write the figures to it", dest="file")
COMMANDS = (
    Command(
        "compile", "script() against torch.jit.script",
        (
            rounds(7), FILE,
            Option("--bytecodes", False, help="count what warm compilations execute"),
        ),
    ),
    Command("parse", "the parser against ast.parse", (rounds(11),)),
    Command("calls", "calling compiled code, against torch.jit", (rounds(7), FILE)),
    Command("arguments", "calls by kinds of arguments, against torch.jit", (rounds(21), FILE)),
    Command("native", "programs as C, against torch.jit", (rounds(7), FILE)),
    Command("dispatcher", "ways to call an operator from C", (rounds(300),)),
    Command(
        "modules", "calls of small modules, against torch.jit",
        (
            rounds(21), FILE, only("MODULE"),
            Option("--native", "hot", help="the value of MINITS_NATIVE"),
        ),
        "module_calls",
    ),
    Command(
        "plain", "calls of a few operators, against torch.jit",
        (rounds(21), FILE, only("PROGRAM")),
    ),
    Command("native_build", "libraries in C, against torch.jit", (rounds(15), FILE)),
    Command(
        "cpu", "fused kernels against eager, torch.jit, torch.compile",
        (
            rounds(15), FILE, only("PATTERN"),
            Option("--peers", ["torch.jit", "torch.compile"], "A,B", "compare with these"),
        ),
    ),
    Command(
        "pairs", "fused kernels in an earlier state and in this one",
        (
            Option("folder", metavar="BEFORE", help="a checkout of the earlier state"),
            Option("--sizes", ["1k", "64k"], "A,B", "of 1k, 64k, 4M"),
            Option("--starts", 5, help="pairs of processes"), rounds(21), only("PATTERN"),
        ),
    ),
    Command("accuracy", "errors of functions, in ulp, and eager's", (only("FUNCTION"),)),
    Command(
        "first-calls", "what the first call of a program costs", (rounds(1), FILE), "first_calls"
    ),
    Command(
        "growth", "script() and first calls of long programs",
        (
            Option("--kinds", [], "A,B", "of chain, branches, loops, ..."),
            Option("--sizes", [], "N,M", "statements: 100,400,1600,6400"),
        ),
    ),
    Command(
        "cliffs", "what compilers are known to be slow at", (rounds(7), FILE, only("TEXT"))
    ),
    Command(
        "memory", "peak memory of calls, against eager's and torch.jit's",
        (rounds(1), FILE, only("TEXT")),
    ),
    Command("pages", "report pages: written, and opened in chromium", (rounds(5),)),
    Command("tasks", "torch.jit.fork, against torch.jit's own", (rounds(7),)),
    Command(
        "archives", "load and save, against torch.jit's",
        (
            Option("--mib", 1024, help="weights of the large archive"),
            Option("--modules", 400, help="modules of the other archive"), rounds(5),
        ),
    ),
)  # fmt: skip


def main() -> int:
    os.environ.setdefault("MINITS_BUILD", "now")  # what first calls put off is measured, too
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for command in COMMANDS:
        command.parser(commands)
    options = vars(parser.parse_args())
    chosen = options.pop("command")
    return next(command for command in COMMANDS if command.name == chosen).run(options)


if __name__ == "__main__":
    sys.exit(main())
