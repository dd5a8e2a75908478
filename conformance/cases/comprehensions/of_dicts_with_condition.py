"""A dict comprehension takes no condition."""

from typing import Dict, List


def program(words: List[str]) -> Dict[str, int]:
    lengths = {word: len(word) for word in words}
    return {word: lengths[word] for word in words if word != ""}  # error
