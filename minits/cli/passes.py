"""The options of `minits compile` that show, check and time passes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from minits.cli.errors import UsageError

_SHOWING = ("print_ir_before", "print_ir_after", "print_ir_after_change", "print_changed",
            "verify_each", "time_passes")  # fmt: skip


@contextmanager
def watching_passes(options: argparse.Namespace) -> Iterator[None]:
    """Show the passes that run in the block as the options ask. Raises `UsageError`."""
    _refuse_unknown_passes(options)
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


def _refuse_unknown_passes(options: argparse.Namespace) -> None:
    from minits.passes.pipeline import PASSES, check_names

    if options.passes and options.emit != "optimized":
        raise UsageError(f"--passes is for --emit=optimized, not --emit={options.emit}")
    for name in (options.print_ir_before, options.print_ir_after):
        if name not in (None, "all", *PASSES):
            raise UsageError(f"there is no pass {name!r}: there are {', '.join(PASSES)}")
    try:
        check_names(options.passes.split(",") if options.passes else ())
    except KeyError as unknown:
        raise UsageError(f"there is no pass {unknown}: there are {', '.join(PASSES)}") from None
