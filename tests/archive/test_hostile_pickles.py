"""Pickles that mean harm, or are damaged, and values of other types than the code declares."""

from __future__ import annotations

import pytest

from tests.support.archives import CLASS, FORWARD, archive_of, packed, refused
from tests.support.hostile_archives import NESTED, RECORDS, with_data


@pytest.mark.parametrize(
    "opcode",
    [bytes([code]) for code in b"0125FILPSTUVghijo\x82\x83\x84\x8b\x8c\x8d\x8e\x8f\x90\x91\x92"]
    + [b"\x93", b"\x94", b"\x95", b"\x96", b"\x97", b"\x98", b"B", b"C"],
)
def test_opcodes_of_other_pickles(opcode: bytes) -> None:
    refused(with_data(opcode + b"\0" * 20), "byte 2: (the opcode|nothing is remembered)")


@pytest.mark.parametrize(
    "name",
    [
        "os\nsystem", "builtins\neval", "builtins\ngetattr", "torch\nload", "torch\nNoneStorage",
        "torch.storage\n_load_from_bytes", "torch._utils\n_rebuild_parameter", "torch.nn\nLinear",
        "__main__\nTensorID", "torch.jit._pickle\nbuild_tensor_from_id",
        "torch.distributed.rpc\nrref", "__builtin__\nopen", "__torch__x\nM",
    ],
)  # fmt: skip
def test_names_of_other_pickles(name: str) -> None:
    refused(with_data(b"c" + name.encode() + b"\n)R."), "which archives never do")


@pytest.mark.parametrize(
    ("pickle", "match"),
    [
        (b"", "ends in the middle"),
        (b"N", "ends in the middle"),
        (b".", "does not end with one value"),
        (b"NN.", "does not end with one value"),
        (b"(.", "does not end with one value"),
        (b"N.N", "bytes after the end"),
        (b"N.", "holds no module"),
        (b"t.", "without a mark"),
        (b"N\x86.", "empty stack"),
        (b"(N\x86.", "empty stack"),
        (b"NR.", "empty stack"),
        (b"NNR.", "no function"),
        (b"q\1.", "nothing to remember"),
        (b"h\1.", "nothing is remembered"),
        (b"j\xf0\xff\xff\xff.", "nothing is remembered"),
        (b"N(Ne.", "no list"),
        (b"}K\1Na.", "no list"),
        (b"](NNu.", "no dict"),
        (b"}(Nu.", "without a value"),
        (b"\x8a\4aaaa.", "eight bytes"),
        (b"X\xff\xff\xff\xff", "ends in the middle"),
        (b"X\1\0\0", "ends in the middle"),
        (b"cos", "a name does not end"),
        (b"c__torch__\xff\nM\n.", "characters that are none of names"),
        (b"c__torch__\nM M\n.", "characters that are none of names"),
        (b"c__torch__\nM\nN\x81.", "no arguments"),
        (b"N)\x81.", "no arguments"),
        (b"ctorch\ndevice\n}b.", "no object"),
        (b"NQ.", "persistent ids"),
        (b"ctorch\ndevice\nK\1\x85R.", "named by a string"),
        (b"ctorch\ndevice\nX\1\0\0\0x\x85R.", "is not known"),
        (b"ctorch\ndevice\n)R.", "does not take 0 arguments"),
        (b"cbuiltins\ncomplex\nK\1K\2\x86R.", "two floats"),
        (b"ctorch\nFloatStorage\n)R.", "cannot be called"),
        (b"c__torch__\nE\n)R.", "called as an enum"),
        (b"ctorch.jit._pickle\nbuild_intlist\nN\x85R.", "made of a list"),
        (b"ctorch.jit._pickle\nrestore_type_tag\nNN\x86R.", "by a text"),
        (b"c__torch__\nN\n)\x81}b.", "does not define the class __torch__.N"),
        (b"c__torch__.torch.classes.a\nN\n)\x81}b.", r"C\+\+ class"),
        (b"c__torch__\nM\n)\x81Nb.", "is no dict"),
    ],
)
def test_damaged_pickles(pickle: bytes, match: str) -> None:
    refused(with_data(pickle), match)


@pytest.mark.parametrize("protocol", [b"\x80\3", b"\x80\4", b"(N", b""])
def test_protocols(protocol: bytes) -> None:
    refused(packed({**RECORDS, "data.pkl": protocol + b"N."}), "protocol 2")


def test_budgets_of_pickles() -> None:
    refused(with_data(b"N" * 100 + b"."), "more than 50 operations", pickle_steps=50)
    refused(with_data(b"Nq\1q\2q\3."), "too much is remembered", memo_entries=2)


# ---- Values ------------------------------------------------------------------------------------


@pytest.mark.parametrize("opening", [b")\x85", b"]"])
def test_nesting_of_values(opening: bytes) -> None:
    if opening == b"]":
        value = b"]" * 2000 + b"a" * 1999
    else:
        value = b")" + b"\x85" * 2000
    refused(archive_of(NESTED, b"}(X\1\0\0\0a" + value + b"u"), "nested too deeply|not known")


def test_values_that_contain_themselves() -> None:
    own = b"ctorch.jit._pickle\nrestore_type_tag\n]q\1h\1aX\x09\0\0\0List[Any]\x86R"
    refused(archive_of(NESTED, b"}(X\1\0\0\0a" + own + b"u"), "nested too deeply")
    code = CLASS + "  a : Optional[__torch__.M]\n" + FORWARD
    state = b"}q\1(X\1\0\0\0ac__torch__\nM\n)\x81h\1bu"
    refused(archive_of(code, state), "nested too deeply|contains itself")


@pytest.mark.parametrize(
    ("declared", "value", "found"),
    [
        ("int", b"G" + b"\0" * 8, "int, found float"),
        ("int", b"\x88", "int, found bool"),
        ("float", b"K\1", "float, found int"),
        ("Tensor", b"K\1", "Tensor, found int"),
        ("Optional[int]", b"X\0\0\0\0", "found str"),
        ("Union[int, str]", b"]", "found list"),
        ("List[int]", b"](Ne", "int, found NoneType"),
        ("List[int]", b"ctorch.jit._pickle\nbuild_boollist\n](\x88e\x85R", r"found List\[bool\]"),
        ("Dict[str, int]", b"}(K\1K\1u", "str, found int"),
        ("Tuple[int, int]", b"K\1\x85", "found tuple"),
        ("__torch__.N", b"c__torch__\nM\n)\x81}b", "found __torch__.M"),
        ("__torch__.E", b"c__torch__\nE\nK\7R", "found __torch__.E"),
        ("__torch__.E", b"K\1", "found int"),
        ("__torch__.I", b"c__torch__\nN\n)\x81}b", "found __torch__.N"),
        ("Generator", b"N", "found NoneType"),
    ],
)
def test_values_of_other_types(declared: str, value: bytes, found: str) -> None:
    code = (
        f"{CLASS}  a : {declared}\n{FORWARD}class N(Module):\n  __parameters__ = []\n"
        "class E(Enum):\n  A = 1\n"
        "class I(ModuleInterface):\n  def forward(self: __torch__.I, x: int) -> int:\n    pass\n"
    )
    refused(archive_of(code, b"}(X\1\0\0\0a" + value + b"u"), found)


def test_missing_attributes() -> None:
    refused(archive_of(CLASS + "  a : Optional[int]\n" + FORWARD), "lacks a value")
