// Functions of integers. Division by zero gives zero: it must not end the process, and torch raises
// before a kernel would be asked. Arithmetic wraps around (-fwrapv).

// Rounds towards zero. x / -1 is -x, also where the processor would trap.
MTS_INLINE {t} mts_trunc_divide_{T}({t} a, {t} b) {
    int is_minus_one = b == ({t})-1 && b < 0;
    {t} quotient = a / (b == 0 || is_minus_one ? ({t})1 : b);
    quotient = is_minus_one ? ({t})-a : quotient;
    return b == 0 ? ({t})0 : quotient;
}

// What is left by trunc_divide: it has the sign of a.
MTS_INLINE {t} mts_fmod_{T}({t} a, {t} b) {
    return b == 0 ? ({t})0 : ({t})(a - mts_trunc_divide_{T}(a, b) * b);
}

// What is left by floor_divide: it has the sign of b.
MTS_INLINE {t} mts_remainder_{T}({t} a, {t} b) {
    {t} rest = mts_fmod_{T}(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? ({t})(rest + b) : rest;
}

// Rounds down.
MTS_INLINE {t} mts_floor_divide_{T}({t} a, {t} b) {
    {t} quotient = mts_trunc_divide_{T}(a, b);
    {t} rest = ({t})(a - quotient * b);
    return b != 0 && rest != 0 && (rest < 0) != (b < 0) ? ({t})(quotient - 1) : quotient;
}

// By squaring. A negative power is 1 / x ** -n rounded towards zero: nothing, but for 1 and -1.
MTS_INLINE {t} mts_pow_{T}({t} base, {t} exponent) {
    {t} result = 1, square = base;
    for ({t} rest = exponent; rest > 0; rest = ({t})(rest >> 1)) {
        result = rest & 1 ? ({t})(result * square) : result;
        square = ({t})(square * square);
    }
    {t} unit = base == 1 ? ({t})1 : base == ({t})-1 ? ({t})(exponent & 1 ? -1 : 1) : ({t})0;
    return exponent < 0 ? unit : result;
}

// Euclid's. It is never negative, but for the least number's with itself or 0 (torch also has -1 as
// the least number's with 5).
MTS_INLINE {t} mts_gcd_{T}({t} a, {t} b) {
    while (a != 0) {
        {t} rest = mts_fmod_{T}(b, a);
        b = a;
        a = rest;
    }
    return b < 0 ? ({t})-b : b;
}

// Shifting by less than nothing or by more than there are bits gives 0.
MTS_INLINE {t} mts_shift_left_{T}({t} a, {t} b) {
    int is_inside = b >= 0 && b < ({t})(8 * sizeof({t}));
    return is_inside ? ({t})((unsigned long long)a << (is_inside ? b : 0)) : ({t})0;
}

// Keeps the sign; shifting by less than nothing or by more than there are bits leaves only it.
MTS_INLINE {t} mts_shift_right_{T}({t} a, {t} b) {
    int is_inside = b >= 0 && b < ({t})(8 * sizeof({t}));
    return is_inside ? ({t})(a >> (is_inside ? b : 0)) : ({t})(a < 0 ? -1 : 0);
}
