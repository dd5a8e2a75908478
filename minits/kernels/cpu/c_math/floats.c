// Functions of floating-point numbers that are the same for float and double.

MTS_INLINE {t} mts_floor_{T}({t} x) {
    return __builtin_choose_expr(sizeof({t}) == 4, __builtin_floorf(x), __builtin_floor(x));
}

MTS_INLINE {t} mts_ceil_{T}({t} x) {
    return __builtin_choose_expr(sizeof({t}) == 4, __builtin_ceilf(x), __builtin_ceil(x));
}

MTS_INLINE {t} mts_trunc_{T}({t} x) {
    return __builtin_choose_expr(sizeof({t}) == 4, __builtin_truncf(x), __builtin_trunc(x));
}

// Half way goes to the even neighbour.
MTS_INLINE {t} mts_round_{T}({t} x) {
    return __builtin_choose_expr(sizeof({t}) == 4, __builtin_rintf(x), __builtin_rint(x));
}

// Rounded once, where the processor can.
MTS_INLINE {t} mts_fma_{T}({t} a, {t} b, {t} c) {
    return MTS_FMA(a, b, c);
}

MTS_INLINE {t} mts_abs_{T}({t} x) {
    return __builtin_choose_expr(sizeof({t}) == 4, __builtin_fabsf(x), __builtin_fabs(x));
}

MTS_INLINE {t} mts_sqrt_{T}({t} x) {
    return __builtin_choose_expr(sizeof({t}) == 4, __builtin_sqrtf(x), __builtin_sqrt(x));
}

MTS_INLINE {t} mts_copysign_{T}({t} x, {t} sign) {
    return __builtin_choose_expr(
        sizeof({t}) == 4, __builtin_copysignf(x, sign), __builtin_copysign(x, sign));
}

// What is left of a when b fits in no more; exact. A quotient that was rounded up to a whole number is
// one too large.
MTS_INLINE {t} mts_fmod_{T}({t} a, {t} b) {
    {t} quotient = mts_trunc_{T}(a / b), rest = MTS_FMA(-quotient, b, a);
    rest = quotient == 0 ? a : rest;
    rest = rest != 0 && (rest < 0) != (a < 0) ? rest + mts_copysign_{T}(b, a) : rest;
    return mts_copysign_{T}(rest, a);
}

// Whether the quotient has more bits than fit, or is infinite.
MTS_INLINE int mts_rare_fmod_{T}({t} a, {t} b) {
    return !MTS_HAS_FMA || mts_abs_{T}(a / b) > (sizeof({t}) == 4 ? 0x1p22 : 0x1p51);
}

MTS_INLINE {t} mts_any_fmod_{T}({t} a, {t} b) {
    return __builtin_choose_expr(sizeof({t}) == 4, __builtin_fmodf(a, b), __builtin_fmod(a, b));
}

