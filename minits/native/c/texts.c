// a str is a list whose items are its bytes
static inline char *mts_bytes(mts_list *text)
{
    return (char *)text->items;
}

// a new str whose bytes are not set, but for a zero after them, which is none of them; 0 without
// memory
static inline mts_list *mts_text_new(mts_list **pool, int64_t length)
{
    if (length < 0 || length > INT64_MAX / 16) return 0;
    mts_list *text = malloc(sizeof *text + length + 1);
    if (!text) return 0;
    ((char *)(text + 1))[length] = 0;
    *text = (mts_list){length, 1, 0, (mts_value *)(text + 1), 0, 0, *pool, pool, 0, 0};
    if (text->next) text->next->place = &text->next;
    *pool = text;
    return text;
}

// the str of some bytes; 0 without memory
static inline mts_list *mts_text_of(mts_list **pool, int64_t length, const char *bytes)
{
    mts_list *text = mts_text_new(pool, length);
    if (text && length) memcpy(mts_bytes(text), bytes, length);
    return text;
}

// the list of strs of these lengths, whose bytes lie one after another; 0 without memory
static inline mts_list *mts_list_of_texts(
    mts_list **pool, int64_t length, const mts_value *lengths, const char *bytes)
{
    mts_list *list = mts_list_new(pool, length, true);
    for (int64_t i = 0; list && i < length; i++) {
        list->items[i].list = mts_text_of(pool, lengths[i].i, bytes);
        if (!list->items[i].list) return 0;
        bytes += lengths[i].i;
    }
    return list;
}

// adds a str that was made for it; false without memory, also for the str
static inline bool mts_append_text(mts_list *list, mts_list *text)
{
    if (!list || !text || !mts_append(list, (mts_value){.list = text})) return false;
    mts_release(text);
    return true;
}

static inline mts_list *mts_add_texts(mts_list **pool, mts_list *a, mts_list *b)
{
    mts_list *text = mts_text_new(pool, a->length + b->length);
    if (!text) return 0;
    memcpy(mts_bytes(text), a->items, a->length);
    memcpy(mts_bytes(text) + a->length, b->items, b->length);
    return text;
}

