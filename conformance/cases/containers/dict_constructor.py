"""dict() and dict literals with computed keys; a later key wins, in the earlier one's place."""

from typing import Dict, List, Tuple


def program(pairs: List[Tuple[str, int]], n: int) -> Tuple[Dict[str, int], Dict[int, str], Dict[str, int]]:
    table = dict(pairs)
    table["n"] = n
    literal = {n: "a", n + 1: "b", 3: "c"}
    empty: Dict[str, int] = {}
    if len(pairs) > 1:
        empty = {k: v for k, v in table.items()}
    return table, literal, empty


def inputs():
    return [([("a", 1), ("b", 2), ("a", 3)], 2), ([], 3), ([("n", 0), ("m", 1)], 0)]
