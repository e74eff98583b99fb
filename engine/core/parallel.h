#pragma once

#include <cstddef>
#include <functional>

namespace triaxis
{

/// Calls work(0) … work(count − 1), each once, on as many threads as the machine has cores; the
/// calling thread is one of them. Calls must not touch the same data. The first exception ends the
/// rest and is thrown again here.
void inParallel(std::size_t count, const std::function<void(std::size_t)>& work);

} // namespace triaxis