// below, at or above 0, as a comes before b, equals it or comes after it
static inline int mts_order_texts(mts_list *a, mts_list *b)
{
    int order = memcmp(a->items, b->items, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static inline bool mts_equal_text(mts_list *a, mts_list *b)
{
    return a->length == b->length && !memcmp(a->items, b->items, a->length);
}

static inline bool mts_equal_texts(mts_list *a, mts_list *b)
{
    if (a->length != b->length) return false;
    for (int64_t i = 0; i < a->length; i++)
        if (!mts_equal_text(a->items[i].list, b->items[i].list)) return false;
    return true;
}

// the index of the first item that is equal, or -1
static inline int64_t mts_find_text(mts_list *list, mts_list *wanted)
{
    for (int64_t i = 0; i < list->length; i++)
        if (mts_equal_text(list->items[i].list, wanted)) return i;
    return -1;
}

static inline int64_t mts_count_text(mts_list *list, mts_list *wanted)
{
    int64_t count = 0;
    for (int64_t i = 0; i < list->length; i++) count += mts_equal_text(list->items[i].list, wanted);
    return count;
}

static inline bool mts_any_text(mts_list *list)
{
    for (int64_t i = 0; i < list->length; i++)
        if (list->items[i].list->length) return true;
    return false;
}

static int mts_compare_texts(const void *a, const void *b)
{
    return mts_order_texts(((const mts_value *)a)->list, ((const mts_value *)b)->list);
}

// equal strs cannot be told apart, so that the order of theirs is of no matter
static inline void mts_sort_texts(mts_list *list, bool reverse)
{
    qsort(list->items, list->length, sizeof *list->items, mts_compare_texts);
    if (reverse) mts_reverse(list);
}

static inline mts_list *mts_sorted_texts(mts_list **pool, mts_list *list)
{
    mts_list *result = mts_copy(pool, list);
    if (result) mts_sort_texts(result, false);
    return result;
}

static inline mts_list *mts_byte_at(mts_list **pool, mts_list *text, int64_t index)
{
    return mts_text_of(pool, 1, mts_bytes(text) + mts_place(index, text->length));
}

// text[start:end:step] for step != 0
static inline mts_list *mts_slice_text(
    mts_list **pool, mts_list *text, int64_t start, int64_t end, int64_t step)
{
    start = mts_slice_bound(start, text->length, step);
    end = mts_slice_bound(end, text->length, step);
    int64_t count = mts_range_length(start, end, step);
    mts_list *result = mts_text_new(pool, count);
    for (int64_t i = 0; result && i < count; i++)
        mts_bytes(result)[i] = mts_bytes(text)[start + i * step];
    return result;
}

// a bound of a search; a negative one counts from the end
static inline int64_t mts_start_in(mts_list *text, int64_t start)
{
    return start >= 0 ? start : start < -text->length ? 0 : start + text->length;
}

// -1 is the end of the str
static inline int64_t mts_end_in(mts_list *text, int64_t end)
{
    return end >= 0 ? end : end < -text->length - 1 ? 0 : end + text->length + 1;
}

// whether a search begins after the end of the str
static inline bool mts_is_past(mts_list *text, int64_t start, int64_t end)
{
    start = mts_start_in(text, start);
    return mts_end_in(text, end) > start && start > text->length;
}

// where a part of text lies from start on and before end, or -1
static inline int64_t mts_first_in(mts_list *text, mts_list *part, int64_t start, int64_t end)
{
    end = end > text->length ? text->length : end;
    for (int64_t i = start; i <= end - part->length; i++)
        if (!memcmp(mts_bytes(text) + i, part->items, part->length)) return i;
    return -1;
}

static inline int64_t mts_last_in(mts_list *text, mts_list *part, int64_t start, int64_t end)
{
    end = end > text->length ? text->length : end;
    for (int64_t i = end - part->length; i >= start; i--)
        if (!memcmp(mts_bytes(text) + i, part->items, part->length)) return i;
    return -1;
}

static inline int64_t mts_find(mts_list *text, mts_list *part, int64_t start, int64_t end)
{
    start = mts_start_in(text, start);
    end = mts_end_in(text, end);
    if (end <= start) return part->length ? -1 : start;
    return mts_first_in(text, part, start, end);
}

static inline int64_t mts_rfind(mts_list *text, mts_list *part, int64_t start, int64_t end)
{
    start = mts_start_in(text, start);
    end = mts_end_in(text, end);
    if (end <= start) return part->length ? -1 : start;
    return mts_last_in(text, part, start, end);
}

// how often a part is found that begins before end
static inline int64_t mts_count(mts_list *text, mts_list *part, int64_t start, int64_t end)
{
    if (start > text->length) return 0;
    start = mts_start_in(text, start);
    end = mts_end_in(text, end);
    if (!part->length) {
        int64_t gaps = (end < text->length + 1 ? end : text->length + 1) - start;
        return gaps < 0 ? 0 : gaps;
    }
    int64_t count = 0, at = mts_first_in(text, part, start, text->length);
    while (at >= 0 && at < end) {
        count++;
        at = mts_first_in(text, part, at + part->length, text->length);
    }
    return count;
}

// the end of the part that startswith and endswith look at
static inline int64_t mts_part_end(mts_list *text, int64_t start, int64_t end)
{
    end = mts_end_in(text, end);
    return end < mts_start_in(text, start) || end > text->length ? text->length : end;
}

static inline bool mts_starts_with(mts_list *text, mts_list *part, int64_t start, int64_t end)
{
    end = mts_part_end(text, start, end);
    start = mts_start_in(text, start);
    return end - start >= part->length
        && !memcmp(mts_bytes(text) + start, part->items, part->length);
}

static inline bool mts_ends_with(mts_list *text, mts_list *part, int64_t start, int64_t end)
{
    end = mts_part_end(text, start, end);
    start = mts_start_in(text, start);
    return end - start >= part->length
        && !memcmp(mts_bytes(text) + end - part->length, part->items, part->length);
}

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

// with spaces for each tab, up to the next column that is a multiple of size
static inline mts_list *mts_expandtabs(mts_list **pool, mts_list *text, int64_t size)
{
    int64_t length = 0, to = 0;
    for (int64_t i = 0; i < text->length; i++)
        length += mts_bytes(text)[i] != '\t' ? 1 : size > 0 ? size - length % size : 0;
    mts_list *result = mts_text_new(pool, length);
    for (int64_t i = 0; result && i < text->length; i++) {
        char byte = mts_bytes(text)[i];
        int64_t count = byte != '\t' ? 1 : size > 0 ? size - to % size : 0;
        memset(mts_bytes(result) + to, byte != '\t' ? byte : ' ', count);
        to += count;
    }
    return result;
}

static inline mts_list *mts_zfill(mts_list **pool, mts_list *text, int64_t width)
{
    return mts_padded(pool, text, mts_room(text, width), 0, '0');
}

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
    mts_list *result = mts_text_new(pool, text->length + count * (new->length - old->length));
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
    int64_t length = parts->length ? separator->length * (parts->length - 1) : 0;
    for (int64_t i = 0; i < parts->length; i++) length += parts->items[i].list->length;
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
    strtod(mts_bytes(text), &end);
    return text->length && !*error && end == mts_bytes(text) + text->length;
}

static inline double mts_float_of_text(mts_list *text)
{
    return strtod(mts_bytes(text), 0);
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
