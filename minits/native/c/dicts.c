// a dict: a list of its items in the order in which they came, and an index to them
// `used` counts entries of three values, the key, the value and the hash, which is 0 for what was
// deleted; `index` follows them, and has the numbers of entries, from 1, at places by their hash;
// `keys` are strs (s), floats (f) or ints, bools and devices (i)
typedef struct mts_dict {
    mts_list list;
    int64_t used;
    char keys;
    bool holds_values;
} mts_dict;

static inline mts_dict *mts_dict_in(mts_list *dict)
{
    return (mts_dict *)dict;
}

static inline int64_t *mts_dict_index(mts_list *dict)
{
    return &dict->items[3 * dict->capacity].i;
}

// room for so many entries, a power of two, and twice as many places in the index; 0 without memory
static inline mts_value *mts_dict_room(int64_t capacity)
{
    mts_value *items = capacity > INT64_MAX / 128 ? 0 : malloc(5 * capacity * sizeof *items);
    if (items) memset(items + 3 * capacity, 0, 2 * capacity * sizeof *items);
    return items;
}

static void mts_dict_drop(mts_list *dict)
{
    for (int64_t i = 0; i < mts_dict_in(dict)->used; i++) {
        mts_value *entry = &dict->items[3 * i];
        if (!entry[2].i) continue;
        if (mts_dict_in(dict)->keys == 's') mts_release(entry[0].list);
        if (mts_dict_in(dict)->holds_values) mts_release(entry[1].list);
    }
}

// a new dict without items; 0 without memory
static inline mts_list *mts_dict_new(mts_list **pool, char keys, bool holds_values)
{
    mts_dict *dict = malloc(sizeof *dict);
    mts_value *items = mts_dict_room(4);
    if (!dict || !items) {
        free(dict);
        free(items);
        return 0;
    }
    mts_list list = {0, 1, 4, items, 0, mts_dict_drop, *pool, pool, 0, 0};
    *dict = (mts_dict){list, 0, keys, holds_values};
    if (*pool) (*pool)->place = &dict->list.next;
    *pool = &dict->list;
    return &dict->list;
}

// never 0; it is computed once
static inline int64_t mts_hash_text(mts_list *text)
{
    if (text->hash) return text->hash;
    uint64_t hash = 0xcbf29ce484222325u;
    for (int64_t i = 0; i < text->length; i++)
        hash = (hash ^ (uint8_t)mts_bytes(text)[i]) * 0x100000001b3u;
    return text->hash = (int64_t)((hash ^ hash >> 32) | 1);
}

// never 0
static inline int64_t mts_hash_key(mts_list *dict, mts_value key)
{
    char keys = mts_dict_in(dict)->keys;
    if (keys == 's') return mts_hash_text(key.list);
    if (keys == 'f' && key.d == 0.0) key.d = 0.0;  // -0.0 is equal
    uint64_t hash = (uint64_t)key.i * 0x9e3779b97f4a7c15u;
    return (int64_t)((hash ^ hash >> 32) | 1);
}

// the entry of a key, or 0
static inline mts_value *mts_dict_find(mts_list *dict, mts_value key)
{
    int64_t hash = mts_hash_key(dict, key), last = 2 * dict->capacity - 1;
    int64_t *index = mts_dict_index(dict);
    char keys = mts_dict_in(dict)->keys;
    for (int64_t at = hash >> 1 & last; index[at]; at = (at + 1) & last) {
        mts_value *entry = &dict->items[3 * (index[at] - 1)];
        if (entry[2].i != hash) continue;
        bool is_equal = keys == 's'   ? mts_equal_text(entry[0].list, key.list)
                        : keys == 'f' ? entry[0].d == key.d
                                      : entry[0].i == key.i;
        if (is_equal) return entry;
    }
    return 0;
}

// adds an entry, for which there is room, and whose key is not there
static inline void mts_dict_add(mts_list *dict, const mts_value *entry)
{
    int64_t number = mts_dict_in(dict)->used++, last = 2 * dict->capacity - 1;
    int64_t *index = mts_dict_index(dict), at = entry[2].i >> 1 & last;
    while (index[at]) at = (at + 1) & last;
    index[at] = number + 1;
    memcpy(&dict->items[3 * number], entry, 3 * sizeof *entry);
    dict->length++;
}

