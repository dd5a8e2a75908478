"""A dict has no other methods; fromkeys is Python's."""

from typing import Dict, List


def program(keys: List[str]) -> Dict[str, int]:
    return dict.fromkeys(keys, 0)  # error
