"""The command `python -m conformance orders`."""

from __future__ import annotations

import argparse

from rich.console import Console

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
    for found in search(programs, options.n, options.seed):
        compilations += found.compilations
        for fault in found.faults:
            failures += 1
            console.print(fault, markup=False, highlight=False, soft_wrap=True)
    console.print(f"{options.n} orders, {compilations} compilations: {failures} orders differ")
    return 1 if failures or not compilations else 0
