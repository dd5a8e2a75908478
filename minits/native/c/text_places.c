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
