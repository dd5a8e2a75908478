// Hyperbolic functions, and the sigmoid.

// tanh(r) for |r| <= 0.6
MTS_INLINE float mts_tanh_near_zero_f32(float r) {
    float z = r * r;
    float p = -0x1.8267e0p-8f;
    p = MTS_FMA(p, z, 0x1.54bfa0p-6f);
    p = MTS_FMA(p, z, -0x1.b89a78p-5f);
    p = MTS_FMA(p, z, 0x1.1109bep-3f);
    p = MTS_FMA(p, z, -0x1.55553ep-2f);
    return MTS_FMA(p * z, r, r);
}

MTS_INLINE double mts_tanh_near_zero_f64(double r) {
    double z = r * r;
    double p = -0x1.2075b01f0a368p-16;
    p = MTS_FMA(p, z, 0x1.4ccbc8ddc0006p-14);
    p = MTS_FMA(p, z, -0x1.e33c24ba858b3p-13);
    p = MTS_FMA(p, z, 0x1.33dcf4f42fceap-11);
    p = MTS_FMA(p, z, -0x1.7d7a23d583db3p-10);
    p = MTS_FMA(p, z, 0x1.d6d0cd87cf76p-9);
    p = MTS_FMA(p, z, -0x1.226e22cec6d1fp-7);
    p = MTS_FMA(p, z, 0x1.664f47f26fad3p-6);
    p = MTS_FMA(p, z, -0x1.ba1ba1b78e287p-5);
    p = MTS_FMA(p, z, 0x1.111111110e2e3p-3);
    p = MTS_FMA(p, z, -0x1.5555555555531p-2);
    return MTS_FMA(p * z, r, r);
}

// Up to 0.6, the polynomial. Above, with |x| = n log(2) / 2 + r and t = tanh(r),
// 1 - tanh |x| = 2 / (exp(2 |x|) + 1) = (1 - t) / (h + 1/2 + t (h - 1/2)) where h = 2 ** (n - 1):
// that is small, so what is lost in it counts little.
MTS_INLINE float mts_tanh_f32(float x) {
    MTS_HIDDEN float high = 9.02f;
    float a = __builtin_fabsf(x), c = a > high ? high : a;
    float shifted = MTS_FMA(c, 2.88539008f, 0x1.8p23f + 126), n = shifted - (0x1.8p23f + 126);
    n = a < 0.6f ? 0.0f : n;
    float h = mts_from_bits_f32((int)((unsigned)mts_bits_f32(shifted) << 23));
    float t = mts_tanh_near_zero_f32(MTS_FMA(n, -0.34657359f, c));
    float far = 1.0f - (1.0f - t) / MTS_FMA(t, h - 0.5f, h + 0.5f);
    return __builtin_copysignf(a < 0.6f ? t : far, x);
}

MTS_INLINE double mts_tanh_f64(double x) {
    MTS_HIDDEN double high = 20.0;
    double a = __builtin_fabs(x), c = a > high ? high : a;
    double shifted = MTS_FMA(c, 2.8853900817779268, 0x1.8p52 + 1022);
    double n = shifted - (0x1.8p52 + 1022);
    n = a < 0.6 ? 0.0 : n;
    double h = mts_from_bits_f64((long long)((unsigned long long)mts_bits_f64(shifted) << 52));
    double t = mts_tanh_near_zero_f64(MTS_FMA(n, -0.34657359027997264, c));
    double far = 1.0 - (1.0 - t) / MTS_FMA(t, h - 0.5, h + 0.5);
    return __builtin_copysign(a < 0.6 ? t : far, x);
}

