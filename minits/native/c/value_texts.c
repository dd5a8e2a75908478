// the end of the code of a type (type_codes.py)
static const char *mts_after(const char *code)
{
    switch (*code) {
    case '?':
    case '[': return mts_after(code + 1);
    case '{': return mts_after(mts_after(code + 1));
    case '<':
        while (*code != '>') code++;
        break;
    case '(':
        for (code++; *code != ')';) code = mts_after(code);
    }
    return code + 1;
}

// whether an Optional of this type is a box of a number
static inline bool mts_is_number(char code)
{
    return code == 'i' || code == 'f' || code == 'b' || code == 'd' || code == '<';
}

// a text that grows; `fails` where there was no memory for it
typedef struct mts_writer {
    char *bytes;
    int64_t length, capacity;
    bool fails;
} mts_writer;

static void mts_write(mts_writer *to, const char *bytes, int64_t length)
{
    if (to->fails || length > INT64_MAX / 4 - to->length) {
        to->fails = true;
        return;
    }
    if (to->length + length > to->capacity) {
        int64_t capacity = 2 * (to->length + length) + 64;
        char *grown = realloc(to->bytes, capacity);
        to->fails = !grown;
        if (!grown) return;
        to->bytes = grown;
        to->capacity = capacity;
    }
    if (length) memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
}

// the str that was written; 0 without memory
static inline mts_list *mts_written(mts_list **pool, mts_writer *from)
{
    mts_list *text = from->fails ? 0 : mts_text_of(pool, from->length, from->bytes);
    free(from->bytes);
    return text;
}

// writes an int into `bytes`, which has room for 24, and returns its length
static int64_t mts_show_int(char *bytes, int64_t number)
{
    char digits[24];
    int64_t at = sizeof digits;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do digits[--at] = '0' + rest % 10;
    while (rest /= 10);
    if (number < 0) digits[--at] = '-';
    memcpy(bytes, digits + at, sizeof digits - at);
    return sizeof digits - at;
}

// writes a float into `bytes`, which has room for 40, and returns its length; a whole number has a
// point at its end
static int64_t mts_show_float(char *bytes, double number)
{
    if (number != number) {
        memcpy(bytes, "-nan", 4);
        if (!__builtin_signbit(number)) memcpy(bytes, "nan", 3);
        return 3 + !!__builtin_signbit(number);
    }
    bool is_whole = number >= -0x1p63 && number < 0x1p63 && number == (double)(int64_t)number;
    return is_whole ? snprintf(bytes, 40, "%lld.", (long long)number)
                    : mts_snprintf(bytes, 40, "%.17g", number);
}

// writes a complex number into `bytes`, which has room for 82, and returns its length
static int64_t mts_show_complex(char *bytes, double real, double imaginary)
{
    int64_t length = mts_show_float(bytes, real);
    bytes[length++] = imaginary >= 0.0 ? '+' : '-';
    length += mts_show_float(bytes + length, fabs(imaginary));
    bytes[length++] = 'j';
    return length;
}

// writes a device such as cuda:1 into `bytes`, which has room for 40, and returns its length
static int64_t mts_show_device(char *bytes, int64_t device)
{
    int32_t index = (int32_t)device;
    const char *name = mts_device_name(device >> 32);
    return index < 0 ? snprintf(bytes, 40, "%s", name) : snprintf(bytes, 40, "%s:%d", name, index);
}

// writes a member of an enum, of whose names in `code` it is the one of this number
static void mts_write_member(mts_writer *to, const char *code, int64_t number)
{
    const char *name = code + 1, *end;
    for (; number; name++) number -= *name == '|';
    for (end = name; *end != '|' && *end != '>';) end++;
    mts_write(to, "Enum<", 5);
    mts_write(to, name, end - name);
    mts_write(to, ">", 1);
}

