"""Files that nobody but this user can have written: how every cache is written and read.

A cache's files are trusted: a library is executed, a result of `minits check` is believed. So a
folder is used only if no other user can put anything in its place. Each folder on the way to it,
and each symbolic link, belongs to this user or to root, and no other user may write there, unless
the folder is sticky, as `/tmp` is: there each file can be renamed by its owner alone.

    /home/ann/.cache/minits    used by ann, if only ann and root may write to /home, /home/ann, ...
    /srv/bob/cache             not used by ann: bob can put another folder in its place
    /tmp/cache                 used by ann if it is hers, whatever else stands in /tmp

Once a path has been walked, only this user and root can change what it leads to; what is verified
under the path is what is opened there a moment later.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

_MOST_LINKS = 40
_WRITABLE = stat.S_IWGRP | stat.S_IWOTH


class Untrusted(OSError):
    """Raised for a file or folder that another user could have written or exchanged."""


def private_folder(path: Path) -> Path:
    """Return a folder's path without links, made if need be. Raises OSError.

    Nobody but this user can write there or exchange the folder; else Untrusted is raised.
    """
    found = _walk(path)
    if not is_private(found.lstat()):
        raise Untrusted(f"{found} belongs to another user, or others may write there")
    return found


def read_private(path: Path) -> bytes:
    """Return the content of a file in a private folder. Raises OSError, for links and pipes too."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    with os.fdopen(os.open(path, flags), "rb") as file:
        found = os.fstat(file.fileno())
        if not (stat.S_ISREG(found.st_mode) and is_private(found)):
            raise Untrusted(f"{path} is no file that only this user can write to")
        return file.read()


def write_private(path: Path, content: bytes) -> None:
    """Write a file in a private folder, which is made if need be. Raises OSError.

    It is written under another name, which nobody can foresee, and renamed: readers see the whole
    of it or nothing. Where that fails, nothing is left behind.
    """
    import tempfile

    folder = private_folder(path.parent)
    handle, unfinished = tempfile.mkstemp(dir=folder, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(unfinished).chmod(0o700)
        Path(unfinished).replace(folder / path.name)
    except BaseException:  # an interrupt, too
        Path(unfinished).unlink(missing_ok=True)
        raise


def is_private(found: os.stat_result) -> bool:
    """Return whether nobody but this user can write there."""
    return found.st_uid == os.getuid() and not found.st_mode & _WRITABLE


def _walk(path: Path) -> Path:
    """Return where a path leads; folders that are missing are made. Raises OSError.

    Each folder and link on the way is checked before the next is looked up in it.
    """
    at, links = Path(path.absolute().anchor), 0
    names = list(path.absolute().parts[:0:-1])
    _check_folder(at)
    while names:
        name = names.pop()
        child = at.parent if name == ".." else at / name
        found = _made(child)
        if not stat.S_ISLNK(found.st_mode):
            at = child
            _check_folder(at)
            continue
        links += 1
        target = child.readlink()
        if found.st_uid not in (os.getuid(), 0) or links > _MOST_LINKS:
            raise Untrusted(f"{child} is a link of another user, or one of too many links")
        names += [part for part in reversed(target.parts) if part != target.anchor]
        at = Path(target.anchor) if target.is_absolute() else at
    return at


def _made(folder: Path) -> os.stat_result:
    """Return the status of a folder, file or link; make a folder if nothing is there.

    Raises OSError.
    """
    try:
        return folder.lstat()
    except FileNotFoundError:
        folder.mkdir(mode=0o700, exist_ok=True)  # another process may have made it meanwhile
        return folder.lstat()


def _check_folder(folder: Path) -> None:
    """Raise OSError unless only this user and root can exchange what stands in a folder."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(f"{folder} is no folder")
    if found.st_uid not in (os.getuid(), 0):
        raise Untrusted(f"{folder} belongs to another user")
    if found.st_mode & stat.S_ISVTX or not found.st_mode & _WRITABLE:
        return
    if found.st_mode & stat.S_IWOTH or not _is_own_group(found.st_gid):
        raise Untrusted(f"others may write to {folder}")


def _is_own_group(group: int) -> bool:
    """Return whether a group has no other user, as the group that many systems give to each."""
    import grp
    import pwd

    try:
        user, members = pwd.getpwuid(os.getuid()), grp.getgrgid(group).gr_mem
    except KeyError:
        return False
    others = any(each.pw_gid == group and each.pw_uid != user.pw_uid for each in pwd.getpwall())
    return user.pw_gid == group and not others and set(members) <= {user.pw_name}
