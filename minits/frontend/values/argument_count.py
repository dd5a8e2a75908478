"""The check of the number of arguments of a special form."""

from __future__ import annotations

from minits.diagnostics import error
from minits.syntax import tree
from minits.syntax.torch_ranges import origin


def check_count(call: tree.Call, name: str, least: int, most: int | None = None) -> None:
    """Raise CompileError for another number of arguments, or for keywords."""
    most = least if most is None else most
    if least <= len(call.args) <= most and not call.keywords:
        return
    if call.keywords:
        message = f"{name} takes no keyword arguments in TorchScript"
        raise error(origin(call), "TS405", message, fix="give the arguments by position")
    wanted = f"exactly {least}" if least == most else f"between {least} and {most}"
    plural = "" if most == 1 else "s"
    message = f"{name} expected {wanted} argument{plural} but found {len(call.args)}"
    raise error(origin(call), "TS405", message, fix=f"give {wanted} of them")
