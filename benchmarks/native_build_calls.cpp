// Times torch.jit's C++ API beside a library of `minits build`, in turns, from C++:
//
//     native_build_calls MODULE.pt ARGUMENTS.pt LIBRARY.so WEIGHTS ROUNDS CALLS
//
// ARGUMENTS.pt has the tuple `given`. Printed are the seconds of a call of each, a line a round.
//
// Built by benchmarks/native_build.py against torch's C++ headers.

#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <ATen/Parallel.h>
#include <torch/csrc/inductor/aoti_torch/utils.h>
#include <torch/script.h>

#include "model.h"

namespace {

struct Library {
    decltype(&model_create) create;
    decltype(&model_call) call;
    decltype(&model_clear) clear;
    mts_model *model = nullptr;
};

template <typename F> void find(void *library, const char *name, F &function)
{
    function = reinterpret_cast<F>(dlsym(library, name));
    if (!function) throw std::runtime_error(dlerror());
}

void check(int fault, mts_error &error)
{
    if (fault) throw std::runtime_error(std::string(error.type) + ": " + (error.message ? error.message : ""));
}

Library opened(const char *path, const char *weights)
{
    Library made;
    mts_error error;
    void *library = dlopen(path, RTLD_NOW);
    if (!library) throw std::runtime_error(dlerror());
    find(library, "model_create", made.create);
    find(library, "model_call", made.call);
    find(library, "model_clear", made.clear);
    check(made.create(weights, &made.model, &error), error);
    return made;
}

mts_any any_of(at::IValue &value)
{
    if (value.isInt()) return mts_from_int(value.toInt());
    if (value.isDouble()) return mts_from_float(value.toDouble());
    mts_any any = mts_of_kind(MTS_TENSOR);
    any.as.tensor = new at::Tensor(value.toTensor());
    return any;
}

void call(Library &library, const std::vector<mts_any> &arguments)
{
    mts_any result;
    mts_error error;
    check(library.call(library.model, "forward", arguments.data(), arguments.size(), &result, &error), error);
    library.clear(&result);
}

template <typename F> double seconds(int calls, F function)
{
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; i++) function();
    std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    return taken.count() / calls;
}

} // namespace

int main(int, char **words)
{
    c10::NoGradGuard unrecorded;
    at::set_num_threads(1);
    auto module = torch::jit::load(words[1]);
    auto given = torch::jit::load(words[2]).attr("given").toTuple()->elements().vec();
    Library library = opened(words[3], words[4]);
    std::vector<mts_any> arguments;
    for (auto &value : given) arguments.push_back(any_of(value));
    int rounds = std::atoi(words[5]), calls = std::atoi(words[6]);
    auto theirs = [&] { module.forward(given); };
    auto ours = [&] { call(library, arguments); };
    seconds(5, theirs), seconds(5, ours);
    for (int i = 0; i < rounds; i++) {
        double first = seconds(calls, theirs), second = seconds(calls, ours);
        std::printf("%.9f %.9f\n", first, second);
    }
}
