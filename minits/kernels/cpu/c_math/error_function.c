// The error function, what it leaves of 1, its inverse, and the normal distribution that it gives.

// A polynomial near zero, and 1 - exp(another one) beyond: both are worked out, one is chosen.
MTS_INLINE float mts_erf_f32(float x) {
    MTS_HIDDEN float high = 4.0f;
    float a = __builtin_fabsf(x), z = x * x;
    float c = a > high ? high : a, s = c * c;
    float p = MTS_FMA(-0x1.693986p-17f, c, 0x1.4d8692p-12f);
    float u = MTS_FMA(-0x1.dade60p-9f, c, 0x1.84a1e8p-6f);
    p = MTS_FMA(p, s, u);
    p = MTS_FMA(p, c, -0x1.b2f1d2p-4f);
    p = MTS_FMA(p, c, -0x1.453682p-1f);
    p = MTS_FMA(p, c, -0x1.0774eap-3f);
    p = MTS_FMA(p, c, -c);
    float n = mts_nearest_f32(p * 1.44269504f), power = mts_pow2_f32(n);
    float e = power * mts_expm1_polynomial_f32(mts_exp_rest_f32(p, n));
    float large = (1.0f - power) - e;
    float q = -0x1.3c3f72p-11f;
    q = MTS_FMA(q, z, 0x1.47b18ep-8f);
    q = MTS_FMA(q, z, -0x1.b69cf4p-6f);
    q = MTS_FMA(q, z, 0x1.ce1b88p-4f);
    q = MTS_FMA(q, z, -0x1.8126ecp-2f);
    q = MTS_FMA(q, z, 0x1.06eba6p-3f);
    float small = MTS_FMA(q, a, a);
    return __builtin_copysignf(a > 0.9f ? large : small, x);
}

// erf(x) = x + x q(x x) for |x| up to 0.65
MTS_INLINE double mts_erf_near_zero_f64(double x) {
    double z = x * x;
    double q = -0x1.194c449e6f6a3p-23;
    q = MTS_FMA(q, z, 0x1.b11f0de63a2fcp-20);
    q = MTS_FMA(q, z, -0x1.f434d19f8526p-17);
    q = MTS_FMA(q, z, 0x1.f99c7864859b5p-14);
    q = MTS_FMA(q, z, -0x1.c02d8726462afp-11);
    q = MTS_FMA(q, z, 0x1.565bcc5772deep-8);
    q = MTS_FMA(q, z, -0x1.b82ce30f30a4cp-6);
    q = MTS_FMA(q, z, 0x1.ce2f21a03aceap-4);
    q = MTS_FMA(q, z, -0x1.812746b037972p-2);
    q = MTS_FMA(q, z, 0x1.06eba8214db68p-3);
    return MTS_FMA(q, x, x);
}

// As of float, with 2 ** log2(erfc(x)). In long polynomials, odd powers do not wait for even ones.
MTS_INLINE double mts_erf_f64(double x) {
    MTS_HIDDEN double high = 6.0;
    double a = __builtin_fabs(x), c = a > high ? high : a, s = c * c;
    double p = -0x1.fa98980903107p-34;
    p = MTS_FMA(p, s, -0x1.01fe89f97cc49p-25);
    p = MTS_FMA(p, s, -0x1.d0eeb27e12a6cp-20);
    p = MTS_FMA(p, s, -0x1.0be0ea5a088ebp-15);
    p = MTS_FMA(p, s, -0x1.3deedeec71449p-13);
    p = MTS_FMA(p, s, 0x1.a3daab24f2d71p-11);
    p = MTS_FMA(p, s, 0x1.2b72c8e0d32aep-12);
    p = MTS_FMA(p, s, -0x1.2fa8b919caff8p-3);
    double o = 0x1.72022023d6542p-39;
    o = MTS_FMA(o, s, 0x1.44520f900fc51p-29);
    o = MTS_FMA(o, s, 0x1.1d74ecb44d6c7p-22);
    o = MTS_FMA(o, s, 0x1.1e735bb711b02p-17);
    o = MTS_FMA(o, s, 0x1.6f56566bc6f11p-14);
    o = MTS_FMA(o, s, 0x1.8ee03bba87d8ap-16);
    o = MTS_FMA(o, s, -0x1.3c749c7521ff1p-9);
    o = MTS_FMA(o, s, 0x1.c43d11aed759cp-6);
    o = MTS_FMA(o, s, -0x1.d63ecf554460ap-1);
    p = MTS_FMA(MTS_FMA(p, c, o), c, -0x1.a0be84236627ep0);
    double shifted = MTS_FMA(p, c, 0x1.8p52 + 1023), n = shifted - (0x1.8p52 + 1023);
    double power = mts_from_bits_f64((long long)((unsigned long long)mts_bits_f64(shifted) << 52));
    double e = power * mts_exp2_less_one_f64(MTS_FMA(p, c, -n));
    double large = (1.0 - power) - e, small = mts_erf_near_zero_f64(a);
    return __builtin_copysign(a > 0.65 ? large : small, x);
}

