#pragma once

// The operations of a GPU held against those of the CPU device, on the same random numbers. Knows
// no test framework: it also runs where there is a GPU and no Qt.

#include "kernels/device.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace triaxis::kernels::test
{

/// How far an operation of the GPU is from the CPU's.
struct TwinResult
{
    std::string operation;
    double error = 0; ///< ‖Δ‖ / ‖CPU's‖, of the worst output
    double allowed = 0;
    std::string failure; ///< what it threw instead

    bool good() const { return failure.empty() && error <= allowed; }
};

/// An argument of an operation.
struct Array
{
    enum class Role { In, Out, InOut };

    Role role = Role::In;
    std::vector<float> floats;
    std::vector<std::int32_t> ints; ///< instead of floats
    std::size_t count() const { return ints.empty() ? floats.size() : ints.size(); }
};

/// Arguments as an operation takes them: pointers into the memory of the device it runs on.
struct Arguments
{
    std::vector<void*> pointers;
    float* operator[](std::size_t i) const { return static_cast<float*>(pointers[i]); }
    std::int32_t* ints(std::size_t i) const { return static_cast<std::int32_t*>(pointers[i]); }
};

using Operation = std::function<void(Device&, Stream&, const Arguments&)>;

struct TwinCase
{
    std::string name;
    std::vector<Array> arrays;
    Operation operation;
    double allowed = 1e-5; ///< float32
};

/// For operations whose factors are rounded to it.
inline constexpr double allowedInBfloat16 = 1e-2;

Array input(std::int64_t count, std::uint64_t seed, double low = -1, double high = 1);
Array tokens(std::int64_t count, std::uint64_t seed, std::int32_t first, std::int32_t end);
/// No number in it before the operation has written it.
Array output(std::int64_t count);
Array inOut(std::int64_t count, std::uint64_t seed, double low = -1, double high = 1);

std::vector<TwinCase> elementwiseTwins();
std::vector<TwinCase> normTwins();
std::vector<TwinCase> attentionTwins();
std::vector<TwinCase> lossTwins();
std::vector<TwinCase> productTwins();
std::vector<TwinCase> allTwins();

TwinResult compare(const TwinCase& twin, Device& cpu, Device& gpu);

} // namespace triaxis::kernels::test
