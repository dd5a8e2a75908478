"""Loading executes nothing of a file, and random changes of one end well."""

from __future__ import annotations

import builtins
import io
import random
import re
from pathlib import Path

import pytest
from torch import Tensor, nn

import minits
from minits.archive.container.limits import Limits
from minits.runtime import loading
from tests.support.archives import packed, records_of, saved


class Small(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.sizes = [1, 2]

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x) + self.sizes[0]


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
    sorted(Path(loading.__file__).parents[1].joinpath("archive").rglob("*.py")),
    ids=lambda path: f"{path.parent.name}/{path.name}",
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
