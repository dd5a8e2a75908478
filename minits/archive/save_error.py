"""What cannot be saved."""

from __future__ import annotations


class SaveError(RuntimeError):
    """A program holds what an archive cannot; nothing has been written.

    `place` names what is at fault (`Model.layer.state`), `fix` how to mend it.
    """

    def __init__(self, message: str, *, place: str = "", fix: str = "") -> None:
        self.message, self.place, self.fix = message, place, fix
        about = f"{place}: " if place else ""
        super().__init__(f"{about}{message}" + (f"\nhelp: {fix}" if fix else ""))
