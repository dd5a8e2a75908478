// Calls a module with tensors from C, after `minits build examples/native/voice.py:detector -o build`:
//
//     gcc -Ibuild examples/native/voice.c -o voice -Lbuild -lmodel -Wl,-rpath,build -lm
//     ./voice build/model.safetensors
#include <math.h>
#include <stdio.h>

#include "model.h"

enum { SAMPLES = 512 };

static int failed(mts_error *error)
{
    fprintf(stderr, "%s: %s\n", error->type, error->message ? error->message : "");
    model_clear_error(error);
    return 1;
}

// prints the chance of a voice in a part of a sound; 0 for success
static int listen(mts_model *model, const float *samples, int64_t count)
{
    mts_any argument, result;
    mts_tensor chance;
    mts_error error;
    if (model_new_tensor(MTS_DTYPE_FLOAT32, 1, &count, samples, &argument, &error))
        return failed(&error);
    int fault = model_call(model, "forward", &argument, 1, &result, &error);
    model_clear(&argument);
    if (fault) return failed(&error);
    if (model_read_tensor(&result, &chance, &error)) return failed(&error);
    printf("%.4f\n", ((const float *)chance.data)[0]);
    model_clear(&result);
    return 0;
}

int main(int count, char **words)
{
    mts_model *model;
    mts_error error;
    mts_any nothing;
    float samples[SAMPLES];
    if (model_create(count > 1 ? words[1] : 0, &model, &error)) return failed(&error);
    for (int part = 0; part < 3; part++) {
        for (int i = 0; i < SAMPLES; i++) samples[i] = sinf(0.1f * (part + 1) * i);
        if (listen(model, samples, SAMPLES)) return 1;
    }
    if (model_call(model, "reset", 0, 0, &nothing, &error)) return failed(&error);
    listen(model, samples, 16);  // too few
    model_destroy(model);
    return 0;
}
