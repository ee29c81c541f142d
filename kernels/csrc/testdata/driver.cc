// Runs the cases of a file on the host port; the format is that of kernelstest.Case.
// Usage: driver file blocks threads. With launch.cc and BY_HELPER the kernels are
// launched by seqplan_launch.h.
#include "seqplan_kernels.h"
#include "probe/seqplan_probe.h"

#include "grid.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace {

std::FILE *in;

uint64_t word()
{
    unsigned char b[8];
    if (std::fread(b, 1, 8, in) != 8) {
        std::fputs("the file ends early\n", stderr);
        std::exit(2);
    }
    uint64_t v;
    std::memcpy(&v, b, 8);
    return v;
}

void put(uint64_t v) { std::fwrite(&v, 8, 1, stdout); }

uint64_t hash(const std::vector<uint64_t> &pool, uint64_t scratch, uint64_t size)
{
    uint64_t h = 0;
    for (uint64_t i = 0; i < pool.size(); i++)
        if (8 * i - scratch >= size) {
            h ^= pool[i];
            h = (h << 29 | h >> 35) * 0x9E3779B97F4A7C15u;
        }
    return h;
}

void launch(uint64_t kernel, uint8_t *pool, const uint64_t *a)
{
    uint8_t *base = pool + a[0];
    switch (kernel) {
    case 0: return seqplan_reset(base, a[1], a[2]);
    case 1: return seqplan_step(base, a[1], a[2], a[3]);
    case 2: return seqplan_mark(base, a[1], a[2], a[3]);
    case 3: return seqplan_release(base, a[1], a[2], a[3]);
    case 4: return seqplan_list_sum(base, a[1], a[2], a[3], a[4], a[5], a[6]);
    case 5: return seqplan_list_scan(base, a[1], a[2], a[3], a[4], a[5], a[6]);
    case 6: return seqplan_list_place(base, a[1], a[2], a[3], a[4], a[5], a[6]);
    case 7: return seqplan_fill(base, a[1], a[2], a[3], a[4], a[5]);
    case 8: return seqplan_check(base, a[1], a[2], a[3], a[4], a[5], pool + a[6]);
    case 9: return seqplan_store(base, a[1], a[2], a[3], a[4], a[5]);
    case 10: return seqplan_check_value(base, a[1], a[2], a[3], a[4], a[5], pool + a[6]);
    case 11: return seqplan_test_alloc(base, a[1], a[2], a[3]);
    }
    std::fputs("no such kernel\n", stderr);
    std::exit(2);
}

#ifdef BY_HELPER
template <class... Integers, std::size_t... I>
void call(void (*kernel)(uint8_t *, Integers...), void **args, std::index_sequence<I...>)
{
    kernel(*static_cast<uint8_t **>(args[0]), *static_cast<uint64_t *>(args[1 + I])...);
}

template <class... Integers> void call(void (*kernel)(uint8_t *, Integers...), void **args)
{
    call(kernel, args, std::index_sequence_for<Integers...>{});
}
#endif

} // namespace

#ifdef BY_HELPER
bool launch_by_helper(uint64_t kernel, uint8_t *pool, const uint64_t *a);
bool errors_come_back();

// Runs a kernel that is known by its address.
void run_kernel(const void *func, unsigned blocks, void **args)
{
    Grid(blocks, 1).run([&] {
        auto is = [&](auto *kernel) {
            if (func != reinterpret_cast<const void *>(kernel))
                return false;
            call(kernel, args);
            return true;
        };
        if (!(is(seqplan_reset) || is(seqplan_step) || is(seqplan_mark) || is(seqplan_release) ||
              is(seqplan_list_sum) || is(seqplan_list_scan) || is(seqplan_list_place)))
            std::exit(3);
    });
}
#endif

int main(int argc, char **argv)
{
    if (argc != 4 || (in = std::fopen(argv[1], "rb")) == nullptr)
        return 2;
#ifdef BY_HELPER
    if (!errors_come_back())
        return 5;
#endif
    Grid grid(std::strtoul(argv[2], nullptr, 10), std::strtoul(argv[3], nullptr, 10));
    for (uint64_t cases = word(); cases > 0; cases--) {
        uint64_t size = word(), scratch = word(), scratch_size = word();
        // Exactly as large as it must be: the sanitizer finds what leads outside.
        std::vector<uint64_t> pool(size / 8);
        for (auto &w : pool)
            w = word();
        for (uint64_t launches = word(); launches > 0; launches--) {
            uint64_t kernel = word(), args[8];
            for (auto &a : args)
                a = word();
#ifdef BY_HELPER
            if (kernel < 7) {
                if (!launch_by_helper(kernel, reinterpret_cast<uint8_t *>(pool.data()), args))
                    return 4;
                put(hash(pool, scratch, scratch_size));
                continue;
            }
#endif
            grid.run([&] { launch(kernel, reinterpret_cast<uint8_t *>(pool.data()), args); });
            put(hash(pool, scratch, scratch_size));
        }
        for (uint64_t w : pool)
            put(w);
    }
    return std::ferror(stdout);
}
