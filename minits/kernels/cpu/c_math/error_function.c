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

MTS_INLINE double mts_erf_f64(double x) {
    return __builtin_erf(x);
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

MTS_INLINE double mts_erfc_f64(double x) {
    return __builtin_erfc(x);
}

// Where to begin to look for erfinv(x), to about 27 bits: a polynomial in w = -log(1 - x x), or, far
// out, in its root.
MTS_INLINE double mts_erfinv_start(double x) {
    double w = -mts_log_f64((1.0 - x) * (1.0 + x));
    double t = w * 0.4 - 1.0, u = (__builtin_sqrt(w) - 4.2) * 0.5;
    double p = 2.943653372407573e-06;
    p = MTS_FMA(p, t, 4.139544299940102e-06);
    p = MTS_FMA(p, t, -4.143433102262246e-05);
    p = MTS_FMA(p, t, 2.5182562318746536e-05);
    p = MTS_FMA(p, t, 0.0002921690115087194);
    p = MTS_FMA(p, t, -0.0008364907738609052);
    p = MTS_FMA(p, t, -0.00048789063575624566);
    p = MTS_FMA(p, t, 0.008525942391231351);
    p = MTS_FMA(p, t, -0.01957356183368391);
    p = MTS_FMA(p, t, -0.026108281752861017);
    p = MTS_FMA(p, t, 0.6166006918714606);
    p = MTS_FMA(p, t, 1.5014093517481764);
    double q = 0.0003457180853082468;
    q = MTS_FMA(q, u, -0.00037243215216874664);
    q = MTS_FMA(q, u, -0.001337282864182779);
    q = MTS_FMA(q, u, 0.0020231264874337154);
    q = MTS_FMA(q, u, 0.0007547269087100885);
    q = MTS_FMA(q, u, -0.0026106347560565703);
    q = MTS_FMA(q, u, 0.0016297814179982411);
    q = MTS_FMA(q, u, -0.001319008235605681);
    q = MTS_FMA(q, u, 0.0019530331525875852);
    q = MTS_FMA(q, u, -0.0018597649269582808);
    q = MTS_FMA(q, u, 0.0016563646783668727);
    q = MTS_FMA(q, u, -0.0022571105833350097);
    q = MTS_FMA(q, u, 0.00366691693469268);
    q = MTS_FMA(q, u, -0.005218364033395763);
    q = MTS_FMA(q, u, 0.003228788177872426);
    q = MTS_FMA(q, u, 2.0198047190835777);
    q = MTS_FMA(q, u, 4.041726369018339);
    return x * (w > 5.0 ? q : p);
}

MTS_INLINE float mts_erfinv_f32(float x) {
    float y = (float)mts_erfinv_start(x);
    return __builtin_fabsf(x) == 1.0f ? x * __builtin_inff() : y;
}

// One step of Newton's from there, with what is left to 1 where erf is close to it.
MTS_INLINE double mts_erfinv_f64(double x) {
    double a = __builtin_fabs(x), y = mts_erfinv_start(a);
    double wrong = a < 0.5 ? __builtin_erf(y) - a : (1.0 - a) - __builtin_erfc(y);
    y = y - wrong * 0.88622692545275801 * mts_exp_f64(y * y);
    return a == 1.0 ? x * __builtin_inf() : __builtin_copysign(y, x);
}

// exp(x x) erfc(x). What x x is rounded by is made up for; from 25 on, where erfc leaves the range of
// doubles, an asymptotic series. Below zero by reflection.
MTS_INLINE double mts_erfcx_f64(double x) {
    double a = __builtin_fabs(x), near = a < 25.0 ? a : 25.0;
    double square = near * near, rest = __builtin_fma(near, near, -square);
    double power = mts_exp_f64(square), y = (power + power * rest) * __builtin_erfc(near);
    double z = 0.5 / (a * a);
    double series = 1.0 - 9.0 * z * (1.0 - 11.0 * z * (1.0 - 13.0 * z));
    series = 1.0 - z * (1.0 - 3.0 * z * (1.0 - 5.0 * z * (1.0 - 7.0 * z * series)));
    y = a < 25.0 ? y : 0.56418958354775628695 / a * series;
    double all = x * x, lost = __builtin_fma(x, x, -all);
    double twice = 2.0 * mts_exp_f64(all);
    twice += __builtin_isfinite(twice) ? twice * lost : 0.0;
    y = x < 0.0 ? twice - y : y;
    return x != x ? x : y;
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

// log((1 + erf(t)) / 2), where t is x / sqrt(2), so that nothing vanishes far below zero.
MTS_INLINE double mts_log_ndtr_f64(double x) {
    double t = x * 0.70710678118654752440;
    if (x < -1.0) {
        return mts_log_f64(mts_erfcx_f64(-t) * 0.5) - t * t;
    }
    return mts_log1p_f64(__builtin_erfc(t) * -0.5);
}

// As in eager, x / sqrt(2) is rounded first: that tells in the last digits of what is near zero.
MTS_INLINE float mts_log_ndtr_f32(float x) {
    double t = x * 0.70710678f, y = mts_erfcx_for_f32(__builtin_fabs(t)) * 0.5;
    double below = mts_log_f64(y) - t * t, above = mts_log1p_f64(-y * mts_exp_f64(-t * t));
    return (float)(x < 0.0f ? below : above);
}
