"""Keywords go beside entries that are written out, or beside a dict, and not beside an iterable."""

from typing import Dict, List


def program(keys: List[str]) -> Dict[str, str]:
    return dict(zip(keys, keys), a="b")  # error
