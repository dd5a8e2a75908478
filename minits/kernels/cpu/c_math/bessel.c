// The modified Bessel functions, by polynomials up to 8 and, times the root of x, in 1 / x from there.
MTS_INLINE double mts_i0e_f64(double x) {
    double a = __builtin_fabs(x);
    double t = a * 0.25 - 1.0, u = 16.0 / a - 1.0;
    double p = -1.1662904878442954e-09;
    p = MTS_FMA(p, t, 4.469372581856615e-09);
    p = MTS_FMA(p, t, -7.860369707508212e-09);
    p = MTS_FMA(p, t, 2.6273368345256394e-08);
    p = MTS_FMA(p, t, -1.1339523685907105e-07);
    p = MTS_FMA(p, t, 3.675592893288293e-07);
    p = MTS_FMA(p, t, -1.0891964284507317e-06);
    p = MTS_FMA(p, t, 3.2293850630678377e-06);
    p = MTS_FMA(p, t, -9.25059710625537e-06);
    p = MTS_FMA(p, t, 2.5202271984440893e-05);
    p = MTS_FMA(p, t, -6.550956130635514e-05);
    p = MTS_FMA(p, t, 0.0001624054672701359);
    p = MTS_FMA(p, t, -0.0003829015089457559);
    p = MTS_FMA(p, t, 0.0008563152483951447);
    p = MTS_FMA(p, t, -0.0018118870527295522);
    p = MTS_FMA(p, t, 0.0036171264596770616);
    p = MTS_FMA(p, t, -0.006792399792271578);
    p = MTS_FMA(p, t, 0.011960077903963348);
    p = MTS_FMA(p, t, -0.019682654708082413);
    p = MTS_FMA(p, t, 0.03017791202356886);
    p = MTS_FMA(p, t, -0.04298594945226738);
    p = MTS_FMA(p, t, 0.056777032019843215);
    p = MTS_FMA(p, t, -0.06954119561742342);
    p = MTS_FMA(p, t, 0.07927522590716898);
    p = MTS_FMA(p, t, -0.08496338091615124);
    p = MTS_FMA(p, t, 0.08734341617552291);
    p = MTS_FMA(p, t, -0.08904344136075991);
    p = MTS_FMA(p, t, 0.09451562853995103);
    p = MTS_FMA(p, t, -0.11300432688620549);
    p = MTS_FMA(p, t, 0.2070019212239867);
    double q = -2.4421972688131832e-11;
    q = MTS_FMA(q, u, 9.114760157514253e-11);
    q = MTS_FMA(q, u, 1.7698085539456536e-10);
    q = MTS_FMA(q, u, -6.494591114401118e-10);
    q = MTS_FMA(q, u, -6.327909921997027e-10);
    q = MTS_FMA(q, u, 2.163681278413876e-09);
    q = MTS_FMA(q, u, 1.6084886155781772e-09);
    q = MTS_FMA(q, u, -4.5305710768621196e-09);
    q = MTS_FMA(q, u, -3.5862834111582305e-09);
    q = MTS_FMA(q, u, 6.522264862032271e-09);
    q = MTS_FMA(q, u, 7.600254486433509e-09);
    q = MTS_FMA(q, u, -5.0175940345046716e-09);
    q = MTS_FMA(q, u, -1.3427511481900905e-08);
    q = MTS_FMA(q, u, -6.856484545962442e-09);
    q = MTS_FMA(q, u, 7.559364098665437e-09);
    q = MTS_FMA(q, u, 2.156780676115673e-08);
    q = MTS_FMA(q, u, 3.932512321137824e-08);
    q = MTS_FMA(q, u, 8.872014585661555e-08);
    q = MTS_FMA(q, u, 2.9735992084667734e-07);
    q = MTS_FMA(q, u, 1.4838476780922646e-06);
    q = MTS_FMA(q, u, 1.114303378845176e-05);
    q = MTS_FMA(q, u, 0.00013621607438951463);
    q = MTS_FMA(q, u, 0.0033605519836678913);
    q = MTS_FMA(q, u, 0.4021765094450081);
    return a > 8.0 ? q / __builtin_sqrt(a) : p;
}

MTS_INLINE float mts_i0e_f32(float x) {
    return (float)mts_i0e_f64(x);
}

MTS_INLINE double mts_i0_f64(double x) {
    return mts_exp_f64(__builtin_fabs(x)) * mts_i0e_f64(x);
}

MTS_INLINE float mts_i0_f32(float x) {
    return (float)mts_i0_f64(x);
}

