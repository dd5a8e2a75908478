"""At its bound a cache evicts one entry for each that comes, the oldest first."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from minits.bounded_cache import BoundedCache


def filled(most: int, count: int) -> BoundedCache[int, str]:
    cache: BoundedCache[int, str] = BoundedCache(most)
    for number in range(count):
        assert cache.put(number, str(number)) == str(number)
    return cache


def test_the_oldest_entry_goes() -> None:
    cache = filled(3, 5)
    assert list(cache.items()) == [(2, "2"), (3, "3"), (4, "4")]
    assert cache.evictions == 2


def test_a_known_key_evicts_nothing() -> None:
    cache = filled(3, 3)
    cache.put(1, "again")
    assert list(cache.items()) == [(0, "0"), (1, "again"), (2, "2")]
    assert cache.evictions == 0


def test_what_is_used_goes_last() -> None:
    cache = filled(3, 3)
    assert cache.used(0) == "0"
    assert cache.used(7) is None
    cache.put(3, "3")
    assert list(cache) == [2, 0, 3]


def test_some_are_discarded() -> None:
    cache = filled(4, 4)
    cache.discard(lambda value: value in ("0", "2"))
    assert list(cache) == [1, 3]
    assert cache.evictions == 0


def test_threads_do_not_exceed_the_bound() -> None:
    cache: BoundedCache[int, int] = BoundedCache(8)

    def put(start: int) -> None:
        for number in range(start, start + 2000):
            cache.put(number, number)

    threads = [threading.Thread(target=put, args=(start,)) for start in range(0, 8000, 2000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cache) == 8
    assert cache.evictions == 8000 - 8


def test_another_thread_may_clear_while_an_entry_goes() -> None:
    class ClearedMeanwhile(BoundedCache[int, str]):
        def __iter__(self) -> Iterator[int]:
            self.clear()
            return super().__iter__()

    cache = ClearedMeanwhile(2)
    for number in range(4):
        cache.put(number, str(number))
    assert cache == {2: "2", 3: "3"}


def test_what_ends_with_an_evicted_value_may_put() -> None:
    class Last:
        def __del__(self) -> None:
            cache.put("of the end", None)

    cache: BoundedCache[str, Last | None] = BoundedCache(1)
    cache.put("first", Last())
    putting = threading.Thread(target=cache.put, args=("second", None), daemon=True)
    putting.start()
    putting.join(timeout=10)
    assert not putting.is_alive()
    assert "second" in cache
