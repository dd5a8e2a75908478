"""The C and CUDA texts of the table of scalar operations: built, and compared with numpy."""

import ctypes
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch

from minits.kernels.cpu.c_build import NoCompiler, compiler
from minits.kernels.cpu.c_math import c_prelude
from minits.kernels.cuda.cuda_math import cuda_prelude
from minits.kernels.cuda.nvrtc import NvrtcError, NvrtcMissing, compile_cubin
from minits.kernels.scalar_ops import SCALAR_OPS, WITH_RARE_OPERANDS, ScalarOp
from minits.kernels.scalar_ops.row import C_TYPES, SHORT_NAMES, kind_of
from tests.support.cuda_sweep import quick_cubin
from tests.support.scalar_samples import operands_of, tolerance

DTYPES = (
    torch.float32, torch.float64, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8,
    torch.bool,
)  # fmt: skip
CASES = [(name, dtype) for name, row in SCALAR_OPS.items() for dtype in DTYPES if row.takes(dtype)]
HELPER = re.compile(r"\bmts_\w+")


def dtypes_of(row: ScalarOp, dtype: torch.dtype) -> tuple[list[torch.dtype], torch.dtype]:
    """The dtypes of a row's operands and of its result."""
    operands = [dtype] * row.arity
    if row.name == "where":
        operands[0] = torch.bool
    return operands, torch.bool if row.result == "bool" else dtype


def function_of(name: str, dtype: torch.dtype, texts: dict[str, str], prefix: str) -> str:
    """A function that applies a row to `n` elements."""
    row = SCALAR_OPS[name]
    operands, result = dtypes_of(row, dtype)
    short = SHORT_NAMES[dtype]
    names = [f"v{number}" for number in range(row.arity)]
    parameters = [f"const {C_TYPES[t]} *p{number}" for number, t in enumerate(operands)]
    loads = [f"    {C_TYPES[t]} v{i} = p{i}[n];" for i, t in enumerate(operands)]
    text = texts[kind_of(dtype)].format(*names, T=short, t=C_TYPES[dtype])
    if texts is row.c and name in WITH_RARE_OPERANDS and dtype.is_floating_point:
        text = text.replace("mts_", "mts_any_", 1)
    parameters += [f"{C_TYPES[result]} *y", "long long n"]
    lines = [
        f"{prefix} void {name}_{short}({', '.join(parameters)}) {{",
        "  while (n-- > 0) {",
        *loads,
        f"    y[n] = {text};",
        "  }",
        "}",
    ]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    functions = [function_of(name, dtype, SCALAR_OPS[name].c, "") for name, dtype in CASES]
    body = "\n".join(functions)
    prelude = c_prelude(sorted(set(HELPER.findall(body))))
    folder = Path(tmp_path_factory.mktemp("texts"))
    source = f"#define bool _Bool\n#define true 1\n#define false 0\n{prelude}\n{body}\n"
    (folder / "rows.c").write_text(source)
    try:
        command = compiler()[0]
    except NoCompiler:
        pytest.skip("there is no C compiler")
    flags = "-O1 -std=gnu11 -fwrapv -w -shared -fPIC -fno-math-errno -fno-trapping-math".split()
    subprocess.run([command, *flags, "rows.c", "-o", "rows.so", "-lm"], cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "rows.so"))


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("name", "dtype"), CASES, ids=[f"{name}-{SHORT_NAMES[dtype]}" for name, dtype in CASES]
)
def test_c_computes_what_numpy_does(library: ctypes.CDLL, name: str, dtype: torch.dtype) -> None:
    row = SCALAR_OPS[name]
    operands = [operand.numpy() for operand in operands_of(name, dtype)]
    if name == "fma" or name == "addcmul":  # C may multiply and add with one rounding
        operands = [np.where(np.isfinite(x), x, 1).astype(x.dtype) for x in operands]
    if name == "zeta":  # terms of both signs cancel where the second operand is far below zero
        operands = [np.where(operands[1] > -20, x, 2).astype(x.dtype) for x in operands]
    with np.errstate(all="ignore"):
        wanted = np.asarray(row.numpy(*operands))
    _, result = dtypes_of(row, dtype)
    found = torch.empty(len(operands[0]), dtype=result)
    pointers = [ctypes.c_void_p(operand.ctypes.data) for operand in operands]
    function = getattr(library, f"{name}_{SHORT_NAMES[dtype]}")
    function(*pointers, ctypes.c_void_p(found.data_ptr()), ctypes.c_longlong(len(found)))
    torch.testing.assert_close(
        found, torch.from_numpy(wanted).to(result), equal_nan=True, **tolerance(row, result)
    )


def test_every_text_calls_functions_that_there_are() -> None:
    for name, dtype in CASES:
        row = SCALAR_OPS[name]
        for texts, prelude in ((row.c, c_prelude), (row.cuda, cuda_prelude)):
            text = texts[kind_of(dtype)].format(*"abcd", T=SHORT_NAMES[dtype], t=C_TYPES[dtype])
            for helper in set(HELPER.findall(text)):
                assert re.search(rf"\b{helper}\(", prelude([helper])), (name, helper)


@pytest.mark.slow
def test_nvrtc_takes_every_cuda_text() -> None:
    body = "\n".join(
        function_of(name, dtype, SCALAR_OPS[name].cuda, 'extern "C" __global__')
        for name, dtype in CASES
    )
    prelude = cuda_prelude(sorted(set(HELPER.findall(body))))
    try:
        cubin = quick_cubin(f"{prelude}\n{body}\n", "sm_90")
    except NvrtcMissing:
        pytest.skip("there is no NVRTC")
    assert cubin


OURS_ON_CUDA = {
    "remainder": "CUDA's rounds the quotient to the nearest integer, torch's rounds it down",
    "erfcx": "that of `c_math` is within the units that test_c_math.py measures",
}
"""Functions of which CUDA has one of the same name, which is not taken."""


def test_functions_that_cuda_has_are_named_in_their_rows() -> None:
    """A row that names none calls the text of `c_math`, where CUDA's own function is better."""
    rows = [
        row
        for row in SCALAR_OPS.values()
        if row.cuda_name is None and row.c.get("f", "").startswith(f"mts_{row.name}_{{T}}(")
    ]
    assert len(rows) > 10
    body = "\n".join(
        f"__global__ void of_{row.name}(double *x) "
        f"{{ x[0] = {row.name}({', '.join(['x[0]'] * row.arity)}); }}"
        for row in rows
    )
    try:
        compile_cubin(body)
    except NvrtcMissing:
        pytest.skip("there is no NVRTC")
    except NvrtcError as error:
        unknown = re.findall(r'identifier "(\w+)" is undefined', str(error))
        assert {row.name for row in rows} - {*unknown} == OURS_ON_CUDA.keys()
    else:
        pytest.fail("CUDA has all of them")


def test_rare_operands_are_told_of_where_there_is_a_function_that_tells() -> None:
    told = {name for name in SCALAR_OPS if is_defined(f"mts_rare_{name}_f32")}
    assert told == WITH_RARE_OPERANDS


def is_defined(function: str) -> bool:
    try:
        return bool(c_prelude([function]))
    except KeyError:
        return False
