"""`python -m benchmarks compile | parse | calls`."""

from __future__ import annotations

import argparse
import json
import sys


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    compile_ = commands.add_parser("compile", help="script() against torch.jit.script")
    compile_.add_argument("--rounds", type=int, default=7)
    compile_.add_argument("--one", help=argparse.SUPPRESS)
    compile_.add_argument("--json", metavar="FILE")
    parse = commands.add_parser("parse", help="the parser against ast.parse")
    parse.add_argument("--rounds", type=int, default=11)
    calls = commands.add_parser("calls", help="calling compiled code, against torch.jit")
    calls.add_argument("--rounds", type=int, default=7)
    calls.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    if options.command == "compile":
        from benchmarks import compile as measured

        if options.one:
            print(json.dumps(measured.measure(options.one, options.rounds)))
            return 0
        return measured.run(options.rounds, options.json)
    if options.command == "parse":
        from benchmarks import parse as parsing

        return parsing.run(options.rounds)
    from benchmarks import calls as calling

    return calling.run(options.rounds, options.json)


if __name__ == "__main__":
    sys.exit(main())
