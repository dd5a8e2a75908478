"""The check of the number of arguments of a special form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.diagnostics import CompileError, error
from minits.frontend.values.when_failed import with_arguments
from minits.syntax import tree
from minits.syntax.torch_ranges import origin

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter


def check_count(
    emitter: Emitter, call: tree.Call, name: str, least: int, most: int | None = None
) -> None:
    """Raise CompileError for another number of arguments, or for keywords; it has their faults."""
    most = least if most is None else most
    if least <= len(call.args) <= most and not call.keywords:
        return
    raise with_arguments(emitter, _wrong_count(call, name, least, most), call)


def _wrong_count(call: tree.Call, name: str, least: int, most: int) -> CompileError:
    if call.keywords:
        message = f"{name} takes no keyword arguments in TorchScript"
        return error(origin(call), "TS405", message, fix="give the arguments by position")
    wanted = f"exactly {least}" if least == most else f"between {least} and {most}"
    plural = "" if most == 1 else "s"
    message = f"{name} expected {wanted} argument{plural} but found {len(call.args)}"
    return error(origin(call), "TS405", message, fix=f"give {wanted} of them")
