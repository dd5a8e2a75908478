// whether two values are equal, of the type that `code` tells, of numbers, strs and tuples of such
static bool mts_is_equal(const char *code, mts_value a, mts_value b)
{
    if (*code == 'f') return a.d == b.d;
    if (*code == 's') return mts_equal_text(a.list, b.list);
    if (*code != '(') return a.i == b.i;
    code++;
    for (int64_t i = 0; i < a.list->length; code = mts_after(code), i++)
        if (!mts_is_equal(code, a.list->items[i], b.list->items[i])) return false;
    return true;
}

// whether one comes before the other: a tuple by the first items that are not equal
static bool mts_is_less(const char *code, mts_value a, mts_value b)
{
    if (*code == 'f') return a.d < b.d;
    if (*code == 's') return mts_order_texts(a.list, b.list) < 0;
    if (*code != '(') return a.i < b.i;
    code++;
    for (int64_t i = 0; i < a.list->length; code = mts_after(code), i++) {
        mts_value x = a.list->items[i], y = b.list->items[i];
        if (mts_is_less(code, x, y)) return true;
        if (!mts_is_equal(code, x, y)) return false;
    }
    return false;
}

static inline bool mts_is_before(const char *code, mts_value a, mts_value b, bool reverse)
{
    return reverse ? mts_is_less(code, b, a) : mts_is_less(code, a, b);
}

// sorts a run by insertion; each item is compared with the first one before the others, as in C++
static void mts_sort_run(mts_value *items, int64_t length, const char *code, bool reverse)
{
    for (int64_t i = 1; i < length; i++) {
        mts_value item = items[i];
        int64_t place = mts_is_before(code, item, items[0], reverse) ? 0 : i;
        while (place && mts_is_before(code, item, items[place - 1], reverse)) place--;
        memmove(&items[place + 1], &items[place], (i - place) * sizeof item);
        items[place] = item;
    }
}

// merges two sorted runs, of equal items those of the first one first
static void mts_merge_runs(
    mts_value *to, const mts_value *left, const mts_value *right, const mts_value *end,
    const char *code, bool reverse)
{
    for (const mts_value *one = left, *other = right; one < right || other < end; to++) {
        bool is_other =
            one == right || (other < end && mts_is_before(code, *other, *one, reverse));
        *to = is_other ? *other++ : *one++;
    }
}

// sorts as `ops/implementations/sorting.py` does: in runs of 16, which are merged; false without
// memory
static bool mts_sort(mts_list *list, const char *code, bool reverse)
{
    int64_t length = list->length, width = 16;
    mts_value *from = list->items, *to = 0;
    for (int64_t start = 0; start < length; start += width) {
        int64_t rest = length - start;
        mts_sort_run(from + start, rest < width ? rest : width, code, reverse);
    }
    if (length <= width) return true;
    if (!(to = malloc(length * sizeof *to))) return false;
    for (; width < length; width *= 2) {
        for (int64_t start = 0; start < length; start += 2 * width) {
            int64_t right = start + width < length ? start + width : length;
            int64_t end = right + width < length ? right + width : length;
            mts_merge_runs(to + start, from + start, from + right, from + end, code, reverse);
        }
        mts_value *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != list->items) {
        memcpy(list->items, from, length * sizeof *from);
        to = from;
    }
    free(to);
    return true;
}

static inline mts_list *mts_sorted(mts_list **pool, mts_list *list, const char *code)
{
    mts_list *result = mts_copy(pool, list);
    return result && mts_sort(result, code, false) ? result : 0;
}
