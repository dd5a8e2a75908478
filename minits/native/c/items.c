// the index of the first item that is equal, or -1
static inline int64_t mts_find_int(mts_list *list, int64_t wanted)
{
    for (int64_t i = 0; i < list->length; i++)
        if (list->items[i].i == wanted) return i;
    return -1;
}

// the index of the first item that is equal, or -1; NaN is nowhere
static inline int64_t mts_find_float(mts_list *list, double wanted)
{
    for (int64_t i = 0; i < list->length; i++)
        if (list->items[i].d == wanted) return i;
    return -1;
}

static inline int64_t mts_count_int(mts_list *list, int64_t wanted)
{
    int64_t count = 0;
    for (int64_t i = 0; i < list->length; i++) count += list->items[i].i == wanted;
    return count;
}

static inline int64_t mts_count_float(mts_list *list, double wanted)
{
    int64_t count = 0;
    for (int64_t i = 0; i < list->length; i++) count += list->items[i].d == wanted;
    return count;
}

static inline bool mts_equal_ints(mts_list *a, mts_list *b)
{
    if (a->length != b->length) return false;
    for (int64_t i = 0; i < a->length; i++)
        if (a->items[i].i != b->items[i].i) return false;
    return true;
}

static inline bool mts_equal_floats(mts_list *a, mts_list *b)
{
    if (a->length != b->length) return false;
    for (int64_t i = 0; i < a->length; i++)
        if (a->items[i].d != b->items[i].d) return false;
    return true;
}

// torch adds in 32 bits
static inline int64_t mts_sum_ints(mts_list *list)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < list->length; i++) sum += list->items[i].i;
    return (int32_t)sum;
}

static inline double mts_sum_floats(mts_list *list)
{
    double sum = 0.0;
    for (int64_t i = 0; i < list->length; i++) sum += list->items[i].d;
    return sum;
}

// the first of the least items; the list is not empty
static inline int64_t mts_least_int(mts_list *list)
{
    int64_t least = list->items[0].i;
    for (int64_t i = 1; i < list->length; i++)
        if (list->items[i].i < least) least = list->items[i].i;
    return least;
}

// the first of the least items; the list is not empty
static inline double mts_least_float(mts_list *list)
{
    double least = list->items[0].d;
    for (int64_t i = 1; i < list->length; i++)
        if (list->items[i].d < least) least = list->items[i].d;
    return least;
}

// the first of the greatest items; the list is not empty
static inline int64_t mts_greatest_int(mts_list *list)
{
    int64_t greatest = list->items[0].i;
    for (int64_t i = 1; i < list->length; i++)
        if (list->items[i].i > greatest) greatest = list->items[i].i;
    return greatest;
}

// the first of the greatest items; the list is not empty
static inline double mts_greatest_float(mts_list *list)
{
    double greatest = list->items[0].d;
    for (int64_t i = 1; i < list->length; i++)
        if (list->items[i].d > greatest) greatest = list->items[i].d;
    return greatest;
}

static inline bool mts_any_int(mts_list *list)
{
    for (int64_t i = 0; i < list->length; i++)
        if (list->items[i].i) return true;
    return false;
}

static inline bool mts_any_float(mts_list *list)
{
    for (int64_t i = 0; i < list->length; i++)
        if (list->items[i].d != 0.0) return true;
    return false;
}

static inline bool mts_all_int(mts_list *list)
{
    for (int64_t i = 0; i < list->length; i++)
        if (!list->items[i].i) return false;
    return true;
}

static inline bool mts_all_float(mts_list *list)
{
    for (int64_t i = 0; i < list->length; i++)
        if (list->items[i].d == 0.0) return false;
    return true;
}

// a, where it is less; else b, as the first of equal items is the least
static inline double mts_lesser_float(double a, double b)
{
    return a < b ? a : b;
}

static inline double mts_greater_float(double a, double b)
{
    return a > b ? a : b;
}
