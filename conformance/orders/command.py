"""The command `python -m conformance orders`."""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.progress import Progress

PACKAGES = (
    "torch.nn torch.functional torch.ao.nn torch.ao.quantization.fx torch.distributions "
    "torch.optim torch._refs torch._decomp torch.distributed.optim torch.signal"
).split()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.set_defaults(command=orders)
    parser.add_argument("-n", type=int, default=100, metavar="N", help="how many histories")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--package",
        nargs="*",
        default=PACKAGES,
        help="whose programs are compiled beside the cases",
    )


def orders(options: argparse.Namespace) -> int:
    """Return the exit status: 1 if a program is compiled otherwise than in a process of its own."""
    from conformance.orders.search import body, search

    console = Console()
    programs = body(options.package)
    console.print(f"{len(programs)} programs to draw from")
    compilations = failures = 0
    with Progress(console=Console(stderr=True), auto_refresh=False, transient=True) as bar:
        task = bar.add_task("orders", total=options.n)
        for found in search(programs, options.n, options.seed):
            bar.update(task, advance=1, refresh=True)
            compilations += found.compilations
            for fault in found.faults:
                failures += 1
                bar.console.print(fault, markup=False, highlight=False, soft_wrap=True)
    console.print(f"{options.n} orders, {compilations} compilations: {failures} orders differ")
    return 1 if failures or not compilations else 0
