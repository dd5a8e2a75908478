"""Values of JSON with something wrong in them."""

from __future__ import annotations

import json
import random
from typing import Any

REPLACEMENTS = (None, -1, 0, 1, 10**9, "", "op", [], {}, True, 0.5)


def damaged(text: str, chosen: random.Random) -> Any:
    """Return the value of a text of JSON, one part of which is taken away or replaced."""
    found = json.loads(text)
    part = found
    while True:
        key = chosen.choice([*part]) if isinstance(part, dict) else chosen.randrange(len(part))
        below = part[key]
        if isinstance(below, (dict, list)) and below and chosen.random() < 0.9:
            part = below
            continue
        if chosen.random() < 0.3:
            del part[key]
        else:
            part[key] = chosen.choice(REPLACEMENTS)
        return found
