// a tuple in a list: a list of its items, of which the bits of `holds` say which are lists; 0 without
// memory
static inline mts_list *mts_tuple_of(
    mts_list **pool, int64_t length, uint64_t holds, const mts_value *items)
{
    mts_list *tuple = mts_list_of(pool, length, items);
    if (!tuple) return 0;
    tuple->holds = holds;
    for (int64_t i = 0; i < length; i++)
        if (holds >> i & 1) mts_retain(items[i].list);
    return tuple;
}

// the list of tuples of a key and its value; 0 without memory
static inline mts_list *mts_dict_items(mts_list **pool, mts_list *dict)
{
    uint64_t holds = (mts_dict_in(dict)->keys == 's') | mts_dict_in(dict)->holds_values << 1;
    mts_list *list = mts_list_new(pool, 0, true);
    for (int64_t i = 0; list && i < mts_dict_in(dict)->used; i++) {
        mts_value *entry = &dict->items[3 * i];
        if (!entry[2].i) continue;
        mts_list *tuple = mts_tuple_of(pool, 2, holds, entry);
        if (!tuple || !mts_append(list, (mts_value){.list = tuple})) return 0;
        mts_release(tuple);
    }
    return list;
}

// an object whose attributes are not set; 0 without memory
static inline mts_list *mts_object_new(mts_list **pool, int64_t length, uint64_t holds)
{
    mts_list *object = mts_list_new(pool, length, false);
    if (!object) return 0;
    memset(object->items, 0, length * sizeof *object->items);
    object->holds = holds;
    return object;
}

// takes the first key and its value out of a dict that has some, as a tuple; 0 without memory
static inline mts_list *mts_dict_popitem(mts_list **pool, mts_list *dict)
{
    uint64_t holds = (mts_dict_in(dict)->keys == 's') | mts_dict_in(dict)->holds_values << 1;
    mts_value *entry = dict->items;
    while (!entry[2].i) entry += 3;
    mts_list *tuple = mts_tuple_of(pool, 2, holds, entry);
    if (!tuple) return 0;
    if (holds & 1) mts_release(entry[0].list);
    if (holds & 2) mts_release(entry[1].list);
    entry[2].i = 0;
    dict->length--;
    return tuple;
}
