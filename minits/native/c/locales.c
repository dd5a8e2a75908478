// the locale in which numbers have a point, whatever the program has set; 0 without memory for it
static void *mts_c_locale(void)
{
    static void *made;
    void *found = __atomic_load_n(&made, __ATOMIC_ACQUIRE), *fresh;
    if (found || !(fresh = newlocale(MTS_LC_NUMERIC_MASK, "C", 0))) return found;
    if (__atomic_compare_exchange_n(
            &made, &found, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return fresh;
    freelocale(fresh);
    return found;
}

// strtod, and snprintf for floats, in that locale
static inline double mts_strtod(const char *bytes, char **end)
{
    void *before = uselocale(mts_c_locale());
    double number = strtod(bytes, end);
    uselocale(before);
    return number;
}

static int mts_snprintf(char *bytes, int64_t size, const char *pattern, ...)
{
    __builtin_va_list values;
    __builtin_va_start(values, pattern);
    void *before = uselocale(mts_c_locale());
    int length = vsnprintf(bytes, size, pattern, values);
    uselocale(before);
    __builtin_va_end(values);
    return length;
}