// tanh(x) as a fraction, in fewer steps but to 2 ulp: with |x| = n log(2) / 2 + r, t = tanh(r) and
// p = 2 ** -n it is (1 - p + t (1 + p)) / (1 + p + t (1 - p)).
MTS_INLINE float mts_tanh_fraction_f32(float x, float *under) {
    MTS_HIDDEN float high = 9.02f;
    float a = __builtin_fabsf(x), c = a > high ? high : a;
    float shifted = MTS_FMA(c, -2.88539008f, 0x1.8p23f + 127), n = shifted - (0x1.8p23f + 127);
    float p = mts_from_bits_f32((int)((unsigned)mts_bits_f32(shifted) << 23));
    float r = MTS_FMA(n, 0.34657359f, c), z = r * r;
    float q = -0x1.afd662p-5f;
    q = MTS_FMA(q, z, 0x1.110592p-3f);
    q = MTS_FMA(q, z, -0x1.55554ep-2f);
    float t = MTS_FMA(q * z, r, r);
    *under = MTS_FMA(t, 1.0f - p, 1.0f + p);
    return __builtin_copysignf(MTS_FMA(t, 1.0f + p, 1.0f - p), x);
}

// 1 / (1 + exp(-x)) as a fraction. -x = n log 2 + r, and exp(r) = (q + r) / (q - r), where
// q = r / tanh(r / 2) is even and nearly 2. Both parts are divided by 2 ** 25, so that what is under
// the line does not overflow before the sigmoid is 0, from x = -104 on.
MTS_INLINE float mts_sigmoid_fraction_f32(float x, float *under) {
    MTS_HIDDEN float low = -104.5f, high = 70.0f;
    float c = mts_within_f32(x, low, high);
    float shifted = MTS_FMA(c, -1.44269504f, 0x1.8p23f + 102), n = shifted - (0x1.8p23f + 102);
    float r = mts_exp_rest_f32(-c, n), z = r * r;
    float q = MTS_FMA(MTS_FMA(-0x1.6aa37ap-9f, z, 0x1.55551ep-3f), z, 2.0f);
    float power = mts_from_bits_f32((int)((unsigned)mts_bits_f32(shifted) << 23));
    float over = mts_from_bits_f32(mts_bits_f32(q - r) - 0x0c800000);
    *under = MTS_FMA(power, q + r, over);
    return over;
}

MTS_INLINE float mts_sigmoid_f32(float x) {
    float under, over = mts_sigmoid_fraction_f32(x, &under);
    return over / under;
}

MTS_INLINE double mts_sigmoid_f64(double x) {
    return 1 / mts_one_plus_exp_f64(-x);
}

// sigmoid(a) tanh(b), as gates have it: one division for both. `over` is small, so it comes last:
// b may be denormal.
MTS_INLINE float mts_sigmoid_tanh_f32(float a, float b) {
    float under, below, over = mts_sigmoid_fraction_f32(a, &under);
    float above = mts_tanh_fraction_f32(b, &below);
    return above / (under * below) * over;
}

// In double, but near zero, where the difference is small.
MTS_INLINE float mts_sinh_f32(float x) {
    double y = mts_exp_f64(x);
    double near_zero = x + (double)x * x * x * (1.0 / 6.0);
    return (float)(__builtin_fabsf(x) < 0x1p-10f ? near_zero : 0.5 * (y - 1.0 / y));
}

// (e + e / (e + 1)) / 2 with e = exp(|x|) - 1; where that overflows, exp(|x| / 2) squared.
MTS_INLINE double mts_sinh_f64(double x) {
    double a = __builtin_fabs(x);
    double e = mts_expm1_f64(a);
    double root = mts_exp_f64(a * 0.5);
    double y = a > 700.0 ? root * 0.5 * root : 0.5 * (e + e / (e + 1.0));
    return __builtin_copysign(y, x);
}

MTS_INLINE float mts_cosh_f32(float x) {
    double y = mts_exp_f64(__builtin_fabsf(x));
    return (float)(0.5 * (y + 1.0 / y));
}

MTS_INLINE double mts_cosh_f64(double x) {
    double a = __builtin_fabs(x);
    double e = mts_exp_f64(a);
    double root = mts_exp_f64(a * 0.5);
    return a > 700.0 ? root * 0.5 * root : 0.5 * (e + 1.0 / e);
}