// writes a value of the type that `code` tells, as `str` shows it; `tensor` writes a tensor, and is
// 0 where there are none
static void mts_write_value(
    mts_writer *to, const char *code, mts_value value, void (*tensor)(mts_writer *, mts_list *))
{
    char bytes[96];
    int64_t length = 0;
    switch (*code) {
    case 'i': length = mts_show_int(bytes, value.i); break;
    case 'f': length = mts_show_float(bytes, value.d); break;
    case 'd': length = mts_show_device(bytes, value.i); break;
    case 'c': {
        mts_value *parts = value.list->items;
        length = mts_show_complex(bytes, parts[0].d, parts[1].d);
        break;
    }
    case 'b': mts_write(to, value.i ? "True" : "False", value.i ? 4 : 5); break;
    case 'n': mts_write(to, "None", 4); break;
    case 's': mts_write(to, mts_bytes(value.list), value.list->length); break;
    case '<': mts_write_member(to, code, value.i); break;
    case 'T': tensor(to, value.list); break;
    case '?':
        if (value.list && mts_is_number(code[1])) value = *value.list->items;
        else if (!value.list) code = "?n";
        mts_write_value(to, code + 1, value, tensor);
        break;
    case '[':
        for (int64_t i = 0; i < value.list->length; i++) {
            mts_write(to, i ? ", " : "[", i ? 2 : 1);
            mts_write_value(to, code + 1, value.list->items[i], tensor);
        }
        mts_write(to, value.list->length ? "]" : "[]", value.list->length ? 1 : 2);
        break;
    case '(':
        mts_write(to, "(", 1);
        code++;
        for (int64_t i = 0; i < value.list->length; code = mts_after(code), i++) {
            if (i) mts_write(to, ", ", 2);
            mts_write_value(to, code, value.list->items[i], tensor);
        }
        mts_write(to, value.list->length == 1 ? ",)" : ")", value.list->length == 1 ? 2 : 1);
        break;
    case '{': {
        const char *of_value = mts_after(code + 1);
        bool has_some = false;
        mts_write(to, "{", 1);
        for (int64_t i = 0; i < mts_dict_in(value.list)->used; i++) {
            mts_value *entry = &value.list->items[3 * i];
            if (!entry[2].i) continue;
            if (has_some) mts_write(to, ", ", 2);
            has_some = true;
            mts_write_value(to, code + 1, entry[0], tensor);
            mts_write(to, ": ", 2);
            mts_write_value(to, of_value, entry[1], tensor);
        }
        mts_write(to, "}", 1);
    }
    }
    mts_write(to, bytes, length);
}

// the text of a value of the type that `code` tells; 0 without memory
static inline mts_list *mts_text_of_value(
    mts_list **pool, mts_value value, const char *code, void (*tensor)(mts_writer *, mts_list *))
{
    mts_writer writer = {0, 0, 0, false};
    mts_write_value(&writer, code, value, tensor);
    return mts_written(pool, &writer);
}

static inline mts_list *mts_text_of_int(mts_list **pool, int64_t number)
{
    char bytes[24];
    int64_t length = mts_show_int(bytes, number);
    return mts_text_of(pool, length, bytes);
}

static inline mts_list *mts_text_of_bool(mts_list **pool, bool value)
{
    return value ? mts_text_of(pool, 4, "True") : mts_text_of(pool, 5, "False");
}

static inline mts_list *mts_text_of_float(mts_list **pool, double number)
{
    char bytes[40];
    int64_t length = mts_show_float(bytes, number);
    return mts_text_of(pool, length, bytes);
}

static inline mts_list *mts_text_of_complex(mts_list **pool, mts_complex z)
{
    char bytes[96];
    int64_t length = mts_show_complex(bytes, __real__ z, __imag__ z);
    return mts_text_of(pool, length, bytes);
}

static inline mts_list *mts_text_of_device(mts_list **pool, int64_t device)
{
    char bytes[40];
    int64_t length = mts_show_device(bytes, device);
    return mts_text_of(pool, length, bytes);
}

// a number by a pattern such as %.6f, which is told a float of 32 bits
static inline mts_list *mts_text_by_pattern(mts_list **pool, const char *pattern, double number)
{
    char bytes[64];
    int length = mts_snprintf(bytes, sizeof bytes, pattern, (double)(float)number);
    return mts_text_of(pool, length, bytes);
}

// an int of 32 bits, as x86 makes it of a float: what does not fit becomes the least one
static inline int64_t mts_c_int(double number)
{
    return number >= -0x1p31 && number < 0x1p31 ? (int64_t)number : INT32_MIN;
}
