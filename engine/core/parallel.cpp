#include "engine/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace triaxis
{

void inParallel(std::size_t count, const std::function<void(std::size_t)>& work)
{
    std::atomic<std::size_t> next = 0;
    std::exception_ptr failure;
    std::mutex failed;
    const auto run = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                work(i);
            } catch (...) {
                const std::lock_guard lock(failed);
                if (!failure)
                    failure = std::current_exception();
                next = count;
            }
        }
    };
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> helpers;
    try {
        while (helpers.size() + 1 < std::min(cores, count))
            helpers.emplace_back(run);
    } catch (const std::system_error&) {
        // No more threads to be had: those that there are do all of it.
    }
    run();
    helpers.clear(); // waits
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace triaxis