// exp(a a) erfc(a), which changes little, is a polynomial in (2 - a) / (2 + a), for a up to 10.2.
MTS_INLINE double mts_erfcx_near(double a) {
    double t = (2.0 - a) / (2.0 + a);
    double p = -0x1.141cc3ff29952p-17;
    p = MTS_FMA(p, t, 0x1.85cc1f39cc8c4p-16);
    p = MTS_FMA(p, t, 0x1.8ce2ca7327f45p-16);
    p = MTS_FMA(p, t, -0x1.6638b7d326804p-13);
    p = MTS_FMA(p, t, 0x1.7931112ccbf9fp-15);
    p = MTS_FMA(p, t, 0x1.011181935b609p-10);
    p = MTS_FMA(p, t, -0x1.bc4d85d2e1712p-11);
    p = MTS_FMA(p, t, -0x1.ca91cdbf7bc48p-8);
    p = MTS_FMA(p, t, 0x1.e94842bea4af9p-9);
    p = MTS_FMA(p, t, 0x1.437f063249206p-4);
    p = MTS_FMA(p, t, 0x1.eeea7d89f34b2p-3);
    p = MTS_FMA(p, t, 0x1.b57034f752d9fp-2);
    p = MTS_FMA(p, t, 0x1.058671b5793f1p-2);
    return p;
}

MTS_INLINE float mts_erfc_f32(float x) {
    double a = __builtin_fabsf(x);
    a = a > 10.2 ? 10.2 : a;
    double y = mts_erfcx_near(a) * mts_exp_f64(-a * a);
    return (float)(x < 0.0f ? 2.0 - y : y);
}

// (1 + 2 a) exp(a a) erfc(a) - 0x1.3ba5916e9fd7fp+0 for a from 0.5 on: a polynomial in the quotient
// t = (a - 4) / (a + 4), to which is added what it loses by being rounded.
// Source: Shepherd and Laframboise, Chebyshev approximation of (1 + 2x) exp(x^2) erfc x, 1981
MTS_INLINE double mts_scaled_erfc_rest_f64(double a) {
    MTS_HIDDEN double high = 1e17;
    double c = a > high ? high : a;
    double inverse = 1.0 / (c + 4.0), t = (c - 4.0) * inverse;
    t = MTS_FMA(inverse, MTS_FMA(t, -c, MTS_FMA(t + 1.0, -4.0, c)), t);
    double s = t * t;
    double p = -0x1.4efe4baaf3cc4p-27;
    p = MTS_FMA(p, s, 0x1.bca02bb4046f1p-24);
    p = MTS_FMA(p, s, -0x1.b81d297bb0b68p-21);
    p = MTS_FMA(p, s, 0x1.7ef6861a70ee7p-18);
    p = MTS_FMA(p, s, -0x1.9954c217f2336p-16);
    p = MTS_FMA(p, s, -0x1.a1df49a28a142p-13);
    p = MTS_FMA(p, s, 0x1.49c672b9006aep-8);
    p = MTS_FMA(p, s, 0x1.3079edf5c2f73p-5);
    p = MTS_FMA(p, s, 0x1.7fee004e192e4p-4);
    p = MTS_FMA(p, s, 0x1.16ecefcfa4fb4p-4);
    double o = 0x1.d46731b63ca69p-29;
    o = MTS_FMA(o, s, -0x1.8aa051d0681bbp-26);
    o = MTS_FMA(o, s, 0x1.5e9e4a51e4c74p-24);
    o = MTS_FMA(o, s, 0x1.35a0137868dd4p-22);
    o = MTS_FMA(o, s, -0x1.787621757621dp-17);
    o = MTS_FMA(o, s, 0x1.3bdff9731a62cp-13);
    o = MTS_FMA(o, s, -0x1.8d4a96d40b84cp-11);
    o = MTS_FMA(o, s, -0x1.09623887b218p-6);
    o = MTS_FMA(o, s, -0x1.0fb06dfe4000ap-4);
    o = MTS_FMA(o, s, -0x1.9ddb23c3e9405p-4);
    o = MTS_FMA(o, s, 0x1.f7f5df66fd7cfp-7);
    p = MTS_FMA(MTS_FMA(p, t, o), t, -0x1.1df1ad154a289p-3);
    return MTS_FMA(p, t, -0x1.aa9c415679e6fp-55);
}

