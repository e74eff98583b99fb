#include "tests/kernels/cuda/twins.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <random>

namespace triaxis::kernels::test
{

namespace
{

const void* dataOf(const Array& array)
{
    return array.ints.empty() ? static_cast<const void*>(array.floats.data()) : array.ints.data();
}

/// Runs it on one device; every array as it is afterwards.
std::vector<std::vector<float>> run(const TwinCase& twin, Device& device)
{
    const auto stream = device.makeStream();
    std::vector<Buffer> buffers;
    Arguments arguments;
    for (const Array& array : twin.arrays) {
        const std::size_t bytes = array.count() * sizeof(float);
        Buffer& buffer = buffers.emplace_back(device.allocate(bytes, MemoryUse::Workspace));
        arguments.pointers.push_back(buffer.data());
        if (array.role != Array::Role::Out)
            device.copyToDevice(*stream, buffer.data(), dataOf(array), bytes);
        else if (device.name().rfind("emulated", 0) != 0) // which knows that nothing was written
            device.fill(*stream, buffer.floats(), std::numeric_limits<float>::quiet_NaN(),
                        std::int64_t(array.count()));
    }
    twin.operation(device, *stream, arguments);
    std::vector<std::vector<float>> results;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        std::vector<float>& result = results.emplace_back();
        if (twin.arrays[i].role == Array::Role::In)
            continue;
        result.resize(twin.arrays[i].count());
        device.copyToHost(*stream, result.data(), buffers[i].data(), buffers[i].bytes());
    }
    stream->synchronize();
    return results;
}

double distance(const std::vector<float>& a, const std::vector<float>& reference)
{
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] == reference[i]) // also infinities
            continue;
        difference += std::pow(double(a[i]) - double(reference[i]), 2);
    }
    for (const float value : reference)
        if (std::isfinite(value))
            size += double(value) * double(value);
    return difference == 0 ? 0 : std::sqrt(difference / std::max(size, 1e-30));
}

} // namespace

Array input(std::int64_t count, std::uint64_t seed, double low, double high)
{
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<double> numbers(low, high);
    Array array;
    array.floats.resize(std::size_t(count));
    for (float& value : array.floats)
        value = float(numbers(generator));
    return array;
}

Array tokens(std::int64_t count, std::uint64_t seed, std::int32_t first, std::int32_t end)
{
    std::mt19937_64 generator(seed);
    std::uniform_int_distribution<std::int32_t> numbers(first, end - 1);
    Array array;
    array.ints.resize(std::size_t(count));
    for (std::int32_t& value : array.ints)
        value = numbers(generator);
    return array;
}

Array output(std::int64_t count)
{
    Array array;
    array.role = Array::Role::Out;
    array.floats.assign(std::size_t(count), std::numeric_limits<float>::quiet_NaN());
    return array;
}

Array inOut(std::int64_t count, std::uint64_t seed, double low, double high)
{
    Array array = input(count, seed, low, high);
    array.role = Array::Role::InOut;
    return array;
}

std::vector<TwinCase> allTwins()
{
    std::vector<TwinCase> all;
    for (auto part : {elementwiseTwins, normTwins, attentionTwins, lossTwins, productTwins})
        for (TwinCase& twin : part())
            all.push_back(std::move(twin));
    return all;
}

TwinResult compare(const TwinCase& twin, Device& cpu, Device& gpu)
{
    TwinResult result{twin.name, 0, twin.allowed, {}};
    try {
        const auto expected = run(twin, cpu);
        const auto actual = run(twin, gpu);
        for (std::size_t i = 0; i < actual.size(); ++i) {
            const double error = distance(actual[i], expected[i]);
            result.error = error >= result.error || std::isnan(error) ? error : result.error;
        }
    } catch (const std::exception& error) {
        result.failure = error.what();
    }
    return result;
}

} // namespace triaxis::kernels::test
