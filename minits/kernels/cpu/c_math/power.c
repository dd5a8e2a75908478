// Powers, lengths and what is left by dividing.

// log2(x) of a positive normal x, to about 50 bits. A double of a float is never denormal.
MTS_INLINE double mts_log2_for_pow(double x) {
    double e, f = mts_split_normal_f64(x, &e) - 1.0;
    double s = f / (2.0 + f);
    double z = s * s;
    double p = 0x1.f1899b6e50851p-3;
    p = MTS_FMA(p, z, 0x1.0bb79231dc1b5p-2);
    p = MTS_FMA(p, z, 0x1.484fad35f02acp-2);
    p = MTS_FMA(p, z, 0x1.a61756744e358p-2);
    p = MTS_FMA(p, z, 0x1.2776c516aa820p-1);
    p = MTS_FMA(p, z, 0x1.ec709dc39c9e6p-1);
    p = MTS_FMA(p, z, 0x1.71547652b82ffp+1);
    return MTS_FMA(p, s, e);
}

// 2 ** x to about 34 bits, for x in -200 .. 200.
MTS_INLINE double mts_exp2_for_pow(double x) {
    double n = mts_nearest_f64(x);
    double r = x - n;
    double p = 0x1.00c1552eaeb61p-16;
    p = MTS_FMA(p, r, 0x1.446d30541ffd7p-13);
    p = MTS_FMA(p, r, 0x1.5d87750bb25c0p-10);
    p = MTS_FMA(p, r, 0x1.3b29d7d6d7badp-7);
    p = MTS_FMA(p, r, 0x1.c6b08da761307p-5);
    p = MTS_FMA(p, r, 0x1.ebfbe0ab15f60p-3);
    p = MTS_FMA(p, r, 0x1.62e42fef9cb88p-1);
    return (p * r + 1.0) * mts_pow2_f64(n);
}

// 2 ** (y log2 |x|), in double
MTS_INLINE float mts_pow_f32(float x, float y) {
    if (MTS_IS(y, 2.0f)) {
        return x * x;
    }
    if (MTS_IS(y, 0.5f)) {
        return __builtin_sqrtf(x);
    }
    double power = (double)y * mts_log2_for_pow(__builtin_fabsf(x));
    MTS_HIDDEN double low = -200.0, high = 200.0;
    return mts_pow_cases_f32(x, y, (float)mts_exp2_for_pow(mts_within_f64(power, low, high)));
}

// log2(a) of a positive finite a as a sum of two numbers, to about 65 bits. With s = f / (2 + f) as in
// log, log(1 + f) is 2 s + 2/3 s s s, of which what is rounded is kept, and a polynomial times s ** 5.
// Source: Dekker, A floating-point technique for extending the available precision, 1971
MTS_INLINE double mts_log2_in_two_f64(double a, double *rest) {
    double e, f = mts_split_f64(a, &e) - 1.0;
    double under = 2.0 + f, lost = f - (under - 2.0), inverse = 1.0 / under;
    double s = f * inverse, s_rest = (MTS_FMA(-s, under, f) - s * lost) * inverse;
    double z = s * s, z_rest = MTS_FMA(2.0 * s, s_rest, MTS_FMA(s, s, -z));
    double cube = s * z, cube_rest = MTS_FMA(s, z_rest, MTS_FMA(s_rest, z, MTS_FMA(s, z, -cube)));
    double third = cube * 0x1.5555555555555p-1;
    double third_rest = MTS_FMA(cube, 0x1.5555555555555p-1, -third) + cube * 0x1.5555555555555p-55;
    double p = 0x1.eac5af120f13cp-4;
    p = MTS_FMA(p, z, 0x1.de3d720f9012p-4);
    p = MTS_FMA(p, z, 0x1.11206f26ff15bp-3);
    p = MTS_FMA(p, z, 0x1.3b1364c96921cp-3);
    p = MTS_FMA(p, z, 0x1.745d18295642fp-3);
    p = MTS_FMA(p, z, 0x1.c71c71c5968fcp-3);
    p = MTS_FMA(p, z, 0x1.2492492492f51p-2);
    p = MTS_FMA(p, z, 0x1.9999999999996p-2);
    double small = MTS_FMA(2.0, s_rest, MTS_FMA(cube_rest, 0x1.5555555555555p-1, third_rest));
    double high = 2.0 * s + third, low = (2.0 * s - high) + third + MTS_FMA(cube * z, p, small);
    double y = high * 0x1.71547652b82fep+0;
    double y_rest = MTS_FMA(high, 0x1.777d0ffda0d24p-56, MTS_FMA(high, 0x1.71547652b82fep+0, -y));
    y_rest = MTS_FMA(low, 0x1.71547652b82fep+0, y_rest);
    double sum = e + y;
    *rest = ((e - sum) + y) + y_rest;
    return sum;
}

