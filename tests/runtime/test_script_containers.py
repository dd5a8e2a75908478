"""Lists and dicts that Python shares with compiled code."""

import pytest
import torch

import minits


def add_items(xs: list[int], d: dict[str, float], n: int) -> int:
    xs.append(n)
    d["n"] = float(n)
    return len(xs)


def test_what_compiled_code_does_to_a_shared_container_is_seen() -> None:
    xs, d = minits.script([1, 2]), minits.script({"a": 0.5})
    run = minits.script(add_items)
    assert run(xs, d, 7) == 3
    assert run(xs, d, 8) == 4
    assert list(xs) == [1, 2, 7, 8]
    assert dict(d) == {"a": 0.5, "n": 8.0}


def test_a_plain_list_is_copied() -> None:
    xs = [1]
    shared = minits.script(xs)
    minits.script(add_items)(xs, {}, 7)
    shared.append(3)
    assert xs == [1]
    assert repr(shared) == "[1, 3]"


def test_a_list_behaves_as_a_list_of_one_type() -> None:
    xs = minits.script([3, 1, 2])
    assert (xs[-1], xs[0:2], 3 in xs, xs.count(1), bool(xs)) == (2, [3, 1], True, 1, True)
    xs[0] = 9
    xs[1:] = [5, 6]
    xs.extend({7: "", 8: ""})
    xs.insert(0, 4)
    xs.remove(6)
    del xs[1]
    assert (xs.pop(), list(xs)) == (8, [4, 5, 7])
    with pytest.raises(IndexError):
        xs[11]
    with pytest.raises(RuntimeError):
        xs[:2] = [1]


@pytest.mark.parametrize(
    "use",
    [
        lambda xs: xs.append("a"),
        lambda xs: xs.__setitem__(0, "a"),
        lambda xs: "a" in xs,
        lambda xs: xs.extend(["a"]),
        lambda xs: xs.count("a"),
        lambda xs: xs.remove("a"),
        lambda xs: xs.__delitem__(slice(0, 1)),
    ],
)
def test_a_list_refuses_items_of_another_type(use) -> None:
    xs = minits.script([1])
    with pytest.raises(TypeError):
        use(xs)
    assert list(xs) == [1]


def test_a_dict_behaves_as_a_dict_of_one_type() -> None:
    d = minits.script({1: 2, 3: 4})
    d[5] = 6
    del d[1]
    assert (d, list(d), dict(d.items()), 3 in d, 9 in d) == ({3: 4, 5: 6}, [3, 5], d, True, False)
    for missing in (9, "a"):
        with pytest.raises(KeyError):
            d[missing]
    with pytest.raises(KeyError):
        "a" in d
    for key, value in (("a", 1), (1, "a")):
        with pytest.raises(TypeError):
            d[key] = value


def test_an_empty_container_is_for_tensors() -> None:
    xs = minits.script([])
    xs.append(torch.ones(1))
    with pytest.raises(TypeError):
        xs.append(1)
    with pytest.raises(minits.CompileError, match="different types"):
        minits.script([1, "a"])


def test_an_argument_of_another_type_is_refused() -> None:
    with pytest.raises(RuntimeError, match="xs"):
        minits.script(add_items)(minits.script([0.5]), {}, 1)


@pytest.mark.parametrize("script", [torch.jit.script, minits.script], ids=["torch", "minits"])
@pytest.mark.parametrize("items", [{(1, 2): 3}, {None: 1}])
def test_a_key_is_a_number_a_string_a_tensor_or_a_device(script, items) -> None:
    with pytest.raises(RuntimeError, match="Cannot create dict for key type"):
        script(items)
