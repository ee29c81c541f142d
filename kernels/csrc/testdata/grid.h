// A grid of threads for the host port: blocks run one after another, the threads of
// a block at the same time.
#pragma once

#include "seqplan_kernels.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Grid {
public:
    Grid(uint64_t blocks, uint64_t threads) : blocks_(blocks), threads_(threads), shared_(SEQPLAN_LANES) {}

    // Runs f on every thread of the grid. Odd grids run backwards: the order must
    // not matter.
    void run(const std::function<void()> &f)
    {
        for (uint64_t i = 0; i < blocks_; i++)
            block(blocks_ % 2 == 0 ? i : blocks_ - 1 - i, f);
    }

private:
    void block(uint64_t group, const std::function<void()> &f)
    {
        for (auto &word : shared_)
            word = 0xDEADDEADDEADDEADu; // shared memory starts with anything
        if (threads_ == 1) {
            seqplan_this = {0, 1, group, blocks_, shared_.data(), nullptr};
            f();
            return;
        }
        Barrier barrier{threads_};
        std::vector<std::thread> threads;
        for (uint64_t lid = 0; lid < threads_; lid++)
            threads.emplace_back([&, lid] {
                seqplan_this = {lid, threads_, group, blocks_, shared_.data(), wait};
                barrier_ = &barrier;
                f();
                barrier.leave();
            });
        for (auto &thread : threads)
            thread.join();
    }

    struct Barrier {
        uint64_t threads, waiting = 0, round = 0;
        std::mutex mutex{};
        std::condition_variable all{};

        void wait()
        {
            std::unique_lock<std::mutex> lock(mutex);
            uint64_t mine = round;
            if (++waiting == threads)
                next();
            else
                all.wait(lock, [&] { return round != mine; });
        }

        // A thread that has ended is at no barrier any more. Kernels must not let
        // threads end before others wait, but those of a block that has no work do.
        void leave()
        {
            std::unique_lock<std::mutex> lock(mutex);
            threads--;
            if (threads > 0 && waiting == threads)
                next();
        }

        void next()
        {
            waiting = 0;
            round++;
            all.notify_all();
        }
    };

    static void wait(seqplan_thread *) { barrier_->wait(); }

    static inline thread_local Barrier *barrier_ = nullptr;
    uint64_t blocks_, threads_;
    std::vector<uint64_t> shared_;
};
