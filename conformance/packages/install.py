"""Installs a package and unpacks its source distribution, in a folder of its own.

    FOLDER/einops-0.8.2/environment     a virtual environment that sees this checkout's packages
    FOLDER/einops-0.8.2/source          the source distribution, with the tests

torch stays the one of this checkout: a constraint pins it, and pip finds it installed.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import venv
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from conformance.packages.catalogue import Package

INDEX = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple")
_JSON = "application/vnd.pypi.simple.v1+json"


class CannotInstall(Exception):
    """The index lacks a package, or pip fails; the text says which."""


def is_index_reached() -> bool:
    """Whether the package index answers."""
    try:
        _files_of("pip")
    except OSError:
        return False
    return True


def installed(package: Package, folder: Path) -> Path:
    """Install a package unless that is done; return its folder. Raises `CannotInstall`."""
    home = folder / f"{package.name}-{package.version}"
    stamp = home / "installed"
    wanted = repr((package.needs, package.dependencies, package.is_installed))
    if stamp.is_file() and stamp.read_text("utf-8") == wanted:
        return home
    home.mkdir(parents=True, exist_ok=True)
    _unpack(_source_distribution(package), home / "source")
    _make_environment(home / "environment")
    _install(package, home)
    stamp.write_text(wanted, "utf-8")
    return home


def _files_of(name: str) -> list[dict[str, Any]]:
    """The files of a package, as the index lists them. Raises `OSError` if it does not answer."""
    request = Request(f"{INDEX.rstrip('/')}/{name}/", headers={"Accept": _JSON})
    with urlopen(request, timeout=60) as answer:
        files: list[dict[str, Any]] = json.load(answer)["files"]
    return files


def _source_distribution(package: Package) -> bytes:
    try:
        files = _files_of(package.name)
        file = next(f for f in files if f["filename"].endswith(f"-{package.version}.tar.gz"))
        with urlopen(file["url"], timeout=300) as answer:
            data: bytes = answer.read()
    except (OSError, StopIteration) as error:
        raise CannotInstall(f"no source distribution: {error!r}") from error
    if hashlib.sha256(data).hexdigest() != file["hashes"]["sha256"]:
        raise CannotInstall("the source distribution differs from the index's hash")
    return data


def _unpack(data: bytes, source: Path) -> None:
    """Unpack an archive without the folder that holds all of it."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            _, _, inner = member.name.partition("/")
            if inner:
                archive.extract(member.replace(name=inner), source, filter="data")


def _make_environment(environment: Path) -> None:
    """Make a virtual environment without pip whose imports end in this interpreter's packages."""
    venv.EnvBuilder(clear=True, with_pip=False).create(environment)
    (own,) = environment.glob("lib/python*/site-packages")
    ours = [path for path in sys.path if path.endswith("site-packages")]
    lines = [f"import site; site.addsitedir({path!r})" for path in ours]
    (own / "checkout.pth").write_text("\n".join(lines) + "\n", "utf-8")


def _install(package: Package, home: Path) -> None:
    constraints = home / "constraints.txt"
    constraints.write_text(f"torch=={version('torch')}\n", "utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(home / "environment/bin/python")]
    pip += ["install", "--quiet", "--prefer-binary", "--constraint", str(constraints)]
    named = f"{package.name}=={package.version}"
    needs = [list(package.needs)] if package.needs else []
    steps = [[named, *package.needs]]
    if not package.is_installed:
        steps = needs
    elif not package.dependencies:
        steps = [["--no-deps", named], *needs]
    for step in steps:
        done = subprocess.run([*pip, *step], capture_output=True, text=True, check=False)
        if done.returncode:
            raise CannotInstall(f"pip: {done.stderr.strip()[-600:]}")
