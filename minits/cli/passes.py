"""The options of `minits compile` and `minits opt` that run, show, check and time passes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from minits.cli.errors import UsageError
from minits.ir.graph import Graph
from minits.ir.printer import print_graph
from minits.ir.verifier import InvalidIR, verify
from minits.passes.instrumentation import PassPrinter, instrumented
from minits.passes.pipeline import PASSES, PIPELINES, check_names, passes_in
from minits.passes.user_passes import PassFault, loaded_passes

_OF_NO_CALL = ("ast", "types", "ssa-before", "ir", "inlined", "code", "python", "native")
"""The kinds of `--emit` that are the same for all calls."""
_OF_PASSES = ("optimized", "dot")
"""The kinds of `--emit` that show a graph after passes that can be named."""


class PassWatch:
    """Watches the passes of a command: what ran, and graphs before they were in SSA form.

    `printer` prints what the options ask for.
    """

    def __init__(
        self, printer: PassPrinter, users: Sequence[str] = (), keeps_emitted: bool = False
    ) -> None:
        """Watch, and verify the graphs that passes of the user's files (`users`) have changed."""
        self.ran: set[str] = set()
        self._printer = printer
        self._users = users
        self._keeps_emitted = keeps_emitted
        self._emitted: dict[Graph, str] = {}

    def before(self, name: str, graph: Graph, program: str) -> None:
        self.ran.add(name)
        if name == "to-ssa" and self._keeps_emitted:
            self._emitted[graph] = print_graph(graph)
        self._printer.before(name, graph, program)

    def after(self, name: str, graph: Graph, program: str, changed: bool, seconds: float) -> None:
        if name in self._users:
            _verify_result(name, graph)
        self._printer.after(name, graph, program, changed, seconds)

    def emitted(self, graph: Graph) -> str:
        """Return the text of a graph before it was in SSA form.

        Raises `UsageError` for one that was compiled before this command watched.
        """
        if graph not in self._emitted:
            raise UsageError("--emit=ssa-before is for programs that are compiled by this command")
        return self._emitted[graph]

    def refuse_passes_that_did_not_run(self, options: argparse.Namespace) -> None:
        """Raise `UsageError` where the graph of a pass was to be shown that has not run."""
        for name in (options.print_ir_before, options.print_ir_after):
            if name not in (None, "all", *self.ran):
                ran = ", ".join(each for each in PASSES if each in self.ran)
                raise UsageError(f"the pass {name!r} was not run; these were: {ran or 'none'}")


@contextmanager
def watching_passes(options: argparse.Namespace) -> Iterator[PassWatch]:
    """Show the passes that run in the block as the options ask.

    `options.passes` becomes a list of names. Raises `UsageError` for options that would do nothing.
    """
    with _loaded(options.load_pass) as users:
        options.passes = options.passes.split(",") if options.passes else []
        refuse_unknown_passes(options, users)
        printer = PassPrinter(
            print_ir_before=options.print_ir_before,
            print_ir_after=options.print_ir_after,
            print_ir_after_change=options.print_ir_after_change,
            print_changed=options.print_changed,
            verify_each=options.verify_each,
        )
        watch = PassWatch(printer, users, getattr(options, "emit", None) == "ssa-before")
        with instrumented(watch):
            yield watch
        if options.time_passes:
            printer.write_times()


@contextmanager
def _loaded(files: Sequence[str]) -> Iterator[list[str]]:
    try:
        with loaded_passes(files) as names:
            yield names
    except PassFault as fault:
        raise UsageError(str(fault)) from None


def _verify_result(name: str, graph: Graph) -> None:
    try:
        verify(graph)
    except InvalidIR as broken:
        raise PassFault(f"the pass {name!r} broke the graph:\n{broken}") from None


def refuse_idle_options(options: argparse.Namespace) -> None:
    """Raise `UsageError` for an option of `minits compile` that `--emit` makes useless."""
    kind = options.emit
    if options.passes and kind not in _OF_PASSES:
        raise UsageError(f"--passes is for --emit={' and '.join(_OF_PASSES)}, not --emit={kind}")
    if options.load_pass and not options.passes:
        raise UsageError("--load-pass is for passes that --passes names")
    has_remarks = options.remarks is not None or bool(options.remarks_output)
    if options.input and kind in _OF_NO_CALL and not has_remarks:
        raise UsageError(f"--input is for the plan of a call, which --emit={kind} has not")


def refuse_unknown_passes(options: argparse.Namespace, users: Sequence[str]) -> None:
    """Raise `UsageError` for passes that there are not, or that lack what they need."""
    for name in (options.print_ir_before, options.print_ir_after):
        if name not in (None, "all", *PASSES):
            raise UsageError(f"there is no pass {name!r}: there are {', '.join(PASSES)}")
    try:
        check_names(options.passes)
    except KeyError as unknown:
        there_are = ", ".join([*PASSES, *PIPELINES])
        raise UsageError(f"there is no pass {unknown}: there are {there_are}") from None
    if users and not {*users} & {*passes_in(options.passes)}:
        raise UsageError(f"--load-pass is for passes that --passes names: {', '.join(users)}")
    _refuse_idle_passes(options.passes, bool(getattr(options, "input", None)))


def _refuse_idle_passes(names: list[str], has_call: bool) -> None:
    """Refuse passes of plans without a call, and those that read metadata before it is there."""
    before: set[str] = set()
    for name in passes_in(names):
        row = PASSES[name]
        if row.is_of_call and not has_call:
            raise UsageError(
                f"the pass {name!r} is of the plan of a call: name it in minits compile "
                "--emit=optimized, and give the call with --input"
            )
        if row.reads_metadata and "infer-metadata" not in before:
            raise UsageError(
                f"the pass {name!r} needs to know of tensors: name 'infer-metadata' before it"
            )
        before.add(name)


# ---- The list ----------------------------------------------------------------------------------


def list_passes() -> str:
    """Return a table of all passes, with a line on each, and of the pipelines."""
    width = max(map(len, [*PASSES, *PIPELINES])) + 2
    lines = ["Passes", *(f"  {name:{width}}{row.summary()}" for name, row in PASSES.items())]
    lines += ["", "Pipelines"]
    lines += [f"  {name:{width}}{', '.join(names)}" for name, names in PIPELINES.items()]
    lines += ["", "x? runs only if the pass before it has changed the graph;",
              "fork(x) and closure(x) run on the graphs of tasks and closures."]  # fmt: skip
    return "\n".join(lines) + "\n"
