"""`.pt` files: whether `minits.load` would read them, and the devices that their code names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from minits.archive.errors import ArchiveError
from minits.archive.inspecting.program import DEVICE_CURE, device_told
from minits.check.results import FileResult
from minits.compile_warnings import warning
from minits.diagnostics import Diagnostic
from minits.runtime.script_module import method_of, methods_of
from minits.source import SourceRange

if TYPE_CHECKING:
    from minits.runtime.script_module import ScriptModule

_CPU = torch.device("cpu")


def check_archive(path: Path, result: FileResult) -> None:
    """Add the faults of an archive. Raises `CompileError` for those of its code, and `OSError`."""
    from minits.runtime.loading import load

    try:
        module = load(str(path), map_location="cpu")
    except ArchiveError as fault:
        again = "write it again with torch.jit.save or minits.save; `minits inspect` tells more"
        fix = None if "\nhelp: " in str(fault) else again
        loc = SourceRange.at(str(path), 1, 0)
        result.add([Diagnostic(loc, "TS807", str(fault), fix=fix)])
        return
    result.programs.append(path.stem)
    result.add(
        warning(loc, "TS809", device_told(str(device)), fix=DEVICE_CURE)
        for device, loc in _devices(module)
    )


def _devices(module: ScriptModule) -> Iterator[tuple[torch.device, SourceRange]]:
    """Yield the devices but the CPU that the methods name, each with each line of the program."""
    from minits.runtime.absent_devices import devices_of

    seen = set()
    for part in module.modules():
        for name in methods_of(part):
            for device, loc in devices_of(method_of(part, name).graph):
                place = device, loc.source.filename, loc.begin.line
                if device != _CPU and place not in seen:
                    seen.add(place)
                    yield device, loc
