// a list, with the number of variables and lists that hold it; `next` and `place` link all lists of
// a call, none of which outlives it; `drop` lets go of what a dict holds, and is 0 for others; the
// bytes of a str, whose capacity is 0, lie after it, and `hash` is 0 until it is asked for; a bit of
// `holds` says whether an item is a list itself: of a tuple one for each, of a list all or none;
// `end` lets go of what the list is to others, as a tensor is, and is 0 for most
typedef struct mts_list {
    int64_t length, references, capacity;
    mts_value *items;
    uint64_t holds;
    void (*drop)(struct mts_list *);
    struct mts_list *next, **place;
    int64_t hash;
    void (*end)(struct mts_list *);
} mts_list;

// a new list whose items are not set; 0 without memory
static inline mts_list *mts_list_new(mts_list **pool, int64_t length, bool has_lists)
{
    int64_t capacity = length < 4 ? 4 : length;
    mts_list *list = malloc(sizeof *list);
    mts_value *items = capacity > INT64_MAX / 16 ? 0 : malloc(capacity * sizeof *items);
    if (!list || !items) {
        free(list);
        free(items);
        return 0;
    }
    *list = (mts_list){length, 1, capacity, items, has_lists ? ~(uint64_t)0 : 0, 0, *pool, pool, 0, 0};
    if (list->next) list->next->place = &list->next;
    *pool = list;
    return list;
}

// the list of some numbers; 0 without memory
static inline mts_list *mts_list_of(mts_list **pool, int64_t length, const mts_value *items)
{
    mts_list *list = mts_list_new(pool, length, false);
    if (list && length) memcpy(list->items, items, length * sizeof *items);
    return list;
}

// the list of some lists; 0 without memory
static inline mts_list *mts_list_of_lists(mts_list **pool, int64_t length, const mts_value *items)
{
    mts_list *list = mts_list_new(pool, length, true);
    for (int64_t i = 0; list && i < length; i++) list->items[i].list = mts_retain(items[i].list);
    return list;
}

// the list of lists of these lengths, whose items lie one after another; 0 without memory
static inline mts_list *mts_list_of_rows(
    mts_list **pool, int64_t length, const mts_value *lengths, const mts_value *items)
{
    mts_list *list = mts_list_new(pool, length, true);
    for (int64_t i = 0; list && i < length; i++) {
        list->items[i].list = mts_list_of(pool, lengths[i].i, items);
        if (!list->items[i].list) return 0;
        items += lengths[i].i;
    }
    return list;
}

static inline void mts_free(mts_list *list)
{
    if (list->end) list->end(list);
    if (list->capacity) free(list->items);
    free(list);
}

// a list with one holder more; 0 is no list
static inline mts_list *mts_retain(mts_list *list)
{
    if (list && list->references != MTS_ETERNAL) list->references++;
    return list;
}

// a list with one holder less: true where that was the last
static inline bool mts_let_go(mts_list *list)
{
    return list && list->references != MTS_ETERNAL && !--list->references;
}

// the end of a list without holders: a call, as it is let go in many places, and ends in few
static void mts_end(mts_list *list)
{
    if (list->drop) list->drop(list);
    for (int64_t i = 0; list->holds && i < list->length; i++) {
        mts_list *item = list->holds >> (i & 63) & 1 ? list->items[i].list : 0;
        if (mts_let_go(item)) mts_end(item);
    }
    *list->place = list->next;
    if (list->next) list->next->place = list->place;
    mts_free(list);
}

// a list with one holder less, or none, which is its end
static inline void mts_release(mts_list *list)
{
    if (mts_let_go(list)) mts_end(list);
}

static inline void mts_clear(mts_list *list)
{
    for (int64_t i = 0; list->holds && i < list->length; i++) mts_release(list->items[i].list);
    list->length = 0;
}

// the end of all lists of a call
static inline void mts_free_all(mts_list **pool)
{
    while (*pool) {
        mts_list *list = *pool;
        *pool = list->next;
        mts_free(list);
    }
}

static inline bool mts_is_index(int64_t index, int64_t length)
{
    return index < length && index >= -length;
}

// the item at an index, which may count from the end
static inline mts_value *mts_at(mts_list *list, int64_t index)
{
    return &list->items[mts_place(index, list->length)];
}

static inline void mts_put_list(mts_list *list, int64_t index, mts_list *value)
{
    mts_list *before = mts_at(list, index)->list;
    mts_at(list, index)->list = mts_retain(value);
    mts_release(before);
}

// room for so many items; false without memory
static inline bool mts_grow(mts_list *list, int64_t length)
{
    if (length <= list->capacity) return true;
    int64_t capacity = length < list->capacity * 2 ? list->capacity * 2 : length;
    mts_value *items = capacity > INT64_MAX / 16 ? 0 : realloc(list->items, capacity * sizeof *items);
    if (!items) return false;
    list->items = items;
    list->capacity = capacity;
    return true;
}

// false without memory
static inline bool mts_append(mts_list *list, mts_value value)
{
    if (!mts_grow(list, list->length + 1)) return false;
    if (list->holds) mts_retain(value.list);
    list->items[list->length++] = value;
    return true;
}

