"""Names for the variables that an extension needs: names that the function does not use."""

from __future__ import annotations

from itertools import count

from minits.syntax import tree


class FreshNames:
    """Generates names of variables that a function does not use."""

    def __init__(self, definition: tree.FunctionDef) -> None:
        self._used = {node.id for node in tree.walk(definition) if isinstance(node, tree.Name)}
        self._used |= {node.arg for node in tree.walk(definition) if isinstance(node, tree.arg)}

    def like(self, name: str) -> str:
        """Return the name itself if it is unused, else one that begins with it."""
        if name in self._used:
            return self.new(f"{name}_")
        self._used.add(name)
        return name

    def new(self, prefix: str) -> str:
        """Return an unused name: the prefix and a number."""
        name = next(n for n in (f"{prefix}{number}" for number in count()) if n not in self._used)
        self._used.add(name)
        return name
