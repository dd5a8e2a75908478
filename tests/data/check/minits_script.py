"""`minits.script` as a call."""
import minits


def wrong(n: int) -> str:
    return n  # E: TS504


def right(n: int) -> int:
    return n


minits.script(wrong)
minits.script(right)