// |x| ** y = 2 ** (y log2 |x|), where that is not 0 or infinite
MTS_INLINE double mts_pow_f64(double x, double y) {
    if (MTS_IS(y, 2.0)) {
        return x * x;
    }
    if (MTS_IS(y, 0.5)) {
        return __builtin_sqrt(x);
    }
    if (!MTS_HAS_FMA) {
        return __builtin_pow(x, y);
    }
    double log_rest, log = mts_log2_in_two_f64(__builtin_fabs(x), &log_rest);
    MTS_HIDDEN double low = -1100.0, high = 1100.0;
    double power = y * log, near = mts_within_f64(power, low, high);
    double rest = near == power ? MTS_FMA(y, log_rest, MTS_FMA(y, log, -power)) : 0.0;
    double shifted = near + (0x1.8p52 + 2046), r = (near - (shifted - (0x1.8p52 + 2046))) + rest;
    return mts_pow_cases_f64(x, y, mts_scale_f64(1.0 + mts_exp2_less_one_f64(r), shifted));
}

// As eager's by a number: by 1/2 it is a root, of which that of -0 is -0, and that of -inf NaN.
MTS_INLINE float mts_pow_by_number_f32(float x, float y) {
    if (MTS_IS(y, 2.0f)) {
        return x * x;
    }
    float z = mts_pow_f32(x, y), size = __builtin_fabsf(y);
    unsigned sign = size == 0.5f ? 0x80000000u : 0;
    unsigned of_least = size == 0.5f ? 0x7fc00000u : 0;
    unsigned bits = (unsigned)mts_bits_f32(z) | ((unsigned)mts_bits_f32(x) & sign);
    bits |= x < -0x1.fffffep127f ? of_least : 0;
    return mts_from_bits_f32((int)bits);
}

MTS_INLINE double mts_pow_by_number_f64(double x, double y) {
    if (y == 0.5) {
        return __builtin_sqrt(x);
    }
    return y == -0.5 ? 1.0 / __builtin_sqrt(x) : mts_pow_f64(x, y);
}

MTS_INLINE float mts_hypot_f32(float a, float b) {
    double c = a, d = b;
    float y = (float)__builtin_sqrt(c * c + d * d);
    float inf = __builtin_inff();
    return __builtin_fabsf(a) == inf || __builtin_fabsf(b) == inf ? inf : y;
}

// Scaled by a power of two when the squares would overflow or vanish.
MTS_INLINE double mts_hypot_f64(double a, double b) {
    double c = __builtin_fabs(a), d = __builtin_fabs(b), inf = __builtin_inf();
    double larger = c > d ? c : d;
    double scale = larger > 0x1p500 ? 0x1p-600 : larger < 0x1p-450 ? 0x1p600 : 1.0;
    double back = larger > 0x1p500 ? 0x1p600 : larger < 0x1p-450 ? 0x1p-600 : 1.0;
    double e = c * scale, f = d * scale;
    double y = __builtin_sqrt(e * e + f * f) * back;
    return c == inf || d == inf ? inf : y;
}
