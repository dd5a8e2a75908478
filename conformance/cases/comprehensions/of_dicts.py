"""A dict comprehension makes a dict; a later key wins over an equal earlier one."""

from typing import Dict, List


def program(words: List[str]) -> Dict[int, str]:
    return {len(word): word for word in words}


def inputs():
    return [(["a", "bb", "c"],), ([],), (["", ""],)]
