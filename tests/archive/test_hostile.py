"""Archives that mean harm, or are damaged: each is refused with an `ArchiveError`, quickly."""

import builtins
import io
import random
import re
import struct
import zipfile
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.archive.container.limits import Limits
from minits.archive.container.reader import Container
from minits.ops.registry import schemas_for
from minits.runtime import loading
from tests.support.archives import (
    CLASS,
    EMPTY_TUPLE,
    FORWARD,
    archive_of,
    packed,
    records_of,
    saved,
)

CODE = CLASS + FORWARD
RECORDS: dict[str, bytes | str] = {
    "data.pkl": b"\x80\x02c__torch__\nM\n)\x81}b.",
    "code/__torch__.py": CODE,
    "constants.pkl": EMPTY_TUPLE,
    "version": "3\n",
}


class Small(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.sizes = [1, 2]

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x) + self.sizes[0]


def refused(archive: io.BytesIO | bytes, match: str, **limits: int) -> None:
    if isinstance(archive, bytes):
        archive = io.BytesIO(archive)
    archive.seek(0)
    with pytest.raises(minits.ArchiveError, match=match):
        minits.load(archive, limits=Limits(**limits))


def test_blocks_of_code_in_one_another() -> None:
    compiled = minits.CompilationUnit(
        "def f(n: int):\n" + "    if n > 1:\n        return 1\n" * 30 + "    return 0\n"
    ).f
    refused(compiled.save_to_buffer(), "more than 20 blocks", blocks=20)


# ---- Containers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"", "does not begin as a ZIP file"),
        (b"\x80\x02}.", "does not begin as a ZIP file"),
        (packed({}).getvalue(), "no entries"),
        (packed(RECORDS).getvalue()[:-30], "ends in the middle"),
        (packed(RECORDS).getvalue() + b"more", "bytes after the end"),
        (b"more" + packed(RECORDS).getvalue(), "does not begin as a ZIP file"),
    ],
)
def test_no_archive_at_all(content: bytes, match: str) -> None:
    refused(content, match)


def test_empty_files(tmp_path: Path) -> None:
    (tmp_path / "empty.pt").touch()
    with pytest.raises(minits.ArchiveError, match="the file is empty"):
        minits.load(tmp_path / "empty.pt")
    with pytest.raises(minits.ArchiveError, match="gives no bytes"):
        minits.load(io.StringIO("text"))


@pytest.mark.parametrize("name", ["data.pkl", "constants.pkl", "version", "code/__torch__.py"])
def test_missing_records(name: str) -> None:
    records = {n: r for n, r in RECORDS.items() if n != name}
    refused(packed(records), "no record|does not define the class")


@pytest.mark.parametrize("version", ["0\n", "11\n", "", "x\n", "-1\n", "3.0", "9" * 50])
def test_bad_versions(version: str) -> None:
    refused(packed({**RECORDS, "version": version}), "version")


def test_files_of_others() -> None:
    buffer = io.BytesIO()
    torch.save({"weight": torch.ones(2)}, buffer)
    refused(buffer.getvalue(), r"a file of torch\.save")
    refused(packed({".data/ts_code/0/data.pkl": b"", **RECORDS}), r"torch\.package")
    refused(packed({"model.json": b"{}"}), r"torch 1\.3")


def zip_with(names: list[str]) -> io.BytesIO:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name in names:
            file.writestr(zipfile.ZipInfo(name), b"x")
    return buffer


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("names", "match"),
    [
        (["a/x", "a/x"], "two entries"),
        (["a/x", "a/X"], "two entries"),
        (["a/x", "b/x"], "below one folder"),
        (["/a/x"], "no proper name"),
        (["a/../x"], "no proper name"),
        (["a//x"], "no proper name"),
        (["a/./x"], "no proper name"),
        (["a/b\\x"], "no proper name"),
        (["a/"], "no proper name"),
    ],
)
def test_names_of_entries(names: list[str], match: str) -> None:
    refused(zip_with(names), match)


