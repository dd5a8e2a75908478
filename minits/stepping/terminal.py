"""The commands of `minits debug`: those of gdb and pdb, over a recorded run.

Commands come from standard input; where it is no terminal, each is printed before its answer, so
that what a script printed reads as a session.
"""

from __future__ import annotations

import cmd
import sys
from typing import Any

from rich.console import Console
from rich.text import Text

from minits.stepping.session import Breakpoint, Place, Session
from minits.terminal_text import printable

_PROMPT = "(minits) "
_LONG = {"reverse-step": "rs", "reverse-next": "rn", "reverse-continue": "rc"}


class Terminal(cmd.Cmd):
    """Reads commands and shows where the session stands."""

    intro = None

    def __init__(self, session: Session) -> None:
        """Begin at the first step of `session`."""
        super().__init__()
        self.session = session
        self._is_terminal = sys.stdin.isatty()
        self.use_rawinput = self._is_terminal
        self.prompt = _PROMPT if self._is_terminal else ""
        self._console = Console(highlight=False, soft_wrap=True)

    def preloop(self) -> None:
        self._where()

    def precmd(self, line: str) -> str:
        if not self._is_terminal and line != "EOF":
            self._say(f"{_PROMPT}{line}", "bold")
        return line

    def emptyline(self) -> bool:
        """Repeat the last command, as gdb and pdb do."""
        return bool(self.onecmd(self.lastcmd)) if self.lastcmd and self._is_terminal else False

    def default(self, line: str) -> None:
        self._say(f"there is no command {line.split()[0]!r}: help lists them")

    def do_help(self, arg: str) -> None:
        """help [COMMAND]: the commands, or one of them"""
        if arg:
            does = getattr(self, f"do_{_LONG.get(arg, arg)}", None)
            self._say(does.__doc__ if does else f"there is no command {arg!r}")
            return
        names = [name for name in vars(Terminal) if name.startswith("do_")]
        for text in dict.fromkeys(getattr(self, name).__doc__ for name in names):
            self._say(text)

    # ---- Moves -----------------------------------------------------------------------------------

    def do_s(self, arg: str) -> None:
        """s, step: the next operation, into blocks and calls"""
        self._moved(self.session.step())

    def do_n(self, arg: str) -> None:
        """n, next: the next operation, over the blocks and calls of this one"""
        self._moved(self.session.next())

    def do_rs(self, arg: str) -> None:
        """rs, reverse-step: the operation before"""
        self._moved(self.session.step(-1), "beginning")

    def do_rn(self, arg: str) -> None:
        """rn, reverse-next: the operation before, over blocks and calls"""
        self._moved(self.session.next(-1), "beginning")

    def do_finish(self, arg: str) -> None:
        """finish: the end of this block or call"""
        self._moved(self.session.finish())

    def do_c(self, arg: str) -> None:
        """c, continue: on to a breakpoint, a change of a watched value, an error or the end"""
        self._say(f"stopped: {self.session.resume()}", "dim")
        self._where()

    def do_rc(self, arg: str) -> None:
        """rc, reverse-continue: the same backwards"""
        self._say(f"stopped: {self.session.resume(-1)}", "dim")
        self._where()

    # ---- Breakpoints and values ------------------------------------------------------------------

    def do_b(self, arg: str) -> None:
        """b LINE | FILE:LINE | %VALUE | VARIABLE | aten::OPERATOR: stop there; b alone: list"""
        points = self.session.breakpoints
        if not arg:
            self._listed([each.text for each in points], "breakpoints")
            return
        try:
            points.append(Breakpoint(self.session.recording, arg))
        except ValueError as problem:
            self._say(str(problem))

    def do_watch(self, arg: str) -> None:
        """watch %VALUE | VARIABLE: show it at each stop, and stop where it changes"""
        if arg:
            self.session.watch(arg)
            self._watched()
        else:
            self._listed([*self.session.watched], "watched values")

    def do_delete(self, arg: str) -> None:
        """delete [WHAT]: a breakpoint or watched value by its text, or all"""
        session = self.session
        session.breakpoints[:] = [
            each for each in session.breakpoints if arg not in ("", each.text)
        ]
        for each in [each for each in session.watched if arg in ("", each)]:
            del session.watched[each]

    def do_p(self, arg: str) -> None:
        """p %VALUE | VARIABLE: what it is after this operation; a variable's last value is last"""
        found = self.session.values(arg) if arg else []
        if not found:
            self._say(f"{arg or 'p'} has no value here: info values lists those that have")
        for name, value in found:
            self._value(name, value)

    # ---- Places ----------------------------------------------------------------------------------

    def do_bt(self, arg: str) -> None:
        """bt: the calls that are running, and the blocks that this operation is in"""
        for function, number in self.session.calls():
            line = self.session.line_of(number)
            self._say(f"{function}{f' at {_short(*line)}' if line else ''}")
        for place in self.session.places:
            self._say(f"  in {self._block(place)}")

    def do_l(self, arg: str) -> None:
        """l, list: the lines of the program around this operation"""
        here = self.session.line_of(self.session.at)
        for number, text in self.session.source_lines(4):
            mark = "->" if here is not None and number == here[1] else "  "
            self._say(f"{number:5} {mark} {text}".rstrip())

    def do_info(self, arg: str) -> None:
        """info [values]: the run and the breakpoints; the values of this call"""
        session, recording = self.session, self.session.recording
        if arg:
            for name, value in session.values():
                self._value(name, value)
            return
        ran = f"{len(session.steps)} steps" + ", cut there" * recording["cut"]
        self._say(f"{recording['program']}: step {session.at + 1} of {ran}")
        if recording["error"]:
            self._say(f"raised {recording['error']}")
        elif recording["result"]:
            self._say(f"returned {recording['result']['text']}")
        self._listed([each.text for each in session.breakpoints], "breakpoints")
        self._listed([*session.watched], "watched values")

    def do_q(self, arg: str) -> bool:
        """q, quit: end"""
        return True

    do_EOF = do_quit = do_q
    do_step, do_next, do_list = do_s, do_n, do_l
    do_continue = do_c

    def onecmd(self, line: str) -> bool:
        first, space, rest = line.partition(" ")
        return bool(super().onecmd(f"{_LONG.get(first, first)}{space}{rest}"))

    # ---- Output ----------------------------------------------------------------------------------

    def _moved(self, has_moved: bool, end: str = "end") -> None:
        if not has_moved:
            self._say(f"this is the {end} of the run", "dim")
        self._where()

    def _where(self) -> None:
        """Show the line, the operation, what it gave, and the watched values."""
        session = self.session
        step = session.steps[session.at]
        op = session.operations[step["op"]] if "op" in step else None
        place, blocks = session.line_of(session.at), session.places
        function = session.function(step["frame"])
        inside = "".join(f", {self._block(each)}" for each in blocks)
        self._say(f"{_short(*place) if place else '?'} in {function}{inside}", "cyan")
        for _, text in session.source_lines():
            self._say(f"    {text.strip()}", "dim")
        titles = {"call": f"call {function}", "block": f"begin {self._begun(step)}"}
        told = op["text"].strip().removeprefix("= ") if op else ""
        ahead = {"leave": "end of ", "enter": "enter "}.get(step["what"], "")
        self._say(titles.get(step["what"]) or f"{ahead}{told}", "bold")
        for name, value in step.get("values", {}).items():
            self._value(name, value)
        for line in step.get("printed", "").splitlines():
            self._say(f"  prints {line}")
        if "error" in step:
            self._say(f"  raises {step['error']}", "bold red")
        self._watched()
        if session.is_last:
            self._ended()

    def _ended(self) -> None:
        recording = self.session.recording
        if recording["cut"]:
            self._say(f"the recording is cut after {len(self.session.steps)} steps", "yellow")
        if recording["cut"] and recording["error"]:
            self._say(f"the program raised {recording['error']}", "bold red")
        if recording["result"] is not None:
            self._say(f"the program returned {recording['result']['text']}", "green")

    def _begun(self, step: dict[str, Any]) -> str:
        if step["what"] != "block":
            return ""
        return self._block(Place(step["op"], step["block"], step.get("iteration")))

    def _block(self, place: Place) -> str:
        op = self.session.operations[place.op]
        if place.iteration is not None:
            return f"trip {place.iteration} of the loop at line {op.get('line', '?')}"
        return f"block{place.block} of {op['kind']} at line {op.get('line', '?')}"

    def _watched(self) -> None:
        for text in self.session.watched:
            value = self.session.watched_value(text)
            self._say(f"  watch {text} = {value['text'] if value else 'not there yet'}", "magenta")

    def _value(self, name: str, value: dict[str, Any]) -> None:
        self._say(f"  %{name} = {value['text']}")

    def _listed(self, texts: list[str], what: str) -> None:
        self._say(f"{what}: {', '.join(texts) or 'none'}")

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(Text(printable(text), style))


def _short(file: str, line: int) -> str:
    return f"{file.rpartition('/')[2]}:{line}"