// The remainder that belongs to what fmod leaves: it has the sign of b.
MTS_INLINE {t} mts_remainder_of_{T}({t} rest, {t} b) {
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

MTS_INLINE {t} mts_remainder_{T}({t} a, {t} b) {
    return mts_remainder_of_{T}(mts_fmod_{T}(a, b), b);
}

MTS_INLINE int mts_rare_remainder_{T}({t} a, {t} b) {
    return mts_rare_fmod_{T}(a, b);
}

MTS_INLINE {t} mts_any_remainder_{T}({t} a, {t} b) {
    return mts_remainder_of_{T}(mts_any_fmod_{T}(a, b), b);
}

// The quotient that belongs to remainder, rounded as torch does it (as Python's //).
MTS_INLINE {t} mts_floor_divide_of_{T}({t} rest, {t} a, {t} b) {
    {t} quotient = (a - rest) / b;
    quotient = rest != 0 && (rest < 0) != (b < 0) ? quotient - 1 : quotient;
    {t} whole = mts_floor_{T}(quotient);
    whole = quotient - whole > ({t})0.5 ? whole + 1 : whole;
    whole = quotient == 0 ? mts_copysign_{T}(0, a / b) : whole;
    return b == 0 ? a / b : whole;
}

MTS_INLINE {t} mts_floor_divide_{T}({t} a, {t} b) {
    return mts_floor_divide_of_{T}(mts_fmod_{T}(a, b), a, b);
}

MTS_INLINE int mts_rare_floor_divide_{T}({t} a, {t} b) {
    return mts_rare_fmod_{T}(a, b);
}

MTS_INLINE {t} mts_any_floor_divide_{T}({t} a, {t} b) {
    return mts_floor_divide_of_{T}(mts_any_fmod_{T}(a, b), a, b);
}

// The larger one taken out, so that nothing overflows. Of two equal infinities it is that one.
MTS_INLINE {t} mts_logaddexp_{T}({t} a, {t} b) {
    {t} larger = a > b ? a : b;
    {t} sum = larger + mts_log1p_{T}(mts_exp_{T}(-mts_abs_{T}(a - b)));
    return a == b && mts_abs_{T}(a) == __builtin_inf() ? a : sum;
}

// sin(pi x) / (pi x), where pi x is rounded first, as in torch.
MTS_INLINE {t} mts_sinc_{T}({t} x) {
    {t} angle = x * ({t})3.14159265358979323846;
    return x == 0 ? ({t})1 : mts_sin_{T}(angle) / angle;
}

MTS_INLINE int mts_rare_sinc_{T}({t} x) {
    return mts_rare_sin_{T}(x * ({t})3.14159265358979323846);
}

MTS_INLINE {t} mts_any_sinc_{T}({t} x) {
    {t} angle = x * ({t})3.14159265358979323846;
    return x == 0 ? ({t})1 : mts_any_sin_{T}(angle) / angle;
}

// a * 2 ** b, the power rounded first, as in torch.
MTS_INLINE {t} mts_ldexp_{T}({t} a, {t} b) {
    return a * mts_exp2_{T}(b);
}

// x tanh(log(1 + e)) with e = exp(x); the hyperbolic tangent is e (e + 2) / (e (e + 2) + 2). Where it
// is 1, e may be kept from overflowing.
MTS_INLINE {t} mts_mish_{T}({t} x) {
    MTS_HIDDEN {t} high = 40;
    {t} e = mts_exp_{T}(x > high ? high : x), part = MTS_FMA(e, e, 2 * e);
    return x * (part / (part + 2));
}

// part / whole, where the whole is the same for all elements, at least 1 and no less than the part:
// its inverse is multiplied with, and what then is left of the part divided once more.
MTS_INLINE {t} mts_share_{T}({t} part, {t} whole) {
#if defined(__FP_FAST_FMAF) && defined(__FP_FAST_FMA)
    {t} inverse = 1 / whole, quotient = part * inverse;
    return MTS_FMA(MTS_FMA(-quotient, whole, part), inverse, quotient);
#else
    return part / whole;
#endif
}

// x ** y, of which z is |x| ** y but for the cases that C's pow has.
// What hangs on y alone is a number, not a condition: of a condition that is the same for all elements
// gcc makes bytes, and then works on 64 elements at once.
MTS_INLINE {t} mts_pow_cases_{T}({t} x, {t} y, {t} z) {
    {t} zero = 0, one = 1, inf = __builtin_inf(), a = mts_abs_{T}(x);
    {t} of_zero = y > zero ? zero : inf, of_infinity = y > zero ? inf : zero;
    z = a == zero ? of_zero : z;
    z = a == inf ? of_infinity : z;
    {t} whole = mts_trunc_{T}(y), half = y * ({t})0.5, nan = __builtin_nan("");
    {t} of_negative = whole != y ? nan : zero, of_all = y != y ? y : zero;
    z = a == one ? one : z;
    z = x < zero && a != inf ? z + of_negative : z;
    z = x != x ? x : z + of_all;
    mts_word_{T} none = 0, sign = mts_bits_{T}(-zero);
    sign = whole == y && mts_trunc_{T}(half) != half ? sign : none;
    mts_word_{T} bits = mts_bits_{T}(z) | (mts_bits_{T}(x) & sign);
    mts_word_{T} is_one = y == zero ? ~none : none;
    z = mts_from_bits_{T}((bits & ~is_one) | (mts_bits_{T}(one) & is_one));
    return x == one ? one : z;
}
