"""The table of `python -m benchmarks` fits the modules that it names."""

from __future__ import annotations

import importlib
import inspect

import pytest

from benchmarks.__main__ import COMMANDS, Command


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_module_takes_the_options_of_its_command(command: Command) -> None:
    module = importlib.import_module(f"benchmarks.{command.module or command.name}")
    taken = inspect.signature(module.run).parameters
    given = [option.dest or option.name.lstrip("-") for option in command.options]
    assert sorted(given) == sorted(taken)
