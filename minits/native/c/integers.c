// true for a power of two: by one that the compiler knows, a shift or a mask divides
static inline bool mts_is_power(int64_t b)
{
    return b > 0 && (b & (b - 1)) == 0;
}

// true for two numbers that 32 bits hold without a sign, whose division takes half the time
static inline bool mts_are_short(int64_t a, int64_t b)
{
    return (uint64_t)(a | b) >> 32 == 0;
}

// a // b for b != 0; the least integer by -1 wraps around
static inline int64_t mts_floordiv(int64_t a, int64_t b)
{
    if (b == -1) return -a;
    if (__builtin_constant_p(b) && mts_is_power(b)) return a >> __builtin_ctzll(b);
    if (!__builtin_constant_p(b) && mts_are_short(a, b)) return (uint32_t)a / (uint32_t)b;
    int64_t quotient = a / b;
    return quotient - (a % b != 0 && (a % b < 0) != (b < 0));
}

// a / b towards zero, for b != 0
static inline int64_t mts_quotient(int64_t a, int64_t b)
{
    return b == -1 ? -a : a / b;
}

// a % b with the sign of b, for b != 0; torch adds b to all remainders, which wraps for large b
static inline int64_t mts_remainder(int64_t a, int64_t b)
{
    if (__builtin_constant_p(b) && mts_is_power(b)) return a & (b - 1);
    if (!__builtin_constant_p(b) && mts_are_short(a, b)) return (uint32_t)a % (uint32_t)b;
    int64_t rest = b == -1 ? 0 : a % b;
    if (rest != 0 && (rest < 0) != (b < 0)) return rest + b;
    return b > INT64_MAX / 2 + 1 || b < INT64_MIN / 2 ? (rest + b) % b : rest;
}

static inline int64_t mts_gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = b == -1 ? 0 : a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

// n! for n >= 0; from 66! on all 64 bits are zero
static inline int64_t mts_factorial(int64_t n)
{
    int64_t product = 1;
    for (int64_t factor = 2; factor <= n && product; factor++) product *= factor;
    return product;
}

// the length of range(low, high, step) for step != 0; negative if it overflows
static inline int64_t mts_range_length(int64_t low, int64_t high, int64_t step)
{
    if (step < 0) {
        int64_t other = low;
        low = high;
        high = other;
        step = -step;
    }
    return low >= high ? 0 : 1 + (high - 1 - low) / step;
}
