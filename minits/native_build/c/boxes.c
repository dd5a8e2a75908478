static inline bool mts_is_held(char code)
{
    return code != 'i' && code != 'f' && code != 'b';
}

// makes a value of the program of a caller's, which it copies; 0, MTS_UNFIT or MTS_NO_MEMORY
static int32_t mts_unbox(mts_list **pool, const char *code, const mts_any *any, mts_value *value);
// Optional[...]; that of a number is a box, a list of it
static int32_t mts_unbox_optional(
    mts_list **pool, const char *code, const mts_any *any, mts_value *value)
{
    value->list = 0;
    if (any->kind == MTS_NONE) return 0;
    if (mts_is_held(*code)) return mts_unbox(pool, code, any, value);
    mts_value number;
    int32_t fault = mts_unbox(pool, code, any, &number);
    if (fault) return fault;
    value->list = mts_list_of(pool, 1, &number);
    return value->list ? 0 : MTS_NO_MEMORY;
}
// List[...]
static int32_t mts_unbox_list(
    mts_list **pool, const char *code, const mts_any *any, mts_value *value)
{
    if (any->kind != MTS_LIST && any->kind != MTS_TUPLE) return MTS_UNFIT;
    value->list = mts_list_new(pool, any->length, mts_is_held(*code));
    if (!value->list) return MTS_NO_MEMORY;
    for (int64_t i = 0; i < any->length; i++) {
        int32_t fault = mts_unbox(pool, code, &any->as.items[i], &value->list->items[i]);
        if (fault) return fault;
    }
    return 0;
}
// Dict[..., ...]
static int32_t mts_unbox_dict(
    mts_list **pool, const char *code, const mts_any *any, mts_value *value)
{
    const char *item_code = mts_after(code);
    char keys = *code == 's' || *code == 'f' ? *code : 'i';
    bool holds_values = mts_is_held(*item_code);
    if (any->kind != MTS_DICT) return MTS_UNFIT;
    value->list = mts_dict_new(pool, keys, holds_values);
    if (!value->list) return MTS_NO_MEMORY;
    for (int64_t i = 0; i < any->length; i++) {
        mts_value key, item;
        int32_t fault = mts_unbox(pool, code, &any->as.items[2 * i], &key);
        if (!fault) fault = mts_unbox(pool, item_code, &any->as.items[2 * i + 1], &item);
        if (fault) return fault;
        if (!mts_dict_put(value->list, key, item)) return MTS_NO_MEMORY;
        if (keys == 's') mts_release(key.list);
        if (holds_values) mts_release(item.list);
    }
    return 0;
}
// Tuple[...]
static int32_t mts_unbox_tuple(
    mts_list **pool, const char *code, const mts_any *any, mts_value *value)
{
    if (any->kind != MTS_TUPLE) return MTS_UNFIT;
    value->list = mts_list_new(pool, any->length, false);
    if (!value->list) return MTS_NO_MEMORY;
    uint64_t holds = 0;
    for (int64_t i = 0; i < any->length; i++) {
        if (*code == ')') return MTS_UNFIT;
        int32_t fault = mts_unbox(pool, code, &any->as.items[i], &value->list->items[i]);
        if (fault) return fault;
        holds |= (uint64_t)mts_is_held(*code) << i;
        code = mts_after(code);
    }
    value->list->holds = holds;
    return *code == ')' ? 0 : MTS_UNFIT;
}
// any type
static int32_t mts_unbox(mts_list **pool, const char *code, const mts_any *any, mts_value *value)
{
    if (any->length < 0) return MTS_UNFIT;
    bool is_whole = any->kind == MTS_INT || any->kind == MTS_BOOL;
    int64_t whole = any->kind == MTS_BOOL ? any->as.boolean : any->as.integer;
    switch (*code) {
    case 'n':
        value->list = 0;
        return any->kind == MTS_NONE ? 0 : MTS_UNFIT;
    case 'i':
        value->i = whole;
        return is_whole ? 0 : MTS_UNFIT;
    case 'b':
        value->i = whole != 0;
        return is_whole ? 0 : MTS_UNFIT;
    case 'f':
        value->d = is_whole ? (double)whole : any->as.real;
        return is_whole || any->kind == MTS_FLOAT ? 0 : MTS_UNFIT;
    case 's':
        if (any->kind != MTS_STR) return MTS_UNFIT;
        value->list = mts_text_of(pool, any->length, any->as.text);
        return value->list ? 0 : MTS_NO_MEMORY;
    case 'T': return mts_unbox_tensor(pool, any, value);
    case '?': return mts_unbox_optional(pool, code + 1, any, value);
    case '[': return mts_unbox_list(pool, code + 1, any, value);
    case '{': return mts_unbox_dict(pool, code + 1, any, value);
    case '(': return mts_unbox_tuple(pool, code + 1, any, value);
    }
    return MTS_UNFIT;
}

