// exp and what is made of it. x = n log 2 + r with |r| <= log(2) / 2, so exp(x) = 2 ** n exp(r), and
// exp(r) is a polynomial. log 2 is subtracted in two parts, of which n times the first is exact.

// (exp(r) - 1 - r) / (r r)
MTS_INLINE float mts_exp_polynomial_f32(float r) {
    float p = 0x1.6cd746p-10f;
    p = MTS_FMA(p, r, 0x1.122c54p-7f);
    p = MTS_FMA(p, r, 0x1.555538p-5f);
    p = MTS_FMA(p, r, 0x1.5554aap-3f);
    p = MTS_FMA(p, r, 0.5f);
    return p;
}

// exp(r) - 1
MTS_INLINE float mts_expm1_polynomial_f32(float r) {
    return MTS_FMA(mts_exp_polynomial_f32(r), r * r, r);
}

// exp(r)
MTS_INLINE float mts_exp_near_zero_f32(float r) {
    return MTS_FMA(MTS_FMA(mts_exp_polynomial_f32(r), r, 1.0f), r, 1.0f);
}

MTS_INLINE double mts_expm1_polynomial_f64(double r) {
    double p = 0x1.1f2929d141f2ap-29;
    p = MTS_FMA(p, r, 0x1.af5e7fd0ba103p-26);
    p = MTS_FMA(p, r, 0x1.27e4ffd0d2e4fp-22);
    p = MTS_FMA(p, r, 0x1.71ddf85ba982bp-19);
    p = MTS_FMA(p, r, 0x1.a01a019ba935ap-16);
    p = MTS_FMA(p, r, 0x1.a01a01aff0b53p-13);
    p = MTS_FMA(p, r, 0x1.6c16c16c17493p-10);
    p = MTS_FMA(p, r, 0x1.111111110f662p-7);
    p = MTS_FMA(p, r, 0x1.5555555555555p-5);
    p = MTS_FMA(p, r, 0x1.5555555555559p-3);
    p = MTS_FMA(p, r, 0.5);
    return MTS_FMA(p, r * r, r);
}

MTS_INLINE float mts_exp_rest_f32(float x, float n) {
    return MTS_FMA(n, 0x1.bd0106p-13f, MTS_FMA(n, -0x1.63p-1f, x));
}

MTS_INLINE double mts_exp_rest_f64(double x, double n) {
    return MTS_FMA(n, -0x1.cf79abc9e3b3ap-40, MTS_FMA(n, -0x1.62e42fefap-1, x));
}

MTS_INLINE float mts_exp_f32(float x) {
    MTS_HIDDEN float low = -104.0f, high = 89.0f;
    float c = mts_within_f32(x, low, high);
    float shifted = MTS_FMA(c, 1.44269504f, 0x1.8p23f + 254), n = shifted - (0x1.8p23f + 254);
    return mts_scale_f32(mts_exp_near_zero_f32(mts_exp_rest_f32(c, n)), shifted);
}

MTS_INLINE double mts_exp_f64(double x) {
    MTS_HIDDEN double low = -746.0, high = 710.0;
    double c = mts_within_f64(x, low, high);
    double shifted = MTS_FMA(c, 1.4426950408889634, 0x1.8p52 + 2046);
    double n = shifted - (0x1.8p52 + 2046);
    return mts_scale_f64(1.0 + mts_expm1_polynomial_f64(mts_exp_rest_f64(c, n)), shifted);
}

MTS_INLINE float mts_exp2_f32(float x) {
    MTS_HIDDEN float low = -151.0f, high = 128.0f;
    float c = mts_within_f32(x, low, high);
    float shifted = c + (0x1.8p23f + 254), n = shifted - (0x1.8p23f + 254);
    return mts_scale_f32(mts_exp_near_zero_f32((c - n) * 0.693147181f), shifted);
}

// 2 ** r - 1 for |r| <= 1/2
MTS_INLINE double mts_exp2_less_one_f64(double r) {
    double p = 0x1.ea18416903e34p-32;
    p = MTS_FMA(p, r, 0x1.e61c928b5d2b1p-28);
    p = MTS_FMA(p, r, 0x1.b524cdee29488p-24);
    p = MTS_FMA(p, r, 0x1.62bfc6dabed7fp-20);
    p = MTS_FMA(p, r, 0x1.ffcbfc7c45202p-17);
    p = MTS_FMA(p, r, 0x1.4309130f2931fp-13);
    p = MTS_FMA(p, r, 0x1.5d87fe78a0e39p-10);
    p = MTS_FMA(p, r, 0x1.3b2ab6fb9ff7bp-7);
    p = MTS_FMA(p, r, 0x1.c6b08d704a0d7p-5);
    p = MTS_FMA(p, r, 0x1.ebfbdff82c5a5p-3);
    p = MTS_FMA(p, r, 0x1.62e42fefa39efp-1);
    return p * r;
}

