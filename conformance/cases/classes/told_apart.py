"""isinstance tells an object from other values in Any and in a Union, and hasattr knows its attributes."""

from typing import Any, List, Union


class Cat:
    def __init__(self, name: str):
        self.name = name

    def call(self) -> str:
        return self.name + "!"


class Dog:
    def __init__(self):
        self.name = "dog"


def show(x: Any) -> str:
    if isinstance(x, Cat):
        return x.call()
    if isinstance(x, (Dog, str)):
        return "dog or str"
    return "?"


def name(pet: Union[Cat, Dog]) -> str:
    if isinstance(pet, Cat):
        return "cat " + pet.name
    return pet.name


def program(s: str) -> List[str]:
    cat = Cat(s)
    found = [show(cat), show(Dog()), show(s), show(1), name(cat), name(Dog())]
    if hasattr(cat, "call") and not hasattr(cat, "bark"):
        found.append(getattr(cat, "name"))
    return found + [str(cat is cat)]


def inputs():
    return [("tom",), ("",)]