// p / (1 + 2 a), rounded once, as what is under the line is not.
MTS_INLINE double mts_by_one_plus_twice_f64(double p, double a) {
    double under = 0.5 + a, lost = 0.5 - (under - a), inverse = 1.0 / under;
    double half = p * 0.5, y = half * inverse;
    double better = MTS_FMA(inverse, MTS_FMA(-lost, y, MTS_FMA(-y, under, half)), y);
    return a < __builtin_inf() ? better : y;
}

// What is lost where a a is rounded. Without an instruction for it, a is taken apart.
MTS_INLINE double mts_square_rest_f64(double a, double square) {
    double high = mts_from_bits_f64(mts_bits_f64(a) & ~0x7ffffffLL), low = a - high;
    double parts = ((high * high - square) + 2.0 * high * low) + low * low;
    return MTS_HAS_FMA ? MTS_FMA(a, a, -square) : parts;
}

// erfc(a) for a from 0.5 on: that by 1 + 2 a and times exp(-a a), of which a a is not rounded.
MTS_INLINE double mts_erfc_far_f64(double a) {
    MTS_HIDDEN double high = 27.5;
    double c = a > high ? high : a;
    double s = c * c, rest = mts_square_rest_f64(c, s);
    double shifted = MTS_FMA(s, -1.4426950408889634, 0x1.8p52 + 2046);
    double n = shifted - (0x1.8p52 + 2046);
    double e = mts_expm1_polynomial_f64(mts_exp_rest_f64(-s, n) - rest);
    double p = mts_scaled_erfc_rest_f64(c), most = 0x1.3ba5916e9fd7fp+0;
    p = most + MTS_FMA(e, most + p, p);
    return mts_scale_f64(mts_by_one_plus_twice_f64(p, c), shifted);
}

// exp(a a) erfc(a) for a from 0.5 on
MTS_INLINE double mts_erfcx_far_f64(double a) {
    return mts_by_one_plus_twice_f64(0x1.3ba5916e9fd7fp+0 + mts_scaled_erfc_rest_f64(a), a);
}

MTS_INLINE double mts_erfc_f64(double x) {
    double a = __builtin_fabs(x), y = mts_erfc_far_f64(a);
    y = x < 0.0 ? 2.0 - y : y;
    return a < 0.5 ? 1.0 - mts_erf_near_zero_f64(x) : y;
}

