static inline bool mts_is_held(char code)
{
    return code != 'i' && code != 'f' && code != 'b' && code != 'd' && code != '<';
}

// the class whose number is in the code of a type
static const mts_class *mts_class_of(const char *code)
{
    int64_t number = 0;
    while (*code >= '0' && *code <= '9') number = 10 * number + *code++ - '0';
    return &mts_classes[number];
}

// a complex number, of which the program has the two parts
static int32_t mts_unbox_complex(mts_list **pool, const mts_any *any, mts_value *value)
{
    bool is_whole = any->kind == MTS_INT || any->kind == MTS_BOOL;
    int64_t whole = any->kind == MTS_BOOL ? any->as.boolean : any->as.integer;
    if (!is_whole && any->kind != MTS_FLOAT && any->kind != MTS_COMPLEX) return MTS_UNFIT;
    mts_value parts[2] = {{.d = is_whole ? (double)whole : any->as.real}, {.d = 0.0}};
    if (any->kind == MTS_COMPLEX) parts[1].d = any->imaginary;
    value->list = mts_list_of(pool, 2, parts);
    return value->list ? 0 : MTS_NO_MEMORY;
}

// a number whose type is that of the caller's; `code` tells which may be
static int32_t mts_unbox_number(mts_list **pool, char code, const mts_any *any, mts_value *value)
{
    if (any->kind == MTS_BOOL && code == 'N')
        value->list = mts_number_of_bool(pool, any->as.boolean);
    else if (any->kind == MTS_INT && code != 'K')
        value->list = mts_number_of_int(pool, any->as.integer);
    else if (any->kind == MTS_FLOAT && code != 'J')
        value->list = mts_number_of_float(pool, any->as.real);
    else if (any->kind == MTS_COMPLEX && code != 'I')
        value->list = mts_number(pool, 'c', (mts_value){.d = any->as.real}, any->imaginary);
    else
        return MTS_UNFIT;
    return value->list ? 0 : MTS_NO_MEMORY;
}

// a device, by its name
static int32_t mts_unbox_device(mts_list **pool, const mts_any *any, mts_value *value)
{
    if (any->kind != MTS_DEVICE && any->kind != MTS_STR) return MTS_UNFIT;
    mts_list *text = mts_text_of(pool, any->length, any->as.text);
    if (!text) return MTS_NO_MEMORY;
    value->i = mts_device_of_text(text);
    mts_release(text);
    return value->i < 0 ? MTS_UNKNOWN : 0;
}

// the number that a member of an enum has in a class, by its name; -1 where it is none
static int64_t mts_number_of_member(const mts_class *type, const mts_any *any)
{
    for (int64_t i = 0; i < type->length; i++) {
        bool is_long = (int64_t)strlen(type->names[i]) == any->length;
        if (is_long && !memcmp(type->names[i], any->as.text, any->length)) return i;
    }
    return -1;
}

static int32_t mts_unbox_member(const mts_class *type, const mts_any *any, mts_value *value)
{
    if (any->kind != MTS_ENUM || (any->type && strcmp(any->type->name, type->name))) return MTS_UNFIT;
    value->i = mts_number_of_member(type, any);
    return value->i < 0 ? MTS_UNKNOWN : 0;
}

// what is given where no member of an enum is wanted: of one whose value is told, as of an IntEnum,
// the value
static const mts_any *mts_plain(const mts_any *any)
{
    bool has_value = any->kind == MTS_ENUM && any->type && any->type->values;
    int64_t number = has_value ? mts_number_of_member(any->type, any) : -1;
    return number < 0 ? any : &any->type->values[number];
}

// makes a value of the program of a caller's, which it copies; 0, or why there is none
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
// Tuple[...], of which a NamedTuple is given by its items, as by torch.jit
static int32_t mts_unbox_tuple(
    mts_list **pool, const char *code, const mts_any *any, mts_value *value)
{
    if (any->kind != MTS_TUPLE) return MTS_UNFIT;
    if (*code >= '0' && *code <= '9') code = strchr(code, ':') + 1;
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
    if (*code != '<' && *code != '?') any = mts_plain(any);
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
    case 'c': return mts_unbox_complex(pool, any, value);
    case 'N': case 'I': case 'J': case 'K': return mts_unbox_number(pool, *code, any, value);
    case 'd': return mts_unbox_device(pool, any, value);
    case '<': return mts_unbox_member(mts_class_of(code + 1), any, value);
    case 'T': return mts_unbox_tensor(pool, any, value);
    case '?': return mts_unbox_optional(pool, code + 1, any, value);
    case '[': return mts_unbox_list(pool, code + 1, any, value);
    case '{': return mts_unbox_dict(pool, code + 1, any, value);
    case '(': return mts_unbox_tuple(pool, code + 1, any, value);
    }
    return MTS_UNFIT;
}