static bool mts_box_text(mts_list *text, mts_any *any)
{
    char *bytes = malloc(text->length + 1);
    if (!bytes) return false;
    memcpy(bytes, text->items, text->length);
    bytes[text->length] = 0;
    any->kind = MTS_STR;
    any->length = text->length;
    any->as.text = bytes;
    return true;
}

// memory for some values, which are None
static bool mts_box_room(mts_kind kind, int64_t length, int64_t items, mts_any *any)
{
    any->as.items = malloc((items + 1) * sizeof *any);
    if (!any->as.items) return false;
    memset(any->as.items, 0, items * sizeof *any);
    any->kind = kind;
    any->length = length;
    return true;
}

// hands out a value of the program as a copy; false without memory, with what was made so far
static bool mts_box(const char *code, mts_value value, mts_any *any);
// List[...] and Tuple[...]
static bool mts_box_items(mts_kind kind, const char *code, mts_list *list, mts_any *any)
{
    if (!mts_box_room(kind, list->length, list->length, any)) return false;
    for (int64_t i = 0; i < list->length; i++) {
        if (!mts_box(code, list->items[i], &any->as.items[i])) return false;
        if (kind == MTS_TUPLE) code = mts_after(code);
    }
    return true;
}
// Dict[..., ...]
static bool mts_box_dict(const char *code, mts_list *dict, mts_any *any)
{
    if (!mts_box_room(MTS_DICT, dict->length, 2 * dict->length, any)) return false;
    mts_any *to = any->as.items;
    for (int64_t i = 0; i < mts_dict_in(dict)->used; i++) {
        mts_value *entry = &dict->items[3 * i];
        if (!entry[2].i) continue;
        if (!mts_box(code, entry[0], to++)) return false;
        if (!mts_box(mts_after(code), entry[1], to++)) return false;
    }
    return true;
}
// any type
static bool mts_box(const char *code, mts_value value, mts_any *any)
{
    *any = (mts_any){0};
    if (mts_is_held(*code) && !value.list) return true;
    switch (*code) {
    case 'i': *any = mts_from_int(value.i); return true;
    case 'b': *any = mts_from_bool(value.i != 0); return true;
    case 'f': *any = mts_from_float(value.d); return true;
    case 's': return mts_box_text(value.list, any);
    case 'T': return mts_box_tensor(value.list, any);
    case '?': return mts_box(code + 1, mts_is_held(code[1]) ? value : value.list->items[0], any);
    case '[': return mts_box_items(MTS_LIST, code + 1, value.list, any);
    case '(': return mts_box_items(MTS_TUPLE, code + 1, value.list, any);
    case '{': return mts_box_dict(code + 1, value.list, any);
    }
    return true;
}

// the end of what was handed out
static void mts_clear_any(mts_any *any)
{
    int64_t items = any->kind == MTS_DICT ? 2 * any->length : any->length;
    if (any->kind == MTS_STR) free((void *)any->as.text);
    if (any->kind == MTS_TENSOR) mts_clear_tensor(any);
    if (any->kind == MTS_LIST || any->kind == MTS_TUPLE || any->kind == MTS_DICT) {
        for (int64_t i = 0; i < items; i++) mts_clear_any(&any->as.items[i]);
        free(any->as.items);
    }
    *any = (mts_any){0};
}