def patched(offset_from: bytes, offset: int, value: bytes) -> bytes:
    content = bytearray(packed(RECORDS).getvalue())
    at = content.index(offset_from) + offset
    content[at : at + len(value)] = value
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (patched(b"PK\1\2", 8, b"\1"), "encrypted"),
        (patched(b"PK\1\2", 10, b"\x0c"), "unknown way"),
        (patched(b"PK\1\2", 20, b"\xff\0\0\0"), "two sizes"),
        (patched(b"PK\1\2", 42, b"\1"), "does not begin where"),
        (patched(b"PK\3\4", 30, b"b"), "contradict"),
        (patched(b"PK\3\4", 14, b"\1\2\3\4"), "two sizes or checksums"),
        (patched(b"PK\5\6", 12, b"\xff"), "directory"),
        (patched(b"PK\5\6", 8, b"\xff"), "several disks"),
        (patched(b"PK\5\6", 4, b"\1"), "several disks"),
    ],
)
def test_directories(content: bytes, match: str) -> None:
    refused(content, match)


def test_overlapping_entries() -> None:
    content = bytearray(packed(RECORDS).getvalue())
    first = content.index(b"PK\1\2")
    second = content.index(b"PK\1\2", first + 1)
    content[second + 42 : second + 46] = content[first + 42 : first + 46]
    refused(bytes(content), "contradict|overlaps")


def test_checksums() -> None:
    content = packed(RECORDS).getvalue().replace(b"return x", b"return y", 1)
    refused(content, "checksum")
    with pytest.raises(minits.ArchiveError, match="undefined value y"):
        minits.load(io.BytesIO(content), limits=Limits(check_crc=False))


def test_budgets_of_containers() -> None:
    bomb = packed({**RECORDS, "code/__torch__.py": "#" * 2**22}, zipfile.ZIP_DEFLATED)
    refused(bomb, "at most 1000 are read", code_bytes=1000)
    refused(bomb, "more than deflate can pack", compression_ratio=100)
    refused(bomb, "unpacks to more than 1000 bytes", inflated_bytes=1000)
    refused(packed(RECORDS), "at most 3 are read", entries=3)
    refused(packed(RECORDS), "at most 10 are read", pickle_bytes=10)


# ---- Pickles -----------------------------------------------------------------------------------


def with_data(pickle: bytes) -> io.BytesIO:
    return packed({**RECORDS, "data.pkl": b"\x80\x02" + pickle})


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


NESTED = CLASS + "  a : Any\n" + FORWARD


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


# ---- Tensors -----------------------------------------------------------------------------------


def number(value: int) -> bytes:
    return b"\x8a\x08" + struct.pack("<q", value)


def tensor(
    offset: int = 0,
    size: tuple[int, ...] = (2,),
    stride: tuple[int, ...] = (1,),
    numel: int = 2,
    kind: str = "Float",
    key: bytes = b"0",
    device: bytes = b"cpu",
    grad: bytes = b"\x89",
) -> bytes:
    def text(raw: bytes) -> bytes:
        return b"X" + struct.pack("<I", len(raw)) + raw

    def sizes(values: tuple[int, ...]) -> bytes:
        return b"(" + b"".join(map(number, values)) + b"t"

    storage = (
        b"(" + text(b"storage") + f"ctorch\n{kind}Storage\n".encode() + text(key) + text(device)
        + number(numel) + b"tQ"
    )  # fmt: skip
    return (
        b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + number(offset) + sizes(size)
        + sizes(stride) + grad + b"ccollections\nOrderedDict\n)RtR"
    )  # fmt: skip


def with_tensor(described: bytes, content: bytes = b"\0" * 8) -> io.BytesIO:
    code = CLASS + "  a : Tensor\n" + FORWARD
    return archive_of(code, b"}(X\1\0\0\0a" + described + b"u", **{"data/0": content})


def test_the_tensor_of_these_tests_is_right() -> None:
    assert minits.load(with_tensor(tensor())).a.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("described", "match"),
    [
        (tensor(offset=1), "needs 3 elements"),
        (tensor(offset=-1), "are counts"),
        (tensor(size=(3,)), "needs 3 elements"),
        (tensor(stride=(2,)), "needs 3 elements"),
        (tensor(stride=(-1,)), "are counts"),
        (tensor(size=(-1,)), "are counts"),
        (tensor(size=(2, 1)), "are counts"),
        (tensor(size=(2**40, 2**40), stride=(0, 0)), "more elements than can be counted"),
        (tensor(size=(2**62,), stride=(2**62,)), "needs"),
        (tensor(size=(1,) * 65, stride=(1,) * 65), "at most 64"),
        (tensor(numel=3), "says that it holds 3"),
        (tensor(numel=2**62), "larger than can be counted|says that it holds"),
        (tensor(numel=-1), "no count"),
        (tensor(kind="Double"), "says that it holds 2"),
        (tensor(kind="QInt8"), "says that it holds 2"),
        (tensor(key=b"../0"), "no name of a record"),
        (tensor(key=b"9"), "no such record"),
        (tensor(device=b"nowhere"), "is not known"),
        (tensor(kind="Int", grad=b"\x88"), "cannot require a gradient"),
        (tensor(grad=b"N"), "whether it requires a gradient"),
    ],
)
def test_tensors(described: bytes, match: str) -> None:
    refused(with_tensor(described), match)


