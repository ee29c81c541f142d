// Checks and measures the device sources as nvcc compiles them, with the launches of
// seqplan_launch.h. Says what is wrong, prints figures, and exits with 1 if something is.
// Usage: check [-quick]
//
// The steps of velo are captured in a CUDA graph once. The graph is launched for many
// batches; a kernel changes the counts in device memory between them, and the host the
// batch size, the mode and the capacity of the arena in the memory that the graph copies.
// After each batch the control block, the slots and the extents must be those of the host
// build of the same source.
#include "check_cuda.h"

#include "check.h"

#include <cstring>

void host_batch(uint8_t *pool, uint64_t round); // check_host.cc

/* Draws the counts of a round: what the algorithms of the steps will leave. */
SEQPLAN_KERNEL check_draws(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER draws, SEQPLAN_INTEGER round,
                           SEQPLAN_INTEGER n_events)
{
    for (uint64_t which = SEQPLAN_LID; which < CHECK_NUM_COUNTS; which += SEQPLAN_LSIZE)
        seqplan_words(SEQPLAN_POINTER(base), draws)[which] = check_draw(round, which, n_events);
}

/* Stands for the algorithm that leaves a count. */
SEQPLAN_KERNEL check_produce(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER draws, SEQPLAN_INTEGER which)
{
    if (SEQPLAN_LID == 0)
        *check_cell(SEQPLAN_POINTER(base), which, velo_param_n_events(SEQPLAN_POINTER(base))) =
            (uint32_t)seqplan_words(SEQPLAN_POINTER(base), draws)[which];
}

namespace {

constexpr uint64_t draws_at = VELO_DEVICE_POOL_SIZE; // behind the static region: the arena is nowhere
constexpr uint64_t line_bytes = SEQPLAN_LINE_SIZE, areas_bytes = CHECK_AREAS_END;
constexpr uint64_t params_bytes = VELO_NUM_PARAMS * SEQPLAN_WORD_SIZE;

class Replay {
public:
    Replay(Faults &faults, cudaStream_t stream)
        : faults(faults), stream(stream), pool(true, draws_at + 64), sent(false, areas_bytes), back(false, areas_bytes),
          host(VELO_DEVICE_POOL_SIZE / 8)
    {
        std::memset(sent.words, 0, areas_bytes);
        std::memcpy(at(sent.words, VELO_PROGRAM_AT), velo_program, sizeof velo_program);
        std::memcpy(host.data(), sent.words, areas_bytes);
        put_line(1, VELO_ARENA_WORST, 0);
        upload(stream, pool, sent, areas_bytes);
        TRY(cudaMemsetAsync(at(pool.words, areas_bytes), 0, draws_at + 64 - areas_bytes, stream));
        TRY(cudaStreamSynchronize(stream));
        batch = capture([&] { enqueue_batch(); });
        steps = capture([&] { enqueue_steps(); });
    }
    ~Replay()
    {
        TRY(cudaGraphExecDestroy(batch));
        TRY(cudaGraphExecDestroy(steps));
    }

    // Plays batches, in the graph and now and then in the stream.
    void check(uint64_t rounds)
    {
        uint64_t codes[8] = {};
        for (uint64_t round = 1; round <= rounds; round++) {
            bool wait = round % 3 == 0 || round == rounds, modes = (round - 1) % 3 == 0;
            if (modes) { // nothing is under way
                uint64_t r = check_mix(~round);
                put_line(round, r % 4 == 0 ? VELO_ARENA_WORST : VELO_ARENA_TYPICAL / 512 * 256, r >> 8 & SEQPLAN_FLAG_REUSE);
                n_events = r % 3 == 0 ? 1 + (r >> 20) % 1000 : 1000;
                at(sent.words, VELO_PARAMS_AT)[0] = n_events;
                std::memcpy(host.data(), sent.words, line_bytes);
                std::memcpy(at(host.data(), VELO_PARAMS_AT), at(sent.words, VELO_PARAMS_AT), params_bytes);
            }
            TRY(seqplan_launch(check_draws, 1, 32, stream, pool.words, integer{draws_at}, integer{round}, integer{n_events}));
            if (round % 7 == 0)
                enqueue_batch();
            else
                TRY(cudaGraphLaunch(batch, stream));
            host_batch(reinterpret_cast<uint8_t *>(host.data()), round);
            codes[host[SEQPLAN_CONTROL_AT_CODE] % 8]++;
            if (!wait)
                continue;
            TRY(cudaStreamSynchronize(stream));
            for (uint64_t i = 0; i < areas_bytes / 8; i++)
                if (!faults.expect(back.words[i] == host[i], "a batch leaves a wrong word: batch", round)) {
                    std::printf("  word %llu is %#llx, want %#llx\n", static_cast<unsigned long long>(i),
                                static_cast<unsigned long long>(back.words[i]), static_cast<unsigned long long>(host[i]));
                    break;
                }
        }
        for (uint64_t code : {SEQPLAN_CODE_OK, SEQPLAN_CODE_EXHAUSTED, SEQPLAN_CODE_COUNT_OVER_MAX})
            faults.expect(codes[code] > 0, "no batch ended with the code", code);
        std::printf("figure: one captured graph, %llu batches with other counts: %llu fit, %llu exhausted the arena, "
                    "%llu had a count over its max; all as on the host\n",
                    static_cast<unsigned long long>(rounds), static_cast<unsigned long long>(codes[SEQPLAN_CODE_OK]),
                    static_cast<unsigned long long>(codes[SEQPLAN_CODE_EXHAUSTED]),
                    static_cast<unsigned long long>(codes[SEQPLAN_CODE_COUNT_OVER_MAX]));
    }