// erfinv(x) / x is sqrt(pi) / 2 + w p with w = -log(1 - x x) and a polynomial p in 25.44 / (w + 10):
// that keeps what is near w = 2 pi i and beyond 37, where p is not smooth, far away.
// Source: Giles, Approximating the erfinv function, 2012, for w
MTS_INLINE double mts_erfinv_f64(double x) {
    double left = MTS_HAS_FMA ? MTS_FMA(-x, x, 1.0) : (1.0 - x) * (1.0 + x);
    double e, f = mts_split_normal_f64(left, &e) - 1.0, w = -mts_log_sum_f64(e, f);
    double t = 25.44 / (w + 10.0) - 1.544, s = t * t;
    double p = -0x1.fcbcc457b13a6p-21;
    p = MTS_FMA(p, s, 0x1.4459bd1b9f125p-17);
    p = MTS_FMA(p, s, -0x1.8b84bb37959dcp-15);
    p = MTS_FMA(p, s, 0x1.34317c3625dd2p-13);
    p = MTS_FMA(p, s, -0x1.5a0acb2f7af3fp-12);
    p = MTS_FMA(p, s, 0x1.29e54addc5734p-11);
    p = MTS_FMA(p, s, -0x1.92a196ecb5c78p-11);
    p = MTS_FMA(p, s, 0x1.97145a7d1932p-11);
    p = MTS_FMA(p, s, -0x1.8e5dc7d4b4d07p-12);
    p = MTS_FMA(p, s, -0x1.7939f750c3f45p-11);
    p = MTS_FMA(p, s, 0x1.7406b5cda0425p-9);
    p = MTS_FMA(p, s, -0x1.906b3c48f4234p-8);
    p = MTS_FMA(p, s, 0x1.45a913ec71d29p-7);
    p = MTS_FMA(p, s, -0x1.a64e2cd68b4a4p-7);
    p = MTS_FMA(p, s, 0x1.67c671fcc03c5p-7);
    p = MTS_FMA(p, s, -0x1.19bb6fce0071fp-10);
    p = MTS_FMA(p, s, -0x1.921464c7d7feep-5);
    double o = -0x1.40536a69ee2d1p-21;
    o = MTS_FMA(o, s, 0x1.6fcc2f0d476cfp-18);
    o = MTS_FMA(o, s, -0x1.7fbc751d69bdfp-16);
    o = MTS_FMA(o, s, 0x1.d2dd92fd784f8p-15);
    o = MTS_FMA(o, s, -0x1.45e3263201f08p-14);
    o = MTS_FMA(o, s, 0x1.16bcce48f17d8p-16);
    o = MTS_FMA(o, s, 0x1.e6d282f65df9fp-13);
    o = MTS_FMA(o, s, -0x1.8a45e12567ea5p-11);
    o = MTS_FMA(o, s, 0x1.8f85cc92a6de5p-10);
    o = MTS_FMA(o, s, -0x1.32f05d1096857p-9);
    o = MTS_FMA(o, s, 0x1.6dc5eeac32195p-9);
    o = MTS_FMA(o, s, -0x1.29a8710fbdd01p-9);
    o = MTS_FMA(o, s, 0x1.0439929c9bb7cp-13);
    o = MTS_FMA(o, s, 0x1.29185db1326e9p-8);
    o = MTS_FMA(o, s, -0x1.87ca516fc3935p-7);
    o = MTS_FMA(o, s, 0x1.7dd13bd88212p-6);
    o = MTS_FMA(o, s, -0x1.d78f964869c1bp-6);
    o = MTS_FMA(o, s, 0x1.f4a1b314d8cd6p-5);
    p = MTS_FMA(MTS_FMA(p, t, o), t, 0x1.d8652f1a9d31fp-3);
    double y = MTS_FMA(x, 0x1.c5bf891b4ef6bp-1, x * MTS_FMA(p, w, -0x1.618f13eb7ca89p-55));
    double outside = left == 0.0 ? __builtin_inf() : __builtin_nan("");
    return __builtin_copysign(left > 0.0 ? y : outside, x);
}

