// Calls a program from C, after `minits build examples/native/counting.py -o build`:
//
//     gcc -Ibuild examples/native/counting.c build/model.c -lm -o counting && ./counting 27
#include <stdio.h>
#include <stdlib.h>

#include "model.h"

static int failed(mts_error *error)
{
    fprintf(stderr, "%s: %s\n", error->type, error->message ? error->message : "");
    if (error->file) fprintf(stderr, "  at %s:%d: %s\n", error->file, error->line, error->source);
    model_clear_error(error);
    return 1;
}

int main(int count, char **words)
{
    mts_model *model;
    mts_error error;
    mts_any result;
    if (model_create(0, &model, &error)) return failed(&error);

    mts_any start = mts_from_int(count > 1 ? atoll(words[1]) : 27);
    if (model_call(model, "collatz", &start, 1, &result, &error)) return failed(&error);
    printf("collatz: %lld\n", (long long)result.as.integer);

    mts_any most = mts_from_int(100);
    if (model_call(model, "longest", &most, 1, &result, &error)) return failed(&error);
    for (int64_t i = 0; i < result.length; i++)
        printf("%s: %lld\n", result.type->names[i], (long long)result.as.items[i].as.integer);
    model_clear(&result);

    mts_any text = mts_from_str("the cat and the hat");
    if (model_call(model, "count_words", &text, 1, &result, &error)) return failed(&error);
    for (int64_t i = 0; i < result.length; i++) {
        mts_any word = result.as.items[2 * i], times = result.as.items[2 * i + 1];
        printf("%s: %lld\n", word.as.text, (long long)times.as.integer);
    }
    model_clear(&result);

    start = mts_from_int(-5);
    if (model_call(model, "collatz", &start, 1, &result, &error)) failed(&error);
    model_destroy(model);
    return 0;
}
