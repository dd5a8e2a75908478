"""`minits view`: the report page on 127.0.0.1, made anew when the file changes.

Each page is made by a process of its own, `minits report`, so that the file is imported afresh. A
fault is shown as the page, as `minits report` tells it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock

from minits.cli.errors import UsageError
from minits.cli.report import show
from minits.cli.report_page import require_packages, target_file

RELOADING = """<script>
const made = "{stamp}";
setInterval(async () => {{
  const now = await fetch("/stamp").then((answer) => answer.text()).catch(() => made);
  if (now !== made) location.reload();
}}, 700);
</script>"""


def run_view(options: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C. Raises `UsageError`."""
    require_packages()
    if not target_file(options).is_file():
        raise UsageError(f"there is no file {target_file(options)}")
    try:
        server = PageServer(options)
    except OSError as problem:
        raise UsageError(f"cannot listen on port {options.port}: {problem.strerror}") from None
    with server:
        show(f"http://127.0.0.1:{server.server_port}/ shows {options.target}; Ctrl-C stops it")
        server.serve_forever()
    return 0


class PageServer(ThreadingHTTPServer):
    """A server of one page, for this computer alone."""

    daemon_threads = True

    def __init__(self, options: argparse.Namespace) -> None:
        """Listen on the port of the options. Raises `OSError`."""
        super().__init__(("127.0.0.1", options.port), _Handler)
        self._options = options
        self._making = Lock()
        self._made: tuple[str, str] = ("", "")

    def stamp(self) -> str:
        """Return a text that is another one when the file has changed."""
        try:
            found = target_file(self._options).stat()
        except OSError:  # while an editor replaces it
            return "gone"
        return f"{found.st_mtime_ns}-{found.st_size}"

    def page(self) -> str:
        """Return the page of the file as it is now."""
        with self._making:
            stamp = self.stamp()
            if stamp != self._made[0]:
                self._made = (stamp, _page(self._options, stamp))
            return self._made[1]


class _Handler(BaseHTTPRequestHandler):
    server: PageServer

    def do_GET(self) -> None:
        host = self.headers.get("Host", "").partition(":")[0]
        if host not in ("127.0.0.1", "localhost"):  # another site's name may lead here
            self.send_error(403)
        elif self.path == "/stamp":
            self._answer(self.server.stamp(), "text/plain")
        elif self.path == "/":
            self._answer(self.server.page(), "text/html")
        else:
            self.send_error(404)

    def _answer(self, text: str, kind: str) -> None:
        content = text.encode("utf-8")
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing: requests come every second."""


def _page(options: argparse.Namespace, stamp: str) -> str:
    """Return the page of a file, or of its faults; it asks for the next one by itself."""
    from minits.report.page import render_faults

    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "page.html"
        done = subprocess.run(
            [sys.executable, "-m", "minits", "report", *_arguments(options), "-o", str(output)],
            env={**os.environ, "NO_COLOR": "1"},
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            text = output.read_text(encoding="utf-8")
        else:
            text = render_faults(options.target, done.stderr)
    head, end, rest = text.rpartition("</body>")
    return f"{head}{RELOADING.format(stamp=stamp)}{end}{rest}"


def _arguments(options: argparse.Namespace) -> list[str]:
    """Return the arguments of `minits report` that these are of `minits view`."""
    arguments = [options.target, f"--dialect={options.dialect}"]
    arguments += ["--no-import"] if options.no_import else []
    arguments += ["--record"] if options.record else []
    for name in ("module", "fn"):
        value = getattr(options, name)
        arguments += [] if value is None else [f"--{name}={value}"]
    return [*arguments, *(f"--input={text}" for text in options.input)]  # it may begin with a dash
