"""`python -m benchmarks compile | parse | calls | cpu | pairs | accuracy | first-calls | ...`."""

from __future__ import annotations

import argparse
import json
import os
import sys


def main() -> int:
    os.environ.setdefault("MINITS_BUILD", "now")  # what first calls put off is measured, too
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    compile_ = commands.add_parser("compile", help="script() against torch.jit.script")
    compile_.add_argument("--rounds", type=int, default=7)
    compile_.add_argument(
        "--bytecodes", action="store_true", help="count what warm compilations execute"
    )
    compile_.add_argument("--one", help=argparse.SUPPRESS)
    compile_.add_argument("--first", action="store_true", help=argparse.SUPPRESS)
    compile_.add_argument("--json", metavar="FILE")
    parse = commands.add_parser("parse", help="the parser against ast.parse")
    parse.add_argument("--rounds", type=int, default=11)
    calls = commands.add_parser("calls", help="calling compiled code, against torch.jit")
    calls.add_argument("--rounds", type=int, default=7)
    calls.add_argument("--json", metavar="FILE")
    native = commands.add_parser("native", help="programs as C, against torch.jit")
    native.add_argument("--rounds", type=int, default=7)
    native.add_argument("--json", metavar="FILE")
    dispatcher = commands.add_parser("dispatcher", help="ways to call an operator from C")
    dispatcher.add_argument("--rounds", type=int, default=300)
    modules = commands.add_parser("modules", help="calls of small modules, against torch.jit")
    modules.add_argument("--rounds", type=int, default=21)
    modules.add_argument("--native", default="hot", help="the value of MINITS_NATIVE")
    modules.add_argument("--only", metavar="MODULE", help="measure this one alone")
    modules.add_argument("--json", metavar="FILE")
    libraries = commands.add_parser("native_build", help="libraries in C, against torch.jit")
    libraries.add_argument("--rounds", type=int, default=15)
    libraries.add_argument("--json", metavar="FILE")
    cpu = commands.add_parser("cpu", help="fused kernels against eager, torch.jit, torch.compile")
    cpu.add_argument("--rounds", type=int, default=15)
    cpu.add_argument("--json", metavar="FILE")
    cpu.add_argument("--only", metavar="PATTERN", help="measure this one alone")
    cpu.add_argument(
        "--peers", metavar="A,B", default="torch.jit,torch.compile", help="compare with these"
    )
    pairs = commands.add_parser("pairs", help="fused kernels in an earlier state and in this one")
    pairs.add_argument("before", metavar="FOLDER", help="a checkout of the earlier state")
    pairs.add_argument("--sizes", metavar="A,B", default="1k,64k", help="of 1k, 64k, 4M")
    pairs.add_argument("--starts", type=int, default=5, help="pairs of processes")
    pairs.add_argument("--rounds", type=int, default=21)
    pairs.add_argument("--only", metavar="PATTERN", help="measure this one alone")
    accuracy = commands.add_parser("accuracy", help="errors of functions, in ulp, and eager's")
    accuracy.add_argument("--only", metavar="FUNCTION", help="measure this one alone")
    first = commands.add_parser("first-calls", help="what the first call of a program costs")
    first.add_argument("--rounds", type=int, default=1)
    first.add_argument("--json", metavar="FILE")
    growth = commands.add_parser("growth", help="script() and first calls of long programs")
    growth.add_argument("--kinds", metavar="A,B", help="of chain, branches, loops, ...")
    growth.add_argument("--sizes", metavar="N,M", help="statements: 100,400,1600,6400")
    growth.add_argument("--one", help=argparse.SUPPRESS)
    cliffs = commands.add_parser("cliffs", help="what compilers are known to be slow at")
    cliffs.add_argument("--rounds", type=int, default=7)
    cliffs.add_argument("--only", metavar="TEXT", help="rows with this in their name")
    cliffs.add_argument("--json", metavar="FILE")
    tasks = commands.add_parser("tasks", help="torch.jit.fork, against torch.jit's own")
    tasks.add_argument("--rounds", type=int, default=7)
    archives = commands.add_parser("archives", help="load and save, against torch.jit's")
    archives.add_argument("--mib", type=int, default=1024, help="weights of the large archive")
    archives.add_argument("--modules", type=int, default=400, help="modules of the other archive")
    archives.add_argument("--rounds", type=int, default=5)
    archives.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.command == "compile":
        from benchmarks import compile as measured

        if options.one:
            found = (
                measured.measure_first(options.one)
                if options.first
                else measured.measure(options.one, options.rounds)
            )
            print(json.dumps(found))
            return 0
        if options.bytecodes:
            return measured.count_bytecodes()
        return measured.run(options.rounds, options.json)
    if options.command == "parse":
        from benchmarks import parse as parsing

        return parsing.run(options.rounds)
    if options.command == "pairs":
        from benchmarks import pairs as states

        sizes = options.sizes.split(",")
        return states.run(options.before, sizes, options.starts, options.rounds, options.only)
    if options.command == "accuracy":
        from benchmarks import accuracy as errors

        return errors.run(options.only)
    if options.command == "first-calls":
        from benchmarks import first_calls

        return first_calls.run(options.rounds, options.json)
    if options.command == "cliffs":
        from benchmarks import cliffs as slow

        return slow.run(options.rounds, options.only, options.json)
    if options.command == "native":
        from benchmarks import native as programs

        return programs.run(options.rounds, options.json)
    if options.command == "native_build":
        from benchmarks import native_build as libraries

        return libraries.run(options.rounds, options.json)
    if options.command == "modules":
        from benchmarks import module_calls

        return module_calls.run(options.rounds, options.native, options.only, options.json)
    if options.command == "dispatcher":
        from benchmarks import dispatcher as ways

        return ways.run(options.rounds)
    if options.command == "tasks":
        from benchmarks import tasks as forks

        return forks.run(options.rounds)
    if options.command == "archives":
        return _archives(options)
    if options.command == "growth":
        return _growth(options)
    if options.command == "cpu":
        from benchmarks import cpu as kernels

        peers = [name for name in options.peers.split(",") if name]
        return kernels.run(options.rounds, options.json, peers, options.only)
    from benchmarks import calls as calling

    return calling.run(options.rounds, options.json)


def _archives(options: argparse.Namespace) -> int:
    from benchmarks import archives

    if options.one:
        operation, peer, path = options.one.split(",")
        print(json.dumps(archives.measure(operation, peer, path)))
        return 0
    return archives.run(options.mib, options.modules, options.rounds)


def _growth(options: argparse.Namespace) -> int:
    from benchmarks import growth

    if options.one:
        kind, count, peer = options.one.split(",")
        print(json.dumps(growth.measure(kind, int(count), peer)))
        return 0
    kinds = options.kinds.split(",") if options.kinds else list(growth.KINDS)
    sizes = [int(size) for size in options.sizes.split(",")] if options.sizes else growth.SIZES
    return growth.run(kinds, sizes)


if __name__ == "__main__":
    sys.exit(main())