MTS_INLINE double mts_exp2_f64(double x) {
    MTS_HIDDEN double low = -1076.0, high = 1024.0;
    double c = mts_within_f64(x, low, high);
    double shifted = c + (0x1.8p52 + 2046), n = shifted - (0x1.8p52 + 2046);
    return mts_scale_f64(1.0 + mts_expm1_polynomial_f64((c - n) * 0.69314718055994531), shifted);
}

// exp(x) for x <= 0: 2 ** (n + 64) is a normal number, so one step back is enough.
MTS_INLINE float mts_exp_of_negative_f32(float x) {
    MTS_HIDDEN float low = -104.0f;
    float c = x < low ? low : x;
    float shifted = MTS_FMA(c, 1.44269504f, 0x1.8p23f + 191), n = shifted - (0x1.8p23f + 191);
    float power = mts_from_bits_f32((int)((unsigned)mts_bits_f32(shifted) << 23));
    return mts_exp_near_zero_f32(mts_exp_rest_f32(c, n)) * power * 0x1p-64f;
}

MTS_INLINE double mts_exp_of_negative_f64(double x) {
    MTS_HIDDEN double low = -746.0;
    double c = x < low ? low : x;
    double shifted = MTS_FMA(c, 1.4426950408889634, 0x1.8p52 + 1151);
    double n = shifted - (0x1.8p52 + 1151);
    double power = mts_from_bits_f64(
        (long long)((unsigned long long)mts_bits_f64(shifted) << 52));
    double y = 1.0 + mts_expm1_polynomial_f64(mts_exp_rest_f64(c, n));
    return y * power * 0x1p-128;
}

// 1 + exp(x), for which it does not matter how small a denormal exp(x) is: it is scaled in one
// step, by 2 ** (n - 1), and then doubled.
MTS_INLINE float mts_one_plus_exp_f32(float x) {
    MTS_HIDDEN float low = -86.0f, high = 89.0f;
    float c = mts_within_f32(x, low, high);
    float shifted = MTS_FMA(c, 1.44269504f, 0x1.8p23f + 126), n = shifted - (0x1.8p23f + 126);
    float half = mts_from_bits_f32((int)((unsigned)mts_bits_f32(shifted) << 23));
    float y = mts_exp_near_zero_f32(mts_exp_rest_f32(c, n));
    return MTS_FMA(y * half, 2.0f, 1.0f);
}

MTS_INLINE double mts_one_plus_exp_f64(double x) {
    MTS_HIDDEN double low = -707.0, high = 710.0;
    double c = mts_within_f64(x, low, high);
    double shifted = MTS_FMA(c, 1.4426950408889634, 0x1.8p52 + 1022);
    double n = shifted - (0x1.8p52 + 1022);
    double half = mts_from_bits_f64(
        (long long)((unsigned long long)mts_bits_f64(shifted) << 52));
    double y = 1.0 + mts_expm1_polynomial_f64(mts_exp_rest_f64(c, n));
    return MTS_FMA(y * half, 2.0, 1.0);
}

// exp(x) - 1 = 2 ** n (exp(r) - 1) + (2 ** n - 1), twice the half where 2 ** n would overflow, and
// only there: half of a denormal may be rounded.
MTS_INLINE float mts_expm1_f32(float x) {
    MTS_HIDDEN float low = -18.0f, high = 89.0f, most = 127.0f;
    float c = mts_within_f32(x, low, high);
    float n = mts_nearest_f32(c * 1.44269504f);
    float m = n > most ? most : n;
    float power = mts_pow2_f32(m);
    float p = mts_expm1_polynomial_f32(mts_exp_rest_f32(c, n));
    return __builtin_copysignf((1.0f + (n - m)) * (power * p + (power - 1.0f)), x);
}

MTS_INLINE double mts_expm1_f64(double x) {
    MTS_HIDDEN double low = -40.0, high = 710.0, most = 1023.0;
    double c = mts_within_f64(x, low, high);
    double n = mts_nearest_f64(c * 1.4426950408889634);
    double m = n > most ? most : n;
    double power = mts_pow2_f64(m);
    double p = mts_expm1_polynomial_f64(mts_exp_rest_f64(c, n));
    return __builtin_copysign((1.0 + (n - m)) * (power * p + (power - 1.0)), x);
}
