// a str is a list whose items are its bytes
static inline char *mts_bytes(mts_list *text)
{
    return (char *)text->items;
}

// a new str whose bytes are not set, but for a zero after them, which is none of them; 0 without
// memory
static inline mts_list *mts_text_new(mts_list **pool, int64_t length)
{
    if (length < 0 || length > INT64_MAX / 16) return 0;
    mts_list *text = malloc(sizeof *text + length + 1);
    if (!text) return 0;
    ((char *)(text + 1))[length] = 0;
    *text = (mts_list){length, 1, 0, (mts_value *)(text + 1), 0, 0, *pool, pool, 0, 0};
    if (text->next) text->next->place = &text->next;
    *pool = text;
    return text;
}

// the str of some bytes; 0 without memory
static inline mts_list *mts_text_of(mts_list **pool, int64_t length, const char *bytes)
{
    mts_list *text = mts_text_new(pool, length);
    if (text && length) memcpy(mts_bytes(text), bytes, length);
    return text;
}

// the list of strs of these lengths, whose bytes lie one after another; 0 without memory
static inline mts_list *mts_list_of_texts(
    mts_list **pool, int64_t length, const mts_value *lengths, const char *bytes)
{
    mts_list *list = mts_list_new(pool, length, true);
    for (int64_t i = 0; list && i < length; i++) {
        list->items[i].list = mts_text_of(pool, lengths[i].i, bytes);
        if (!list->items[i].list) return 0;
        bytes += lengths[i].i;
    }
    return list;
}

// adds a str that was made for it; false without memory, also for the str
static inline bool mts_append_text(mts_list *list, mts_list *text)
{
    if (!list || !text || !mts_append(list, (mts_value){.list = text})) return false;
    mts_release(text);
    return true;
}

static inline mts_list *mts_add_texts(mts_list **pool, mts_list *a, mts_list *b)
{
    mts_list *text = mts_text_new(pool, a->length + b->length);
    if (!text) return 0;
    memcpy(mts_bytes(text), a->items, a->length);
    memcpy(mts_bytes(text) + a->length, b->items, b->length);
    return text;
}

// below, at or above 0, as a comes before b, equals it or comes after it
static inline int mts_order_texts(mts_list *a, mts_list *b)
{
    int order = memcmp(a->items, b->items, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static inline bool mts_equal_text(mts_list *a, mts_list *b)
{
    return a->length == b->length && !memcmp(a->items, b->items, a->length);
}

static inline bool mts_equal_texts(mts_list *a, mts_list *b)
{
    if (a->length != b->length) return false;
    for (int64_t i = 0; i < a->length; i++)
        if (!mts_equal_text(a->items[i].list, b->items[i].list)) return false;
    return true;
}

// the index of the first item that is equal, or -1
static inline int64_t mts_find_text(mts_list *list, mts_list *wanted)
{
    for (int64_t i = 0; i < list->length; i++)
        if (mts_equal_text(list->items[i].list, wanted)) return i;
    return -1;
}

static inline int64_t mts_count_text(mts_list *list, mts_list *wanted)
{
    int64_t count = 0;
    for (int64_t i = 0; i < list->length; i++) count += mts_equal_text(list->items[i].list, wanted);
    return count;
}

static inline bool mts_any_text(mts_list *list)
{
    for (int64_t i = 0; i < list->length; i++)
        if (list->items[i].list->length) return true;
    return false;
}

static int mts_compare_texts(const void *a, const void *b)
{
    return mts_order_texts(((const mts_value *)a)->list, ((const mts_value *)b)->list);
}

// equal strs cannot be told apart, so that the order of theirs is of no matter
static inline void mts_sort_texts(mts_list *list, bool reverse)
{
    qsort(list->items, list->length, sizeof *list->items, mts_compare_texts);
    if (reverse) mts_reverse(list);
}

static inline mts_list *mts_sorted_texts(mts_list **pool, mts_list *list)
{
    mts_list *result = mts_copy(pool, list);
    if (result) mts_sort_texts(result, false);
    return result;
}

static inline mts_list *mts_byte_at(mts_list **pool, mts_list *text, int64_t index)
{
    return mts_text_of(pool, 1, mts_bytes(text) + mts_place(index, text->length));
}

// text[start:end:step] for step != 0
static inline mts_list *mts_slice_text(
    mts_list **pool, mts_list *text, int64_t start, int64_t end, int64_t step)
{
    start = mts_slice_bound(start, text->length, step);
    end = mts_slice_bound(end, text->length, step);
    int64_t count = mts_range_length(start, end, step);
    mts_list *result = mts_text_new(pool, count);
    for (int64_t i = 0; result && i < count; i++)
        mts_bytes(result)[i] = mts_bytes(text)[start + i * step];
    return result;
}
