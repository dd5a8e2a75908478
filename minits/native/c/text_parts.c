static inline bool mts_is_among(mts_list *bytes, char byte)
{
    return memchr(bytes->items, byte, bytes->length) != 0;
}

// without the bytes of a set at the sides that are asked for
static inline mts_list *mts_stripped(
    mts_list **pool, mts_list *text, mts_list *bytes, bool left, bool right)
{
    int64_t start = 0, end = text->length;
    while (left && start < end && mts_is_among(bytes, mts_bytes(text)[start])) start++;
    while (right && start < end && mts_is_among(bytes, mts_bytes(text)[end - 1])) end--;
    return mts_text_of(pool, end - start, mts_bytes(text) + start);
}

// with at most so many parts exchanged, all where limit < 0; an empty part is before each byte
static inline mts_list *mts_replace(
    mts_list **pool, mts_list *text, mts_list *old, mts_list *new, int64_t limit)
{
    int64_t most = limit < 0 ? INT64_MAX : limit, count = 0, at = 0;
    while (count < most && at <= text->length) {
        at = mts_first_in(text, old, at, text->length);
        if (at < 0) break;
        count++;
        at += old->length ? old->length : 1;
    }
    int64_t length;
    if (__builtin_mul_overflow(count, new->length - old->length, &length)) return 0;
    if (__builtin_add_overflow(length, text->length, &length)) return 0;
    mts_list *result = mts_text_new(pool, length);
    if (!result) return 0;
    char *to = mts_bytes(result);
    int64_t from = 0;
    for (; count > 0; count--) {
        int64_t next = mts_first_in(text, old, from, text->length);
        memcpy(to, mts_bytes(text) + from, next - from);
        to += next - from;
        memcpy(to, new->items, new->length);
        to += new->length;
        from = next + old->length;
        if (!old->length && from < text->length) *to++ = mts_bytes(text)[from++];
    }
    memcpy(to, mts_bytes(text) + from, text->length - from);
    return result;
}

static inline mts_list *mts_join(mts_list **pool, mts_list *separator, mts_list *parts)
{
    int64_t length = 0, gaps = parts->length ? parts->length - 1 : 0;
    if (__builtin_mul_overflow(separator->length, gaps, &length)) return 0;
    for (int64_t i = 0; i < parts->length; i++)
        if (__builtin_add_overflow(length, parts->items[i].list->length, &length)) return 0;
    mts_list *result = mts_text_new(pool, length);
    char *to = result ? mts_bytes(result) : 0;
    for (int64_t i = 0; result && i < parts->length; i++) {
        mts_list *part = parts->items[i].list;
        if (i) memcpy(to, separator->items, separator->length);
        to += i ? separator->length : 0;
        memcpy(to, part->items, part->length);
        to += part->length;
    }
    return result;
}

// several strs as one
static inline mts_list *mts_text_of_parts(mts_list **pool, int64_t count, mts_list *const *parts)
{
    int64_t length = 0;
    for (int64_t i = 0; i < count; i++) length += parts[i]->length;
    mts_list *result = mts_text_new(pool, length);
    char *to = result ? mts_bytes(result) : 0;
    for (int64_t i = 0; result && i < count; i++) {
        memcpy(to, parts[i]->items, parts[i]->length);
        to += parts[i]->length;
    }
    return result;
}

// the ends of lines as torch has them, byte by byte, those of U+0085, U+2028 and U+2029 among them
static inline bool mts_ends_line(char byte)
{
    if (byte > ' ' && byte <= '~') return false;
    return memchr("\n\r\x0b\x0c\x1c\x1d\x1e\x85\xe2\x80\xa8\xa9", byte, 12) != 0;
}

// the words between spaces
static inline mts_list *mts_words(mts_list **pool, mts_list *text)
{
    mts_list *list = mts_list_new(pool, 0, true);
    for (int64_t i = 0, start = 0; list && i <= text->length; i++) {
        char byte = i < text->length ? mts_bytes(text)[i] : ' ';
        if (byte != ' ' && byte != '\t' && !mts_ends_line(byte)) continue;
        bool is_word = i > start;
        if (is_word && !mts_append_text(list, mts_text_of(pool, i - start, mts_bytes(text) + start)))
            return 0;
        start = i + 1;
    }
    return list;
}

// the parts around a separator, which is not empty; without one (0), the words
static inline mts_list *mts_split(
    mts_list **pool, mts_list *text, mts_list *separator, int64_t limit)
{
    if (!separator) return mts_words(pool, text);
    mts_list *list = mts_list_new(pool, 0, true);
    int64_t start = 0;
    while (list) {
        bool may_split = limit < 0 || list->length < limit;
        int64_t at = may_split ? mts_first_in(text, separator, start, text->length) : -1;
        int64_t end = at < 0 ? text->length : at;
        if (!mts_append_text(list, mts_text_of(pool, end - start, mts_bytes(text) + start))) return 0;
        if (at < 0) break;
        start = at + separator->length;
    }
    return list;
}

static inline mts_list *mts_rsplit(
    mts_list **pool, mts_list *text, mts_list *separator, int64_t limit)
{
    mts_list *list = mts_list_new(pool, 0, true);
    int64_t end = text->length;
    while (list) {
        bool may_split = limit < 0 || list->length < limit;
        int64_t at = may_split ? mts_last_in(text, separator, 0, end) : -1;
        int64_t start = at < 0 ? 0 : at + separator->length;
        if (!mts_append_text(list, mts_text_of(pool, end - start, mts_bytes(text) + start))) return 0;
        if (at < 0) break;
        end = at;
    }
    if (list) mts_reverse(list);
    return list;
}

static inline mts_list *mts_splitlines(mts_list **pool, mts_list *text, bool keeps_ends)
{
    mts_list *list = mts_list_new(pool, 0, true);
    int64_t start = 0;
    for (int64_t i = 0; list && i < text->length; i++) {
        const char *bytes = mts_bytes(text);
        if (!mts_ends_line(bytes[i])) continue;
        if (!mts_append_text(list, mts_text_of(pool, i - start, bytes + start))) return 0;
        if (keeps_ends && !mts_append_text(list, mts_text_of(pool, 1, bytes + i))) return 0;
        start = i + 1;
    }
    bool has_rest = list && start != text->length;
    int64_t rest = text->length - start;
    if (has_rest && !mts_append_text(list, mts_text_of(pool, rest, mts_bytes(text) + start))) return 0;
    return list;
}

static inline mts_list *mts_characters(mts_list **pool, mts_list *text)
{
    mts_list *list = mts_list_new(pool, 0, true);
    for (int64_t i = 0; list && i < text->length; i++)
        if (!mts_append_text(list, mts_text_of(pool, 1, mts_bytes(text) + i))) return 0;
    return list;
}

static inline mts_list *mts_character(mts_list **pool, int64_t number)
{
    char byte = (char)(number & 255);
    return mts_text_of(pool, 1, &byte);
}
