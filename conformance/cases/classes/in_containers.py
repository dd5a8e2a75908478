"""Lists, dicts, tuples and Optionals hold objects themselves, not copies."""

from typing import Dict, List, Optional, Tuple


class Counter:
    def __init__(self, n: int):
        self.n = n

    def add(self, by: int) -> int:
        self.n += by
        return self.n


def program(n: int) -> Tuple[List[int], int, int]:
    counters = [Counter(i) for i in range(3)]
    named: Dict[str, Counter] = {"first": counters[0]}
    named["second"] = counters[1]
    pair = (counters[2], n)
    named["first"].add(10)
    pair[0].n = pair[1]
    last: Optional[Counter] = None
    for counter in counters:
        counter.add(n)
        if counter.n > 12:
            last = counter
    if last is not None:
        last.n = -1
    return [c.n for c in counters], len(named), 0 if last is None else last.add(0)


def inputs():
    return [(1,), (7,)]
