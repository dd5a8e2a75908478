// a copy of some bytes, with a byte 0 after them; 0 without memory
static char *mts_copy_bytes(const char *from, int64_t length)
{
    char *bytes = malloc(length + 1);
    if (!bytes) return 0;
    memcpy(bytes, from, length);
    bytes[length] = 0;
    return bytes;
}

static int32_t mts_box_text(const char *bytes, int64_t length, mts_kind kind, mts_any *any)
{
    any->as.text = mts_copy_bytes(bytes, length);
    if (!any->as.text) return MTS_NO_MEMORY;
    any->kind = kind;
    any->length = length;
    return 0;
}

static int32_t mts_box_device(int64_t device, mts_any *any)
{
    char text[40];
    int32_t index = (int32_t)device;
    const char *name = mts_device_name(device >> 32);
    int length = index < 0 ? snprintf(text, sizeof text, "%s", name)
                           : snprintf(text, sizeof text, "%s:%d", name, (int)index);
    return mts_box_text(text, length, MTS_DEVICE, any);
}

// a number of the type that it tells; C has none for an int beyond 63 bits
static int32_t mts_box_number(mts_list *number, mts_any *any)
{
    mts_value first = number->items[1];
    switch (mts_number_kind(number)) {
    case 'i': *any = mts_from_int(first.i); return 0;
    case 'b': *any = mts_from_bool(first.i != 0); return 0;
    case 'f': *any = mts_from_float(first.d); return 0;
    case 'c': *any = mts_from_complex(first.d, number->items[2].d); return 0;
    }
    return MTS_BEYOND;
}

// a member of an enum, whose name is the library's
static void mts_box_member(const mts_class *type, int64_t number, mts_any *any)
{
    *any = mts_from_member(type->names[number]);
    any->type = type;
}

// memory for some values, which are None
static int32_t mts_box_room(mts_kind kind, int64_t length, int64_t items, mts_any *any)
{
    any->as.items = malloc((items + 1) * sizeof *any);
    if (!any->as.items) return MTS_NO_MEMORY;
    memset(any->as.items, 0, items * sizeof *any);
    any->kind = kind;
    any->length = length;
    return 0;
}

// hands out a value of the program as a copy; 0, or why there is none, with what was made so far
static int32_t mts_box(const char *code, mts_value value, mts_any *any);
// List[...]
static int32_t mts_box_list(const char *code, mts_list *list, mts_any *any)
{
    int32_t fault = mts_box_room(MTS_LIST, list->length, list->length, any);
    for (int64_t i = 0; !fault && i < list->length; i++)
        fault = mts_box(code, list->items[i], &any->as.items[i]);
    return fault;
}
// Tuple[...]
static int32_t mts_box_tuple(const char *code, mts_list *tuple, mts_any *any)
{
    int32_t fault = mts_box_room(MTS_TUPLE, tuple->length, tuple->length, any);
    if (*code >= '0' && *code <= '9') {
        any->type = mts_class_of(code);
        code = strchr(code, ':') + 1;
    }
    for (int64_t i = 0; !fault && i < tuple->length; i++, code = mts_after(code))
        fault = mts_box(code, tuple->items[i], &any->as.items[i]);
    return fault;
}
// Dict[..., ...]
static int32_t mts_box_dict(const char *code, mts_list *dict, mts_any *any)
{
    int32_t fault = mts_box_room(MTS_DICT, dict->length, 2 * dict->length, any);
    mts_any *to = any->as.items;
    for (int64_t i = 0; !fault && i < mts_dict_in(dict)->used; i++) {
        mts_value *entry = &dict->items[3 * i];
        if (!entry[2].i) continue;
        fault = mts_box(code, entry[0], to++);
        if (!fault) fault = mts_box(mts_after(code), entry[1], to++);
    }
    return fault;
}
// any type
static int32_t mts_box(const char *code, mts_value value, mts_any *any)
{
    *any = mts_none();
    if (mts_is_held(*code) && !value.list) return 0;
    switch (*code) {
    case 'i': *any = mts_from_int(value.i); return 0;
    case 'b': *any = mts_from_bool(value.i != 0); return 0;
    case 'f': *any = mts_from_float(value.d); return 0;
    case 's': return mts_box_text(mts_bytes(value.list), value.list->length, MTS_STR, any);
    case 'c': *any = mts_from_complex(value.list->items[0].d, value.list->items[1].d); return 0;
    case 'N': case 'I': case 'J': case 'K': return mts_box_number(value.list, any);
    case 'd': return mts_box_device(value.i, any);
    case '<': mts_box_member(mts_class_of(code + 1), value.i, any); return 0;
    case 'T': return mts_box_tensor(value.list, any);
    case '?': return mts_box(code + 1, mts_is_held(code[1]) ? value : value.list->items[0], any);
    case '[': return mts_box_list(code + 1, value.list, any);
    case '(': return mts_box_tuple(code + 1, value.list, any);
    case '{': return mts_box_dict(code + 1, value.list, any);
    }
    return 0;
}

// the end of what was handed out
static void mts_clear_any(mts_any *any)
{
    int64_t items = any->kind == MTS_DICT ? 2 * any->length : any->length;
    if (any->kind == MTS_STR || any->kind == MTS_DEVICE) free((void *)any->as.text);
    if (any->kind == MTS_TENSOR) mts_clear_tensor(any);
    if (any->kind == MTS_LIST || any->kind == MTS_TUPLE || any->kind == MTS_DICT) {
        for (int64_t i = 0; i < items; i++) mts_clear_any(&any->as.items[i]);
        free(any->as.items);
    }
    *any = mts_none();
}
