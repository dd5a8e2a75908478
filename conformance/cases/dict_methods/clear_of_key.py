"""clear takes no key: del and pop remove one."""

from typing import Dict


def program(table: Dict[str, int]) -> int:
    table.clear("a")  # error
    return len(table)