def test_expanded_tensors_take_no_memory() -> None:
    wide = tensor(size=(2**40,), stride=(0,), numel=1)
    assert minits.load(with_tensor(wide, b"\0" * 4)).a.shape == (2**40,)


def test_short_storages() -> None:
    refused(with_tensor(tensor(), b"\0" * 7), "has 7 bytes")


def test_one_storage_is_described_in_one_way() -> None:
    code = CLASS + "  a : Tensor\n  b : Tensor\n" + FORWARD
    state = b"}(X\1\0\0\0a" + tensor() + b"X\1\0\0\0b" + tensor(kind="Int") + b"u"
    refused(archive_of(code, state, **{"data/0": b"\0" * 8}), "twice, differently")


def test_devices_that_are_not_here_are_the_cpu() -> None:
    with pytest.warns(UserWarning, match="which is not here"):
        loaded = minits.load(with_tensor(tensor(device=b"xla:3")))
    assert loaded.a.device.type == "cpu"


# ---- Code --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "match"),
    [
        ("class M(Module):\n  def f(self", "TS0"),
        ("class M(Other):\n  a : int\n", "no classes of the base Other"),
        ("import os\nos.system('true')\n" + CODE, "classes and functions, and nothing else"),
        (CODE + "  a = 3\n", "only enums assign"),
        (CODE + "  print(3)\n", "attributes and methods"),
        (CODE + FORWARD, "'forward' is defined twice"),
        (CODE + "  a : int\n  a : int\n", "'a' is defined twice"),
        (CODE + "  k : Final[int] = torch.add(1, 2)\n", "no literal"),
        (CODE + "  k : Final[int] = CONSTANTS.c0\n", "there is no constant c0"),
        (CODE + "  a : " + "List[" * 200 + "int" + "]" * 200 + "\n", "nested too deeply"),
        (CODE + "  a : torch.os.system\n", "Unknown type name"),
        (CODE + "  a : __torch__.nothing.Here\n", "Unknown type name"),
        (CODE + "  a : Set[int]\n", "Unknown type name|not a TorchScript type"),
        (CODE + "  __forward_hooks__ = ['nothing']\n", "no hook nothing"),
        (CODE + "  __parameters__ = [3]\n", "no list of names"),
        (CODE + "  a : __torch__.P\nclass P(NamedTuple):\n  b : __torch__.P\n", "of itself"),
        (CODE + "  a : __torch__.P\nclass P(NamedTuple):\n  _b : int\n", "no NamedTuple"),
        (CODE + "  a : __torch__.E\nclass E(Enum):\n  mro = 1\n", "no enum"),
        (CODE + "  a : __torch__.E\nclass E(Enum):\n  A = 1\n  B = 'a'\n", "all int"),
        (CLASS + FORWARD.replace("x: Tensor", "x: int=id(3)"), "no literal"),
    ],
)  # fmt: skip
def test_damaged_code(code: str, match: str) -> None:
    refused(archive_of(code), match)


