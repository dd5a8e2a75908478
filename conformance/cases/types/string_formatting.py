"""str.format, % and f-strings print numbers, tensors and None as Python does."""

from typing import List, Optional

import torch


def program(n: int, x: float, s: str, flag: bool, maybe: Optional[int]) -> List[str]:
    return [
        "{} {}".format(n, s),
        f"{n}-{x}-{flag}",
        "%s is %d or %f" % (s, n, x),
        f"{s}{maybe}",
        "{}".format([n, n + 1]) + str((n, s)),
        "100%",
        str(x) + str(float(n)) + str(1e-7) + str(1e22),
    ]


def inputs():
    return [(3, 0.5, "s", True, None), (-1, 1e10, "", False, 2), (0, float("nan"), "q", True, 0)]