    void measure(unsigned n)
    {
        put_line(1, VELO_ARENA_WORST, 0);
        const double launches = VELO_NUM_STEPS + 2; // with the end and the reset
        double s = timed(stream, n, [&] { enqueue_steps(); });
        double g = timed(stream, n, [&] { TRY(cudaGraphLaunch(steps, stream)); });
        std::printf("figure: launch of a step of velo: %.2f us in a stream, %.2f us in a graph of %.0f\n", s / launches,
                    g / launches, launches);
        s = timed(stream, n, [&] { enqueue_batch(); });
        g = timed(stream, n, [&] { TRY(cudaGraphLaunch(batch, stream)); });
        std::printf("figure: batch of velo, with its copies: %.1f us in a stream, %.1f us in a graph\n", s, g);
        TRY(cudaStreamSynchronize(stream));
    }

private:
    static uint64_t *at(uint64_t *words, uint64_t offset) { return words + offset / 8; }

    void put_line(uint64_t epoch, uint64_t capacity, uint64_t flags)
    {
        put_arena(sent.words, UINT64_C(1) << 40, capacity, VELO_ARENA_ALIGN);
        sent.words[SEQPLAN_CONTROL_AT_EPOCH] = epoch;
        sent.words[SEQPLAN_CONTROL_AT_FLAGS] = flags;
        sent.words[SEQPLAN_CONTROL_AT_NUM_SLOTS] = VELO_NUM_SLOTS;
        sent.words[SEQPLAN_CONTROL_AT_PLAN_HASH] = VELO_PLAN_HASH;
    }

    void enqueue_batch()
    {
        TRY(cudaMemcpyAsync(pool.words, sent.words, line_bytes, cudaMemcpyHostToDevice, stream));
        TRY(cudaMemcpyAsync(at(pool.words, VELO_PARAMS_AT), at(sent.words, VELO_PARAMS_AT), params_bytes,
                            cudaMemcpyHostToDevice, stream));
        enqueue(true);
        download(stream, back, pool, areas_bytes);
    }

    void enqueue_steps() { enqueue(false); }

    void enqueue(bool produce)
    {
        TRY(seqplan_launch_reset(stream, pool.words, VELO_CONTROL_AT, VELO_PROGRAM_AT));
        for (uint64_t step = 0; step <= VELO_NUM_STEPS; step++) {
            TRY(seqplan_launch_step(stream, pool.words, VELO_CONTROL_AT, VELO_PROGRAM_AT, step));
            for (uint64_t which = 0; produce && which < CHECK_NUM_COUNTS; which++)
                if (check_step(which) == step)
                    TRY(seqplan_launch(check_produce, 1, 32, stream, pool.words, integer{draws_at}, integer{which}));
        }
    }

    template <class Enqueue> cudaGraphExec_t capture(Enqueue enqueue)
    {
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        enqueue();
        TRY(cudaStreamEndCapture(stream, &graph));
        TRY(cudaGraphInstantiateWithFlags(&exec, graph, 0));
        TRY(cudaGraphDestroy(graph));
        return exec;
    }

    Faults &faults;
    cudaStream_t stream;
    Memory pool;       // the device pool without its arena, and the draws
    Memory sent, back; // what the graph copies to it and from it
    std::vector<uint64_t> host;
    uint64_t n_events = 0;
    cudaGraphExec_t batch, steps;
};

} // namespace

int main(int argc, char **argv)
{
    bool quick = argc > 1 && std::strcmp(argv[1], "-quick") == 0;
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    Faults faults;
    cudaStream_t stream;
    TRY(cudaStreamCreate(&stream));
    {
        Replay replay(faults, stream);
        replay.check(quick ? 200 : 2000);
        replay.measure(quick ? 20 : 2000);
    }
    check_contention(faults, stream, quick ? 20000 : 1000000);
    check_list(faults, stream, quick ? 20000 : 1000000);
    TRY(cudaStreamDestroy(stream));
    if (faults.count == 0)
        std::puts("all checks passed");
    else
        std::printf("FAILED: %u faults\n", faults.count);
    return faults.count != 0;
}
