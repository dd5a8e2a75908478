"""Raising the error of a call: that of the site whose number C has returned.

Where that is a wait for a task, the error is the one of the site where the task has raised.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NoReturn

from minits.codegen.tasks import in_program
from minits.ir.graph import Value
from minits.native.boundary import EndedTask, reader
from minits.native.printing import RAISED, raise_fault, taken_fault
from minits.native.questions import ASK
from minits.native.sites import Site, raise_at
from minits.native.tasks import FORKED
from minits.ops.errors import as_script_error

if TYPE_CHECKING:
    from minits.native.printer import FunctionPrinter

_NO_MEMORY = -1
"""The number that a function returns instead of a site, without memory: `MTS_NO_MEMORY`."""


def fail(
    printer: FunctionPrinter, name: str, number: int, out: Any, values: tuple[Any, ...]
) -> NoReturn:
    """Raise the error of a site, whose operands are in `out`; `values` are those of the call.

    Raises MemoryError where C had no memory, and what the writing of a line has raised.
    """
    if number == _NO_MEMORY:
        raise MemoryError
    if number == RAISED:
        raise_fault()
    site = printer.sites[number - 1]
    told = reader(site.types, len(printer.shared))(out)
    known = dict(zip(site.told, told, strict=True))
    known |= dict(zip(printer.kinds, values, strict=True))
    printer.restore_types()
    _raise(printer, site, known, name)


def _raise(printer: FunctionPrinter, site: Site, known: dict[Value, Any], name: str) -> NoReturn:
    error: BaseException | None = None
    if site.node.kind == "aten::wait":
        error = in_program(_error_of_task(printer, known[site.told[0]]))
    elif site.node.kind == ASK:
        error = taken_fault()
    raise_at(site, known, printer.graph, name, error)


def _error_of_task(printer: FunctionPrinter, task: EndedTask) -> Exception:
    """Return the error that a task has raised."""
    site = printer.sites[task.site - 1]
    slots = (ctypes.c_int64 * max(len(site.told), 1)).from_address(task.told)
    known = dict(zip(site.told, reader(site.types)(slots), strict=True))
    try:
        _raise(printer, site, known, FORKED)
    except Exception as error:
        return as_script_error(error)
