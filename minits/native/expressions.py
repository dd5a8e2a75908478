"""Texts of C made of other texts."""

from __future__ import annotations

import re

SIMPLE = re.compile(r"\w+((\.|->)\w+)?|\w+\([^()]*\)((\.|->)\w+)?|\w+\[[^][]*\]")
"""Texts that need no parentheses as operands: names, numbers, calls, their members, elements."""
_ESCAPES = {ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n"}


def loop_head(index: str, most: str | None, more: str | None, is_read: bool) -> str:
    """Return the first line of a loop. `index` counts its trips, up to `most`; `more` is a bool.

    `is_read` tells whether the body reads `index`.
    """
    if most is None and not is_read:
        return f"while ({more or 'true'}) {{"
    tests = [more, None if most is None else f"{index} < {most}"]
    test = " && ".join(filter(None, tests))
    return f"for (int64_t {index} = 0; {test}; {index}++) {{"


def choice(condition: str, then: str, otherwise: str) -> str:
    """Return `condition ? then : otherwise`, as `||` or `&&` where it is one of these."""
    if then == "true":
        return f"{condition} || {otherwise}"
    if otherwise == "false":
        return f"{condition} && {then}"
    return f"{condition} ? {then} : {otherwise}"


def filled(text: str, operands: list[str], item: str = "", key: str = "") -> str:
    """Return the text of an operator with its operands in the place of `{0}` and so on.

    item, key: what stands in the place of `{item}` and `{key}`.
    """
    text = text.replace("{item}", item).replace("{key}", key)
    for index, operand in enumerate(operands):
        text = text.replace(f"{{{index}}}", operand)
    return text


def without_true(text: str) -> str:
    """Return a conjunction without an operand that is true, as conditions of loops have one."""
    return text.removesuffix(" && true").removeprefix("true && ")


def in_parentheses(text: str) -> str:
    """Return an expression as an operand: in parentheses, where it needs them."""
    return text if SIMPLE.fullmatch(text) else f"({text})"


def negated(condition: str) -> str:
    """Return the opposite of a condition."""
    return f"!{in_parentheses(condition)}"


def quoted(data: bytes) -> str:
    """Return a string literal of C. It has neither `//`, as comments have, nor a trigraph."""
    texts = [
        _ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data
    ]
    return f'"{"".join(texts)}"'.replace("//", '/""/').replace("??", '?""?')