// an index beyond an end is that end; false without memory
static inline bool mts_insert(mts_list *list, int64_t index, mts_value value)
{
    if (!mts_append(list, value)) return false;
    int64_t last = list->length - 1;
    index = index < -last ? 0 : index < 0 ? index + last : index > last ? last : index;
    memmove(&list->items[index + 1], &list->items[index], (last - index) * sizeof value);
    list->items[index] = value;
    return true;
}

// takes out an item, whose holder is now whoever asked
static inline mts_value mts_pop(mts_list *list, int64_t index)
{
    mts_value *place = mts_at(list, index), value = *place;
    list->length--;
    memmove(place, place + 1, (&list->items[list->length] - place) * sizeof value);
    return value;
}

static inline void mts_delete(mts_list *list, int64_t index)
{
    mts_value value = mts_pop(list, index);
    if (list->holds) mts_release(value.list);
}

// false without memory
static inline bool mts_extend(mts_list *list, mts_list *other)
{
    int64_t more = other->length;
    if (!mts_grow(list, list->length + more)) return false;
    for (int64_t i = 0; i < more; i++) mts_append(list, other->items[i]);
    return true;
}

// 0 without memory
static inline mts_list *mts_concat(mts_list **pool, mts_list *a, mts_list *b)
{
    mts_list *list = mts_copy(pool, a);
    return list && mts_extend(list, b) ? list : 0;
}

// 0 without memory
static inline mts_list *mts_copy(mts_list **pool, mts_list *list)
{
    if (list->holds) return mts_list_of_lists(pool, list->length, list->items);
    return mts_list_of(pool, list->length, list->items);
}

// 0 without memory
static inline mts_list *mts_repeat(mts_list **pool, mts_list *list, int64_t times)
{
    int64_t length;
    if (__builtin_mul_overflow(list->length, times < 0 ? 0 : times, &length)) return 0;
    mts_list *result = mts_list_new(pool, length, list->holds);
    if (!result) return 0;
    for (int64_t i = 0; i < length; i++) {
        result->items[i] = list->items[i % list->length];
        if (list->holds) mts_retain(result->items[i].list);
    }
    return result;
}

// false without memory
static inline bool mts_repeat_here(mts_list *list, int64_t times)
{
    int64_t before = list->length, length;
    if (times < 1) mts_clear(list);
    if (__builtin_mul_overflow(before, times < 1 ? 0 : times, &length)) return false;
    if (!mts_grow(list, length)) return false;
    for (int64_t i = before; i < length; i++) mts_append(list, list->items[i % before]);
    return true;
}

// where a slice starts or ends, which is within the list
static inline int64_t mts_slice_bound(int64_t at, int64_t length, int64_t step)
{
    int64_t low = step < 0 ? -1 : 0, high = step < 0 ? length - 1 : length;
    return at < -length ? low : at < 0 ? at + length : at > high ? high : at;
}

// list[start:end:step] for step != 0; 0 without memory
static inline mts_list *mts_slice(
    mts_list **pool, mts_list *list, int64_t start, int64_t end, int64_t step)
{
    start = mts_slice_bound(start, list->length, step);
    end = mts_slice_bound(end, list->length, step);
    int64_t count = mts_range_length(start, end, step);
    mts_list *result = mts_list_new(pool, count, list->holds);
    for (int64_t i = 0; result && i < count; i++) {
        result->items[i] = list->items[start + i * step];
        if (list->holds) mts_retain(result->items[i].list);
    }
    return result;
}

// [0, 1, ...]; 0 without memory
static inline mts_list *mts_counted(mts_list **pool, int64_t length)
{
    mts_list *list = mts_list_new(pool, length, false);
    for (int64_t i = 0; list && i < length; i++) list->items[i].i = i;
    return list;
}

static inline void mts_reverse(mts_list *list)
{
    for (int64_t i = 0, j = list->length - 1; i < j; i++, j--) {
        mts_value item = list->items[i];
        list->items[i] = list->items[j];
        list->items[j] = item;
    }
}

static int mts_compare_ints(const void *a, const void *b)
{
    int64_t x = ((const mts_value *)a)->i, y = ((const mts_value *)b)->i;
    return (x > y) - (x < y);
}

static inline void mts_sort_ints(mts_list *list, bool reverse)
{
    qsort(list->items, list->length, sizeof *list->items, mts_compare_ints);
    if (reverse) mts_reverse(list);
}

// 0 without memory
static inline mts_list *mts_sorted_ints(mts_list **pool, mts_list *list)
{
    mts_list *result = mts_copy(pool, list);
    if (result) mts_sort_ints(result, false);
    return result;
}

// the future of a task, in which nothing is set yet: its result, the number of the site where it
// has raised, or 0, and what that site tells; 0 without memory
static inline mts_list *mts_future(mts_list **pool, int64_t told, bool holds_result)
{
    mts_list *future = mts_list_new(pool, told + 2, false);
    if (!future) return 0;
    for (int64_t i = 0; i < future->length; i++) future->items[i].i = 0;
    future->holds = holds_result;
    return future;
}
