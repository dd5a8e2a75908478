"""await is not in the language."""


async def fetch(n: int) -> int:
    return n


async def program(n: int) -> int:  # error
    return await fetch(n)
