"""The reference of the command line, written from its parsers."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from minits.cli.main import command_line

URI = "reference/command-line.md"
_PAGE = re.compile(r"\bdocs/([\w/-]+\.md)\b")


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the page."""
    os.environ["COLUMNS"] = "82"  # argparse breaks lines
    files.append(File.generated(config, URI, content="".join(page())))


def page() -> Iterator[str]:
    """Yield the parts of the page."""
    parser = command_line()
    yield f"# The command line\n\n{parser.description}\n\n{_usage(parser)}"
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            continue
        helps = {each.dest: each.help for each in action._choices_actions}
        for name, command in action.choices.items():
            yield f"## minits {name}\n\n{_capital(helps.get(name))}.\n\n{_usage(command)}"
            yield from _groups(command)


def _groups(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield a table for each group of arguments."""
    for group in parser._action_groups:
        actions = [each for each in group._group_actions if each.help != argparse.SUPPRESS]
        actions = [each for each in actions if not isinstance(each, argparse._HelpAction)]
        if actions:
            rows = "".join(f"| `{_names(each)}` | {_help(each)} |\n" for each in actions)
            yield f"| {_capital(group.title)} | |\n|---|---|\n{rows}\n"


def _names(action: argparse.Action) -> str:
    """The spellings of an argument, with what follows it."""
    value = action.metavar or (action.dest if not action.option_strings else None)
    if value is None and action.choices:
        value = f"{{{','.join(map(str, action.choices))}}}"
    if not action.option_strings:
        return str(value)
    if action.nargs == 0:
        return ", ".join(action.option_strings)
    end = f"[={value}]" if action.nargs == "?" else f" {value or action.dest.upper()}"
    return ", ".join(action.option_strings) + end


def _help(action: argparse.Action) -> str:
    text = (action.help or "") % {**vars(action), "prog": "minits"}
    if action.choices and action.metavar is None and action.option_strings:
        text += f" (default: {action.default})" if action.default else ""
    text = text.replace("|", r"\|").replace("*", r"\*").replace("<", "&lt;")
    return _PAGE.sub(r"[docs/\1](../\1)", text)


def _capital(text: str | None) -> str:
    return f"{(text or '')[:1].upper()}{(text or '')[1:]}"


def _usage(parser: argparse.ArgumentParser) -> str:
    return f"```text\n{parser.format_usage()}```\n\n"
