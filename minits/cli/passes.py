"""The options of `minits compile` that show, check and time passes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from minits.cli.errors import UsageError
from minits.passes.pipeline import PASSES, PIPELINES, check_names, passes_in

_SHOWING = ("print_ir_before", "print_ir_after", "print_ir_after_change", "print_changed",
            "verify_each", "time_passes")  # fmt: skip

_OF_NO_CALL = ("ast", "types", "ir", "inlined", "code", "python", "native")
"""The kinds of `--emit` that are the same for all calls."""


@contextmanager
def watching_passes(options: argparse.Namespace) -> Iterator[None]:
    """Show the passes that run in the block as the options ask. Raises `UsageError`."""
    _refuse_idle_options(options)
    if not any(getattr(options, name) for name in _SHOWING):
        yield
        return
    from minits.passes.instrumentation import PassPrinter, instrumented

    printer = PassPrinter(
        print_ir_before=options.print_ir_before,
        print_ir_after=options.print_ir_after,
        print_ir_after_change=options.print_ir_after_change,
        print_changed=options.print_changed,
        verify_each=options.verify_each,
    )
    with instrumented(printer):
        yield
    if options.time_passes:
        printer.write_times()


def _refuse_idle_options(options: argparse.Namespace) -> None:
    """Refuse passes that there are not, and options that would do nothing."""
    if options.passes and options.emit != "optimized":
        raise UsageError(f"--passes is for --emit=optimized, not --emit={options.emit}")
    if options.input and options.emit in _OF_NO_CALL and not _asks_for_remarks(options):
        raise UsageError(f"--input is for the plan of a call, which --emit={options.emit} has not")
    for name in (options.print_ir_before, options.print_ir_after):
        if name not in (None, "all", *PASSES):
            raise UsageError(f"there is no pass {name!r}: there are {', '.join(PASSES)}")
    names = options.passes.split(",") if options.passes else []
    try:
        check_names(names)
    except KeyError as unknown:
        there_are = ", ".join([*PASSES, *PIPELINES])
        raise UsageError(f"there is no pass {unknown}: there are {there_are}") from None
    _refuse_idle_passes(names, bool(options.input))


def _asks_for_remarks(options: argparse.Namespace) -> bool:
    return options.remarks is not None or bool(options.remarks_output)


def _refuse_idle_passes(names: list[str], has_call: bool) -> None:
    """Refuse passes of plans without a call, and those that read metadata before it is there."""
    before: set[str] = set()
    for name in passes_in(names):
        row = PASSES[name]
        if row.is_of_call and not has_call:
            raise UsageError(f"the pass {name!r} is of the plan of a call: give it with --input")
        if row.reads_metadata and "infer-metadata" not in before:
            raise UsageError(
                f"the pass {name!r} needs to know of tensors: name 'infer-metadata' before it"
            )
        before.add(name)
