// the digits of a number to a base that is a power of two: 0x1f, -0b11
static inline mts_list *mts_text_to_base(
    mts_list **pool, int64_t number, char letter, int64_t bits)
{
    char bytes[72];
    int64_t at = sizeof bytes;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do {
        bytes[--at] = "0123456789abcdef"[rest & ((1 << bits) - 1)];
        rest >>= bits;
    } while (rest);
    bytes[--at] = letter;
    bytes[--at] = '0';
    if (number < 0) bytes[--at] = '-';
    return mts_text_of(pool, sizeof bytes - at, bytes + at);
}

// where the digits of an int start: after spaces and a sign
static inline int64_t mts_digits_of_int(mts_list *text)
{
    const char *bytes = mts_bytes(text);
    int64_t at = 0;
    while (at < text->length && (bytes[at] == ' ' || (bytes[at] >= '\t' && bytes[at] <= '\r'))) at++;
    return at < text->length && (bytes[at] == '-' || bytes[at] == '+') ? at + 1 : at;
}

static inline int64_t mts_int_of_text(mts_list *text)
{
    int64_t at = mts_digits_of_int(text), number = 0, sign = 1;
    if (at && mts_bytes(text)[at - 1] == '-') sign = -1;
    for (; at < text->length; at++) number = number * 10 + sign * (mts_bytes(text)[at] - '0');
    return number;
}

// whether a text is an int that has 64 bits
static inline bool mts_is_int(mts_list *text)
{
    int64_t at = mts_digits_of_int(text), number = 0;
    int64_t sign = at && mts_bytes(text)[at - 1] == '-' ? -1 : 1;
    bool fits = at < text->length;
    for (; at < text->length; at++) {
        char byte = mts_bytes(text)[at];
        if (byte < '0' || byte > '9') return false;
        fits = fits && !__builtin_mul_overflow(number, 10, &number) &&
               !__builtin_add_overflow(number, sign * (byte - '0'), &number);
    }
    return fits;
}

// whether a text is a float that its 64 bits hold: neither too great, nor so little that digits
// are lost
static inline bool mts_is_float(mts_list *text)
{
    char *end = 0;
    int *error = __errno_location();
    *error = 0;
    mts_strtod(mts_bytes(text), &end);
    return text->length && !*error && end == mts_bytes(text) + text->length;
}

static inline double mts_float_of_text(mts_list *text)
{
    return mts_strtod(mts_bytes(text), 0);
}

// one of the three parts of a text: before the separator at this place, the separator, or after it;
// `first`: where there is none, the text is before it
static inline mts_list *mts_part(
    mts_list **pool, mts_list *text, mts_list *separator, int64_t at, bool first, int part)
{
    int64_t found = separator->length;
    if (at < 0 || !found) {
        at = (at < 0) == first ? text->length : 0;
        found = 0;
    }
    int64_t start = part == 0 ? 0 : part == 1 ? at : at + found;
    int64_t end = part == 0 ? at : part == 1 ? at + found : text->length;
    return mts_text_of(pool, end - start, mts_bytes(text) + start);
}
