"""Errors of archives: one that cannot be read, and a program that cannot be saved."""

from __future__ import annotations


class ArchiveError(RuntimeError):
    """A file cannot be read as an archive of a compiled module.

    `record` names the entry at fault (`data.pkl`, `code/__torch__.py`) or is None for the file as a
    whole; `offset` is a byte's position in it.
    """

    def __init__(
        self,
        message: str,
        record: str | None = None,
        offset: int | None = None,
        *,
        fix: str | None = None,
    ) -> None:
        self.message, self.record, self.offset, self.fix = message, record, offset, fix
        prefix = "" if record is None else f"{record}: "
        if offset is not None:
            prefix = f"{record or 'archive'}, byte {offset}: "
        super().__init__(f"{prefix}{message}" + (f"\nhelp: {fix}" if fix else ""))


class SaveError(RuntimeError):
    """Raised for a program that an archive cannot represent; nothing has been written.

    `subject` names what is at fault (`Model.layer.state`), `fix` how to mend it.
    """

    def __init__(self, message: str, *, subject: str = "", fix: str = "") -> None:
        self.message, self.subject, self.fix = message, subject, fix
        about = f"{subject}: " if subject else ""
        super().__init__(f"{about}{message}" + (f"\nhelp: {fix}" if fix else ""))
