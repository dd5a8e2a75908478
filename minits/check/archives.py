"""`.pt` files: whether `minits.load` would read them, and the devices that their code names."""

from __future__ import annotations

from pathlib import Path

from minits.archive.errors import ArchiveError
from minits.archive.inspecting.inspector import inspected_devices
from minits.archive.inspecting.program import DEVICE_CURE, device_told
from minits.check.results import FileResult
from minits.compile_warnings import warning
from minits.diagnostics import Diagnostic
from minits.source import SourceRange


def check_archive(path: Path, result: FileResult) -> None:
    """Add the faults of an archive. Raises `CompileError` for those of its code, and `OSError`."""
    from minits.runtime.loading import load

    try:
        load(str(path), map_location="cpu")
    except ArchiveError as fault:
        again = "write it again with torch.jit.save or minits.save; `minits inspect` tells more"
        fix = None if "\nhelp: " in str(fault) else again
        loc = SourceRange.at(str(path), 1, 0)
        result.add([Diagnostic(loc, "TS807", str(fault), fix=fix)])
        return
    result.programs.append(path.stem)
    result.add(
        warning(loc, "TS809", device_told(device), fix=DEVICE_CURE)
        for device, loc in inspected_devices(path)
    )
