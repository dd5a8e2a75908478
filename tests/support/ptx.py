"""What NVRTC makes of a text, as PTX, and what ptxas says of its registers."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass

from minits.kernels.cuda import nvrtc


@dataclass(frozen=True)
class Compiled:
    """`spilled` is in bytes, of all functions together."""

    ptx: str
    registers: int
    spilled: int

    def moves(self, kind: str) -> set[int]:
        """How many bytes the instructions have that read (`ld`) or write (`st`) global memory."""
        found = re.findall(rf"\b{kind}\.global(?:\.nc|\.wb)?(?:\.v(\d))?\.[a-z](\d+)", self.ptx)
        return {int(count or 1) * int(bits) // 8 for count, bits in found}


def compiled(text: str, arch: str = "sm_90") -> Compiled:
    """Compile a text as kernels are compiled."""
    library, program = nvrtc._library(), ctypes.c_void_p()
    library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"k.cu", 0, None, None)
    given = [f"--gpu-architecture={arch}", *nvrtc.FLAGS, "--ptxas-options=-v"]
    options = (ctypes.c_char_p * len(given))(*[option.encode() for option in given])
    try:
        status = library.nvrtcCompileProgram(program, len(given), options)
        log = nvrtc._log(library, program)
        assert status == 0, log
        size = ctypes.c_size_t()
        library.nvrtcGetPTXSize(program, ctypes.byref(size))
        ptx = ctypes.create_string_buffer(size.value)
        library.nvrtcGetPTX(program, ptx)
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))
    spilled = [int(bytes_) for bytes_ in re.findall(r"(\d+) bytes (?:stack frame|spill)", log)]
    registers = [int(number) for number in re.findall(r"Used (\d+) registers", log)]
    assert spilled and registers, log
    return Compiled(ptx.value.decode(), max(registers), sum(spilled))