MTS_INLINE double mts_i1e_f64(double x) {
    double a = __builtin_fabs(x);
    double t = a * 0.25 - 1.0, u = 16.0 / a - 1.0;
    double p = 3.6696752013169966e-10;
    p = MTS_FMA(p, t, -1.4165980180332847e-09);
    p = MTS_FMA(p, t, 2.644330576999187e-09);
    p = MTS_FMA(p, t, -8.986801013193351e-09);
    p = MTS_FMA(p, t, 3.7901404602356164e-08);
    p = MTS_FMA(p, t, -1.2424046295570417e-07);
    p = MTS_FMA(p, t, 3.7617292810159424e-07);
    p = MTS_FMA(p, t, -1.1327198008251626e-06);
    p = MTS_FMA(p, t, 3.29361514435675e-06);
    p = MTS_FMA(p, t, -9.136529630106953e-06);
    p = MTS_FMA(p, t, 2.4233987591498262e-05);
    p = MTS_FMA(p, t, -6.142361409267038e-05);
    p = MTS_FMA(p, t, 0.00014842110758080817);
    p = MTS_FMA(p, t, -0.0003411760229204836);
    p = MTS_FMA(p, t, 0.0007445123998749739);
    p = MTS_FMA(p, t, -0.001538874564273584);
    p = MTS_FMA(p, t, 0.0030057624040464932);
    p = MTS_FMA(p, t, -0.005534567846988655);
    p = MTS_FMA(p, t, 0.009583962153764291);
    p = MTS_FMA(p, t, -0.015571309244077562);
    p = MTS_FMA(p, t, 0.023686016957350876);
    p = MTS_FMA(p, t, -0.03367135552107505);
    p = MTS_FMA(p, t, 0.044674572621282986);
    p = MTS_FMA(p, t, -0.05528003922699226);
    p = MTS_FMA(p, t, 0.06376740371340611);
    p = MTS_FMA(p, t, -0.0684826062058269);
    p = MTS_FMA(p, t, 0.06805759990951162);
    p = MTS_FMA(p, t, -0.061124338029666284);
    p = MTS_FMA(p, t, 0.044687709875608835);
    double q = 2.2421768596847442e-11;
    q = MTS_FMA(q, u, -9.491890392992048e-11);
    q = MTS_FMA(q, u, -1.6283264322621244e-10);
    q = MTS_FMA(q, u, 6.7727478454462e-10);
    q = MTS_FMA(q, u, 5.870664618471487e-10);
    q = MTS_FMA(q, u, -2.2624401109204446e-09);
    q = MTS_FMA(q, u, -1.5218214060680734e-09);
    q = MTS_FMA(q, u, 4.763780078020254e-09);
    q = MTS_FMA(q, u, 3.501765193290176e-09);
    q = MTS_FMA(q, u, -6.9444186339873875e-09);
    q = MTS_FMA(q, u, -7.687251308765992e-09);
    q = MTS_FMA(q, u, 5.5720183980930355e-09);
    q = MTS_FMA(q, u, 1.4051746928735543e-08);
    q = MTS_FMA(q, u, 6.84757829926934e-09);
    q = MTS_FMA(q, u, -8.432168972932417e-09);
    q = MTS_FMA(q, u, -2.3394122958362557e-08);
    q = MTS_FMA(q, u, -4.3128498031006734e-08);
    q = MTS_FMA(q, u, -1.0001075046243961e-07);
    q = MTS_FMA(q, u, -3.4838563464253135e-07);
    q = MTS_FMA(q, u, -1.8349102493990178e-06);
    q = MTS_FMA(q, u, -1.5038547198221758e-05);
    q = MTS_FMA(q, u, -0.00021923576383137776);
    q = MTS_FMA(q, u, -0.009749577193235765);
    q = MTS_FMA(q, u, 0.38939845902587233);
    p = a > 8.0 ? q / __builtin_sqrt(a) : p * a;
    return x < 0.0 ? -p : p;
}

// With fewer terms, for float, whose result this is in double.
MTS_INLINE double mts_i1e_for_f32(double x) {
    double a = __builtin_fabs(x), r = 1.0 / a;
    double t = a * 0.25 - 1.0;
    double p = -0x1.849d18f10b46bp-14;
    p = MTS_FMA(p, t, 0x1.335a1d90f4275p-12);
    p = MTS_FMA(p, t, -0x1.590c837700814p-12);
    p = MTS_FMA(p, t, 0x1.e9821a9355f01p-12);
    p = MTS_FMA(p, t, -0x1.85fb6a296d4b2p-10);
    p = MTS_FMA(p, t, 0x1.ad3764bbcb06fp-9);
    p = MTS_FMA(p, t, -0x1.6fd813c0ccb01p-8);
    p = MTS_FMA(p, t, 0x1.3541c4e32b99ap-7);
    p = MTS_FMA(p, t, -0x1.fca1efcc9704dp-7);
    p = MTS_FMA(p, t, 0x1.84d004a15786dp-6);
    p = MTS_FMA(p, t, -0x1.13f6a5ca73cb3p-5);
    p = MTS_FMA(p, t, 0x1.6de9747cbfe6bp-5);
    p = MTS_FMA(p, t, -0x1.c4d5761aca8aep-5);
    p = MTS_FMA(p, t, 0x1.05319c03ee985p-4);
    p = MTS_FMA(p, t, -0x1.188164d75c0f5p-4);
    p = MTS_FMA(p, t, 0x1.16c38c168f42fp-4);
    p = MTS_FMA(p, t, -0x1.f4bb055fa2bb2p-5);
    p = MTS_FMA(p, t, 0x1.6e14eb990a213p-5);
    double q = -0x1.0934f6a69f26p1;
    q = MTS_FMA(q, r, 0x1.58386e2b851e4p-2);
    q = MTS_FMA(q, r, -0x1.a6c5b714f4a98p-4);
    q = MTS_FMA(q, r, -0x1.3cc7d06047b4p-5);
    q = MTS_FMA(q, r, -0x1.7f66240d63e1ep-5);
    q = MTS_FMA(q, r, -0x1.32630572e6ec6p-3);
    q = MTS_FMA(q, r, 0x1.98845332ef133p-2);
    p = a > 8.0 ? q * __builtin_sqrt(r) : p * a;
    return x < 0.0 ? -p : p;
}

MTS_INLINE float mts_i1e_f32(float x) {
    return (float)mts_i1e_for_f32(x);
}

MTS_INLINE double mts_i1_f64(double x) {
    return mts_exp_f64(__builtin_fabs(x)) * mts_i1e_f64(x);
}

MTS_INLINE float mts_i1_f32(float x) {
    return (float)(mts_exp_f64(__builtin_fabsf(x)) * mts_i1e_for_f32(x));
}
