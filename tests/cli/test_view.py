"""`minits view`: the page of a file as it is now, and its faults."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from minits.cli.main import command_line, main
from minits.cli.view_page import PageServer

GOOD = "from torch import Tensor\n\ndef f(x: Tensor) -> Tensor:\n    return x.exp() + 1\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(GOOD)
    return path


@pytest.fixture
def server(file: Path) -> Iterator[PageServer]:
    options = command_line().parse_args(
        ["view", f"{file}:f", "--input", "torch.randn(3)", "--port", "0"]
    )
    with PageServer(options) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def get(server: PageServer, path: str, host: str = "127.0.0.1") -> str:
    address = f"http://127.0.0.1:{server.server_port}{path}"
    request = urllib.request.Request(address, headers={"Host": host})
    with urllib.request.urlopen(request) as answer:
        return str(answer.read().decode("utf-8"))


@pytest.mark.slow
def test_the_page_follows_the_file(server: PageServer, file: Path) -> None:
    text, stamp = get(server, "/"), get(server, "/stamp")
    assert "aten::exp is in kernel 0" in text
    assert f'const made = "{stamp}"' in text
    file.write_text(GOOD.replace("x.exp()", "x.exq()  # < &"))
    assert get(server, "/stamp") != stamp
    text = get(server, "/")
    assert "did you mean &#39;eq&#39;?" in text
    assert 'class="line help"' in text
    assert "# &lt; &amp;" in text
    assert get(server, "/stamp") in text


@pytest.mark.slow
def test_inputs_may_begin_with_a_dash(file: Path) -> None:
    arguments = ["view", f"{file}:f", "--input=-torch.ones(3)", "--port=0"]
    with PageServer(command_line().parse_args(arguments)) as server:
        assert "aten::exp is in kernel 0" in server.page()


@pytest.mark.slow
def test_runs_are_served_too(file: Path, tmp_path: Path) -> None:
    recording = tmp_path / "F.json"
    given = [f"{file}:f", "--input", "torch.ones(3)"]
    assert main(["run", *given, "--record", str(recording)]) == 0
    for arguments in ([*given, "--record"], [str(recording)]):
        options = command_line().parse_args(["view", *arguments, "--port", "0"])
        with PageServer(options) as server:
            assert 'data-title="Run"' in server.page()


def test_it_answers_this_computer_alone(server: PageServer) -> None:
    for path, host, status in (("/", "example.org", 403), ("/etc/passwd", "127.0.0.1", 404)):
        with pytest.raises(urllib.error.HTTPError) as refused:
            get(server, path, host)
        assert refused.value.code == status
        refused.value.close()
    assert server.server_address[0] == "127.0.0.1"


def test_misuse(server: PageServer, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(file), "--port", str(server.server_port)]) == 2
    assert "cannot listen on port" in capsys.readouterr().err
    assert main(["view", str(file.with_name("none.py"))]) == 2
    assert "there is no file" in capsys.readouterr().err
