"""A library that lacks memory tells MemoryError, at each allocation, and leaves nothing behind."""

from pathlib import Path

from torch import nn

from tests.support.native_libraries import compiled_with, output_of
from tests.support.needs import need_compiler

need_compiler()


class Words(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seen = {"a": [1]}

    def forward(
        self, words: dict[str, int], rows: list[tuple[int, str]], most: int | None
    ) -> tuple[dict[str, list[int]], list[str], str | None]:
        shown = [""]
        for n, word in rows:
            shown.append(f"{word}: {n}")
            self.seen[word] = [n, len(words)]
        if most is not None and len(rows) > most:
            raise ValueError(f"more than {most}")
        return self.seen, shown, ",".join(shown)


MAIN = """
#include "model.h"
#include <stdio.h>
#include <string.h>
static long left;
void *__real_malloc(size_t), *__real_realloc(void *, size_t);
void *__wrap_malloc(size_t size) { return left-- ? __real_malloc(size) : 0; }
void *__wrap_realloc(void *old, size_t size) { return left-- ? __real_realloc(old, size) : 0; }
int main(void)
{
    mts_any words[] = {mts_from_str("b"), mts_from_int(4), mts_from_str("c"), mts_from_int(5)};
    mts_any first[] = {mts_from_int(1), mts_from_str("b")}, second[] = {mts_from_int(2), words[2]};
    mts_any rows[] = {
        mts_from_items(MTS_TUPLE, 2, first), mts_from_items(MTS_TUPLE, 2, second)};
    mts_any given[] = {mts_from_items(MTS_DICT, 2, words), mts_from_items(MTS_LIST, 2, rows),
                       mts_from_int(5)};
    int lacks = 0;
    for (long most = 0, done = 0; done < 2; most++) {
        mts_model *model;
        mts_error error;
        mts_any result;
        given[2] = mts_from_int(done ? 1 : 5);
        left = most;
        if (model_create(0, &model, &error)) {
            if (strcmp(error.type, "MemoryError")) return 1;
            lacks++;
            model_clear_error(&error);
            continue;
        }
        int fault = model_call(model, "forward", given, 3, &result, &error);
        if (fault && !strcmp(error.type, "MemoryError")) {
            lacks++;
        } else {
            if (fault && strcmp(error.message, "more than 1")) return 2;
            if (!fault && result.as.items[1].length != 3) return 3;
            done++;
            most = 0;
        }
        left = -1;
        if (fault) model_clear_error(&error);
        else model_clear(&result);
        if (model_call(model, "forward", given, 3, &result, &error)) model_clear_error(&error);
        else model_clear(&result);
        model_destroy(model);
    }
    printf("%d", lacks > 60);
    return 0;
}
"""


def test_each_allocation_may_fail(tmp_path: Path) -> None:
    flags = ["-fsanitize=address,undefined", "-Wl,--wrap=malloc", "-Wl,--wrap=realloc"]
    assert output_of(compiled_with(Words(), MAIN, tmp_path, *flags)) == "1"
