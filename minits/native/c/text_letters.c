static inline bool mts_is_upper_byte(char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

static inline bool mts_is_lower_byte(char byte)
{
    return byte >= 'a' && byte <= 'z';
}

static inline bool mts_is_letter(char byte)
{
    return mts_is_upper_byte(byte) || mts_is_lower_byte(byte);
}

static inline char mts_upper_byte(char byte)
{
    return mts_is_lower_byte(byte) ? byte - 32 : byte;
}

static inline char mts_lower_byte(char byte)
{
    return mts_is_upper_byte(byte) ? byte + 32 : byte;
}

static inline mts_list *mts_upper(mts_list **pool, mts_list *text)
{
    mts_list *result = mts_text_of(pool, text->length, mts_bytes(text));
    for (int64_t i = 0; result && i < text->length; i++)
        mts_bytes(result)[i] = mts_upper_byte(mts_bytes(text)[i]);
    return result;
}

static inline mts_list *mts_lower(mts_list **pool, mts_list *text)
{
    mts_list *result = mts_text_of(pool, text->length, mts_bytes(text));
    for (int64_t i = 0; result && i < text->length; i++)
        mts_bytes(result)[i] = mts_lower_byte(mts_bytes(text)[i]);
    return result;
}

static inline mts_list *mts_swapcase(mts_list **pool, mts_list *text)
{
    mts_list *result = mts_text_of(pool, text->length, mts_bytes(text));
    for (int64_t i = 0; result && i < text->length; i++) {
        char byte = mts_bytes(text)[i];
        mts_bytes(result)[i] = mts_is_lower_byte(byte) ? byte - 32 : mts_lower_byte(byte);
    }
    return result;
}

static inline mts_list *mts_capitalize(mts_list **pool, mts_list *text)
{
    mts_list *result = mts_lower(pool, text);
    if (result && text->length) mts_bytes(result)[0] = mts_upper_byte(mts_bytes(text)[0]);
    return result;
}

static inline mts_list *mts_title(mts_list **pool, mts_list *text)
{
    mts_list *result = mts_text_of(pool, text->length, mts_bytes(text));
    bool inside = false;
    for (int64_t i = 0; result && i < text->length; i++) {
        char byte = mts_bytes(text)[i];
        mts_bytes(result)[i] = inside ? mts_lower_byte(byte) : mts_upper_byte(byte);
        inside = mts_is_letter(byte);
    }
    return result;
}

static inline bool mts_istitle(mts_list *text)
{
    bool found = false, inside = false;
    for (int64_t i = 0; i < text->length; i++) {
        char byte = mts_bytes(text)[i];
        if (byte != (inside ? mts_lower_byte(byte) : mts_upper_byte(byte))) return false;
        found = found || (mts_is_letter(byte) && !inside);
        inside = mts_is_letter(byte);
    }
    return found;
}

static inline bool mts_isupper(mts_list *text)
{
    bool found = false;
    for (int64_t i = 0; i < text->length; i++) {
        if (mts_is_lower_byte(mts_bytes(text)[i])) return false;
        found = found || mts_is_letter(mts_bytes(text)[i]);
    }
    return found;
}

static inline bool mts_islower(mts_list *text)
{
    bool found = false;
    for (int64_t i = 0; i < text->length; i++) {
        if (mts_is_upper_byte(mts_bytes(text)[i])) return false;
        found = found || mts_is_letter(mts_bytes(text)[i]);
    }
    return found;
}

static inline bool mts_isdigit(mts_list *text)
{
    for (int64_t i = 0; i < text->length; i++)
        if (mts_bytes(text)[i] < '0' || mts_bytes(text)[i] > '9') return false;
    return text->length > 0;
}

static inline bool mts_isalpha(mts_list *text)
{
    for (int64_t i = 0; i < text->length; i++)
        if (!mts_is_letter(mts_bytes(text)[i])) return false;
    return text->length > 0;
}

static inline bool mts_isalnum(mts_list *text)
{
    for (int64_t i = 0; i < text->length; i++) {
        char byte = mts_bytes(text)[i];
        if (!mts_is_letter(byte) && (byte < '0' || byte > '9')) return false;
    }
    return text->length > 0;
}

static inline bool mts_isidentifier(mts_list *text)
{
    return mts_isalnum(text) && (mts_bytes(text)[0] < '0' || mts_bytes(text)[0] > '9');
}

static inline bool mts_isspace(mts_list *text)
{
    for (int64_t i = 0; i < text->length; i++) {
        char byte = mts_bytes(text)[i];
        if (byte != ' ' && (byte < '\t' || byte > '\r')) return false;
    }
    return text->length > 0;
}

static inline bool mts_isprintable(mts_list *text)
{
    for (int64_t i = 0; i < text->length; i++)
        if (mts_bytes(text)[i] < ' ' || mts_bytes(text)[i] > '~') return false;
    return true;
}

// a str with so much before and after it, of the one byte of fill
static inline mts_list *mts_padded(
    mts_list **pool, mts_list *text, int64_t before, int64_t after, char fill)
{
    mts_list *result = mts_text_new(pool, before + text->length + after);
    if (!result) return 0;
    memset(mts_bytes(result), fill, before);
    memcpy(mts_bytes(result) + before, text->items, text->length);
    memset(mts_bytes(result) + before + text->length, fill, after);
    return result;
}

// how much a str lacks
static inline int64_t mts_room(mts_list *text, int64_t width)
{
    return width > text->length ? width - text->length : 0;
}

static inline mts_list *mts_ljust(mts_list **pool, mts_list *text, int64_t width, mts_list *fill)
{
    return mts_padded(pool, text, 0, mts_room(text, width), mts_bytes(fill)[0]);
}

static inline mts_list *mts_rjust(mts_list **pool, mts_list *text, int64_t width, mts_list *fill)
{
    return mts_padded(pool, text, mts_room(text, width), 0, mts_bytes(fill)[0]);
}

// an odd byte goes to the left where the width is odd
static inline mts_list *mts_center(mts_list **pool, mts_list *text, int64_t width, mts_list *fill)
{
    int64_t room = mts_room(text, width), less = room / 2, more = room - less;
    if (width % 2) return mts_padded(pool, text, more, less, mts_bytes(fill)[0]);
    return mts_padded(pool, text, less, more, mts_bytes(fill)[0]);
}

// how many bytes expandtabs makes of one at this column
static inline int64_t mts_width_of(char byte, int64_t column, int64_t size)
{
    return byte != '\t' ? 1 : size > 0 ? size - column % size : 0;
}

// with spaces for each tab, up to the next column that is a multiple of size
static inline mts_list *mts_expandtabs(mts_list **pool, mts_list *text, int64_t size)
{
    int64_t length = 0, to = 0;
    for (int64_t i = 0; i < text->length; i++) {
        int64_t count = mts_width_of(mts_bytes(text)[i], length, size);
        if (__builtin_add_overflow(length, count, &length)) return 0;
    }
    mts_list *result = mts_text_new(pool, length);
    for (int64_t i = 0; result && i < text->length; i++) {
        char byte = mts_bytes(text)[i];
        int64_t count = mts_width_of(byte, to, size);
        memset(mts_bytes(result) + to, byte != '\t' ? byte : ' ', count);
        to += count;
    }
    return result;
}

static inline mts_list *mts_zfill(mts_list **pool, mts_list *text, int64_t width)
{
    return mts_padded(pool, text, mts_room(text, width), 0, '0');
}