@pytest.mark.parametrize(
    ("body", "match"),
    [
        ('torch.save(x, "file")', "reaches outside the program"),
        ('return torch.from_file("/etc/passwd")', "reaches outside the program"),
        ("ops.c10d.barrier()", "reaches outside the program"),
        ("return ops.inductor._reinterpret_tensor(x, [1], [1], 0)", "reaches outside the program"),
        ("return torch.nothing(x)", "Unknown builtin op"),
        ("return math.pi", "undefined value math"),
        ("return open(x)", "undefined value open"),
        ("return __torch__.nothing", "does not define"),
        ("return CONSTANTS.c1", "there is no constant c1"),
        ("return CONSTANTS.__class__", "there is no constant __class__"),
        ("return torch.__class__", "cannot be|builtin|function"),
        ("return ops.prim.__class__.__init__", "no attribute|cannot|builtin"),
        ("return __torch__.M.__class__", "unknown attribute"),
        ("try:\n      pass\n    except:\n      pass", "try blocks"),
        ("import os", "import statements"),
        ("return (lambda: 3)()", "lambda"),
        ("return __torch__.again(x, )", "called recursively"),
        ("return " + "(" * 3000 + "x" + ")" * 3000, "more than 200 brackets"),
        ("return " + "-" * 3000 + "1", "nested too deeply"),
    ],
)
def test_code_that_is_refused(body: str, match: str) -> None:
    code = CLASS + (
        f"  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    {body}\n"
        "def again(x: Tensor) -> Tensor:\n  return __torch__.again(x, )\n"
    )
    refused(archive_of(code), match)


def test_operators_that_are_refused_cannot_be_called_as_methods() -> None:
    from minits.archive.reading.code_scope import REFUSED_OPERATORS

    for operator in REFUSED_OPERATORS:
        for schema in schemas_for(operator):
            assert all(argument.name != "self" for argument in schema.arguments), schema


def stateful(body: str) -> io.BytesIO:
    return archive_of(
        CLASS + "  n : int\n"
        "  def __getstate__(self: __torch__.M) -> int:\n    return self.n\n"
        "  def __setstate__(self: __torch__.M,\n    state: int) -> NoneType:\n"
        f"{body}    return None\n" + FORWARD,
        b"K\5",
    )


def test_setstate_ends() -> None:
    assert minits.load(stateful("    self.n = torch.add(state, 1)\n")).n == 6
    refused(stateful("    while True:\n      self.n = state\n"), "longer than it may")
    refused(stateful("    for i in range(100000000):\n      self.n = i\n"), "longer than it may")
    refused(stateful('    ops.prim.RaiseException("no")\n'), "__setstate__ of __torch__.M failed")
    refused(stateful("    pass\n"), "did not set 'n'")


# ---- Everything --------------------------------------------------------------------------------


def test_nothing_is_imported_or_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = saved(Small())

    def forbidden(*args: object, **kwargs: object) -> None:
        raise AssertionError("the archive is executed")

    minits.load(archive)
    archive.seek(0)
    monkeypatch.setattr(builtins, "eval", forbidden)
    monkeypatch.setattr("pickle.Unpickler", forbidden)
    monkeypatch.setattr("pickle.loads", forbidden)
    minits.load(archive)


@pytest.mark.parametrize(
    "module",
    sorted(Path(loading.__file__).parents[1].joinpath("archive").glob("*.py")),
    ids=lambda path: path.name,
)
def test_no_file_of_the_reader_unpickles_or_executes(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    assert not re.search(r"\b(import|from) pickle\b|\beval\(|\bexec\(|__import__|importlib", text)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(8))
def test_mutated_archives_are_read_or_refused(seed: int) -> None:
    """Bytes of the container, of pickles and of code are changed, a few at a time."""
    generator = random.Random(seed)
    whole = saved(Small()).getvalue()
    records = records_of(io.BytesIO(whole))
    for _ in range(30):
        if generator.random() < 0.4:
            archive = io.BytesIO(mutated(whole, generator))
        else:
            name = generator.choice([n for n in records if n.endswith((".pkl", ".py", "version"))])
            archive = packed({**records, name: mutated(records[name], generator)})
        try:
            minits.load(archive, limits=Limits(check_crc=False))
        except minits.ArchiveError:
            continue


def mutated(content: bytes, generator: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(generator.randrange(1, 4)):
        at = generator.randrange(len(changed))
        match generator.randrange(4):
            case 0:
                changed[at] = generator.randrange(256)
            case 1:
                del changed[at : at + generator.randrange(1, 5)]
            case 2:
                changed[at:at] = changed[at : at + generator.randrange(1, 9)]
            case _:
                changed[at] ^= 1 << generator.randrange(8)
        if not changed:
            return b""
    return bytes(changed)


def test_containers_do_not_need_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(packed(RECORDS).getvalue())
    assert sorted(Container.open(path).names()) == sorted(RECORDS)