// As of double, but erfinv(x) / x is c (w + 3.75) + w p, with a smaller p in 32.5 / (w + 10): so what
// is rounded in the first product can be added.
MTS_INLINE float mts_erfinv_f32(float x) {
    float left = MTS_HAS_FMA ? MTS_FMA(-x, x, 1.0f) : (1.0f - x) * (1.0f + x);
    float e, f = mts_split_f32(left, &e) - 1.0f, w = -mts_log_sum_f32(e, f);
    float t = 32.5f / (w + 10.0f) - 2.25f;
    float p = 0x1.568134p-14f;
    p = MTS_FMA(p, t, 0x1.4fdee2p-14f);
    p = MTS_FMA(p, t, -0x1.d08302p-12f);
    p = MTS_FMA(p, t, -0x1.d47640p-12f);
    p = MTS_FMA(p, t, 0x1.5847e0p-10f);
    p = MTS_FMA(p, t, 0x1.6c9a98p-10f);
    p = MTS_FMA(p, t, -0x1.886be2p-9f);
    p = MTS_FMA(p, t, -0x1.e865e4p-9f);
    p = MTS_FMA(p, t, 0x1.8f2556p-8f);
    p = MTS_FMA(p, t, 0x1.42203ep-7f);
    p = MTS_FMA(p, t, -0x1.15e5c0p-7f);
    p = MTS_FMA(p, t, -0x1.48fadcp-5f);
    p = MTS_FMA(p, t, 0x1.cd0da0p-6f);
    p = MTS_FMA(p, t, 0x1.483d66p-8f);
    float sum = w + 3.75f, lost = w - (sum - 3.75f), much = sum * 0x1.e3ff82p-3f;
    float rest = MTS_FMA(sum, 0x1.e3ff82p-3f, -much) + MTS_FMA(p, w, -0x1.896212p-26f);
    float y = MTS_FMA(x, much, x * MTS_FMA(lost, 0x1.e3ff82p-3f, rest));
    float outside = left == 0.0f ? __builtin_inff() : __builtin_nanf("");
    return __builtin_copysignf(left > 0.0f ? y : outside, x);
}

// exp(x x) erfc(x), where what x x is rounded by is made up for. Below -0.5, it is 2 exp(x x) less
// that of -x.
MTS_INLINE double mts_erfcx_f64(double x) {
    MTS_HIDDEN double high = 27.0;
    double a = __builtin_fabs(x), c = a > high ? high : a;
    double square = c * c, rest = mts_square_rest_f64(c, square), power = mts_exp_f64(square);
    double y = mts_erfcx_far_f64(a);
    double e = power < __builtin_inf() ? MTS_FMA(power, rest, power) : power;
    double near = e * (1.0 - mts_erf_near_zero_f64(x));
    double below = a < 0.5 ? near : 2.0 * e - y;
    return x < 0.5 ? below : y;
}

MTS_INLINE double mts_erfcx_for_f32(double a) {
    double z = 0.5 / (a * a);
    double series = 1.0 - z * (1.0 - 3.0 * z * (1.0 - 5.0 * z * (1.0 - 7.0 * z)));
    return a < 10.2 ? mts_erfcx_near(a) : 0.56418958354775628695 / a * series;
}

MTS_INLINE float mts_erfcx_f32(float x) {
    double a = __builtin_fabsf(x), y = mts_erfcx_for_f32(a);
    return (float)(x < 0.0f ? 2.0 * mts_exp_f64(a * a) - y : y);
}

// log((1 + erf(t)) / 2), where t is x / sqrt(2): far below zero that of exp(t t) erfc(-t) / 2, so
// that nothing vanishes, and far above of 1 - erfc(t) / 2, with what that loses by being rounded.
MTS_INLINE double mts_log_ndtr_f64(double x) {
    double t = x * 0.70710678118654752440, a = __builtin_fabs(t);
    double below = mts_erfcx_far_f64(a) * 0.5;
    double z = mts_erfc_far_f64(a) * -0.5, above = 1.0 + z;
    double e, near = 0.5 + 0.5 * mts_erf_near_zero_f64(t), far = t < 0.0 ? below : above;
    double lost = t >= 0.5 ? z - (above - 1.0) : 0.0, square = t <= -0.5 ? t * t : 0.0;
    double m = mts_split_f64(a < 0.5 ? near : far, &e);
    double y = mts_log_sum_f64(e, (m - 1.0) + 0.5 * lost * mts_pow2_f64(1.0 - e));
    return -__builtin_fabs(y - square);
}

// As in eager, x / sqrt(2) is rounded first: that tells in the last digits of what is near zero.
MTS_INLINE float mts_log_ndtr_f32(float x) {
    double t = x * 0.70710678f, y = mts_erfcx_for_f32(__builtin_fabs(t)) * 0.5;
    double below = mts_log_f64(y) - t * t, above = mts_log1p_f64(-y * mts_exp_f64(-t * t));
    return (float)(x < 0.0f ? below : above);
}
