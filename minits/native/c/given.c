// the value that Python has written as words (`given.py`): what takes values from a stack, and puts
// there what it makes of them; `take` takes a tensor by its handle; false without memory
static bool mts_given(
    mts_list **pool, const mts_value *words, mts_list *(*take)(mts_list **, void *),
    mts_list **to)
{
    mts_list *stack = mts_list_new(pool, 0, false);
    while (stack && words->i != 'e') {
        int64_t kind = words[0].i, count = words[1].i, holds = words[2].i;
        int64_t taken = kind == 'n' || kind == 's' || kind == 'h' ? 0 : kind == 'd' ? 2 * count : count;
        mts_value *items = &stack->items[stack->length - taken], made = words[1];
        if (kind == 's') made.list = mts_text_of(pool, count, (const char *)&words[3]);
        if (kind == 'h') made.list = take(pool, (void *)&words[1]);
        if (kind == 'l') made.list = mts_list_given(pool, count, holds, items);
        if (kind == 't') made.list = mts_tuple_of(pool, count, holds, items);
        if (kind == 'd') made.list = mts_dict_given(pool, count, holds, items);
        if (kind != 'n' && !made.list) return false;
        for (int64_t i = 0; i < taken; i++)
            if (holds >> (kind == 'd' ? i & 1 : i & 63) & 1) mts_release(items[i].list);
        stack->length -= taken;
        if (!mts_append(stack, made)) return false;
        words += kind == 's' ? 3 + (count + 7) / 8 : 3;
    }
    if (!stack) return false;
    *to = stack->items[0].list;
    mts_release(stack);
    return true;
}

static inline mts_list *mts_list_given(
    mts_list **pool, int64_t length, bool has_lists, const mts_value *items)
{
    if (has_lists) return mts_list_of_lists(pool, length, items);
    return mts_list_of(pool, length, items);
}

// the dict of keys that are each before their value; bits of `holds` say which of them are lists,
// and the third one that keys are floats
static inline mts_list *mts_dict_given(
    mts_list **pool, int64_t length, int64_t holds, const mts_value *items)
{
    mts_list *dict = mts_dict_new(pool, holds & 4 ? 'f' : holds & 1 ? 's' : 'i', holds >> 1 & 1);
    for (int64_t i = 0; dict && i < length; i++)
        if (!mts_dict_put(dict, items[2 * i], items[2 * i + 1])) return 0;
    return dict;
}