// room for one entry more, without those that were deleted; false without memory
static inline bool mts_dict_grow(mts_list *dict)
{
    if (mts_dict_in(dict)->used < dict->capacity) return true;
    bool is_full = dict->length > dict->capacity / 2;
    int64_t capacity = is_full ? 2 * dict->capacity : dict->capacity;
    mts_value *items = mts_dict_room(capacity), *before = dict->items;
    if (!items) return false;
    int64_t used = mts_dict_in(dict)->used;
    dict->items = items;
    dict->capacity = capacity;
    dict->length = mts_dict_in(dict)->used = 0;
    for (int64_t i = 0; i < used; i++)
        if (before[3 * i + 2].i) mts_dict_add(dict, &before[3 * i]);
    free(before);
    return true;
}

// false without memory
static inline bool mts_dict_put(mts_list *dict, mts_value key, mts_value value)
{
    if (mts_dict_in(dict)->holds_values) mts_retain(value.list);
    mts_value *entry = mts_dict_find(dict, key);
    if (entry) {
        if (mts_dict_in(dict)->holds_values) mts_release(entry[1].list);
        entry[1] = value;
        return true;
    }
    if (!mts_dict_grow(dict)) return false;
    if (mts_dict_in(dict)->keys == 's') mts_retain(key.list);
    mts_value added[3] = {key, value, {.i = mts_hash_key(dict, key)}};
    mts_dict_add(dict, added);
    return true;
}

// the value of a key, or another one
static inline mts_value mts_dict_get(mts_list *dict, mts_value key, mts_value otherwise)
{
    mts_value *entry = mts_dict_find(dict, key);
    return entry ? entry[1] : otherwise;
}

// takes out the value of a key that is there; its holder is now whoever asked
static inline mts_value mts_dict_pop(mts_list *dict, mts_value key)
{
    mts_value *entry = mts_dict_find(dict, key);
    if (mts_dict_in(dict)->keys == 's') mts_release(entry[0].list);
    entry[2].i = 0;
    dict->length--;
    return entry[1];
}

static inline mts_value mts_dict_pop_or(mts_list *dict, mts_value key, mts_value otherwise)
{
    if (mts_dict_find(dict, key)) return mts_dict_pop(dict, key);
    if (mts_dict_in(dict)->holds_values) mts_retain(otherwise.list);
    return otherwise;
}

static inline void mts_dict_delete(mts_list *dict, mts_value key)
{
    mts_value value = mts_dict_pop(dict, key);
    if (mts_dict_in(dict)->holds_values) mts_release(value.list);
}

static inline void mts_dict_clear(mts_list *dict)
{
    mts_dict_drop(dict);
    memset(mts_dict_index(dict), 0, 2 * dict->capacity * sizeof *dict->items);
    dict->length = mts_dict_in(dict)->used = 0;
}

// one of the three values of each entry, in their order; 0 without memory
static inline mts_list *mts_dict_list(mts_list **pool, mts_list *dict, int64_t which, bool held)
{
    mts_list *list = mts_list_new(pool, dict->length, held);
    for (int64_t i = 0, to = 0; list && i < mts_dict_in(dict)->used; i++) {
        mts_value *entry = &dict->items[3 * i];
        if (!entry[2].i) continue;
        list->items[to] = entry[which];
        if (held) mts_retain(list->items[to].list);
        to++;
    }
    return list;
}

static inline mts_list *mts_dict_keys(mts_list **pool, mts_list *dict)
{
    return mts_dict_list(pool, dict, 0, mts_dict_in(dict)->keys == 's');
}

static inline mts_list *mts_dict_values(mts_list **pool, mts_list *dict)
{
    return mts_dict_list(pool, dict, 1, mts_dict_in(dict)->holds_values);
}

// false without memory
static inline bool mts_dict_update(mts_list *dict, mts_list *other)
{
    for (int64_t i = 0; i < mts_dict_in(other)->used; i++) {
        mts_value *entry = &other->items[3 * i];
        if (entry[2].i && !mts_dict_put(dict, entry[0], entry[1])) return false;
    }
    return true;
}

static inline mts_list *mts_dict_copy(mts_list **pool, mts_list *dict)
{
    mts_dict *like = mts_dict_in(dict);
    mts_list *copy = mts_dict_new(pool, like->keys, like->holds_values);
    return copy && mts_dict_update(copy, dict) ? copy : 0;
}

// the dict of keys and their values, of which the last of equal keys counts; 0 without memory
static inline mts_list *mts_dict_of(
    mts_list **pool, char kind, bool holds_values, mts_list *keys, mts_list *values)
{
    mts_list *dict = mts_dict_new(pool, kind, holds_values);
    for (int64_t i = 0; dict && i < keys->length; i++)
        if (!mts_dict_put(dict, keys->items[i], values->items[i])) return 0;
    return dict;
}
