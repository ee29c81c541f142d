// The kernels for the fake driver, the built-in ones and those of the tests: the portable
// source in its host port.
// Device addresses of the fake are host addresses. Kernels leave the same bytes for
// every grid, so one thread a block will do.
#include "seqplan_kernels.h"
#include "probe/seqplan_probe.h"

#include <cstring>

extern "C" int run_kernel(const char *name, uint32_t blocks, uint32_t threads, const uint64_t *a);

static uint8_t *at(uint64_t address) { return reinterpret_cast<uint8_t *>(address); }

static const struct {
    const char *name;
    void (*run)(const uint64_t *a);
} kernels[] = {
    {"seqplan_reset", [](const uint64_t *a) { seqplan_reset(at(a[0]), a[1], a[2]); }},
    {"seqplan_step", [](const uint64_t *a) { seqplan_step(at(a[0]), a[1], a[2], a[3]); }},
    {"seqplan_mark", [](const uint64_t *a) { seqplan_mark(at(a[0]), a[1], a[2], a[3]); }},
    {"seqplan_release", [](const uint64_t *a) { seqplan_release(at(a[0]), a[1], a[2], a[3]); }},
    {"seqplan_list_sum", [](const uint64_t *a) { seqplan_list_sum(at(a[0]), a[1], a[2], a[3], a[4], a[5], a[6]); }},
    {"seqplan_list_scan", [](const uint64_t *a) { seqplan_list_scan(at(a[0]), a[1], a[2], a[3], a[4], a[5], a[6]); }},
    {"seqplan_list_place", [](const uint64_t *a) { seqplan_list_place(at(a[0]), a[1], a[2], a[3], a[4], a[5], a[6]); }},
    {"seqplan_fill", [](const uint64_t *a) { seqplan_fill(at(a[0]), a[1], a[2], a[3], a[4], a[5]); }},
    {"seqplan_check", [](const uint64_t *a) { seqplan_check(at(a[0]), a[1], a[2], a[3], a[4], a[5], at(a[6])); }},
    {"seqplan_store", [](const uint64_t *a) { seqplan_store(at(a[0]), a[1], a[2], a[3], a[4], a[5]); }},
    {"seqplan_check_value", [](const uint64_t *a) { seqplan_check_value(at(a[0]), a[1], a[2], a[3], a[4], a[5], at(a[6])); }},
    {"seqplan_test_alloc", [](const uint64_t *a) { seqplan_test_alloc(at(a[0]), a[1], a[2], a[3]); }},
    {"seqplan_test_contend", [](const uint64_t *a) { seqplan_test_contend(at(a[0]), a[1], a[2], a[3], a[4]); }},
    {"test_nothing", [](const uint64_t *) {}},
};

extern "C" int run_kernel(const char *name, uint32_t blocks, uint32_t, const uint64_t *a)
{
    for (const auto &k : kernels)
        if (std::strcmp(k.name, name) == 0) {
            for (uint32_t i = 0; i < blocks; i++) {
                seqplan_this = {0, 1, i, blocks, nullptr, nullptr};
                k.run(a);
            }
            return 0;
        }
    return 500; // CUDA_ERROR_NOT_FOUND
}
