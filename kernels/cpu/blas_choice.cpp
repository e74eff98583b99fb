#include "kernels/blas_choice.h"

#include <algorithm>
#include <array>
#include <cblas.h>
#include <cmath>
#include <cstdlib>
#include <unistd.h>
#include <vector>

namespace triaxis::kernels
{

namespace
{

constexpr const char* coreType = "OPENBLAS_CORETYPE";
/// What the library detected before this program chose; also the mark that it has chosen already.
constexpr const char* detectedMark = "TRIAXIS_BLAS_DETECTED";
/// Set when the chosen kernel computed wrongly.
constexpr const char* rejectedMark = "TRIAXIS_BLAS_REJECTED";

/// Kernels of OpenBLAS that use AVX2 or more.
constexpr std::array modernKernels{"Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids"};

std::vector<float> pattern(std::size_t count, unsigned seed)
{
    std::vector<float> values(count);
    for (float& value : values) {
        seed = seed * 1664525u + 1013904223u;
        value = static_cast<float>(seed >> 8) / static_cast<float>(1 << 24) - 0.5f;
    }
    return values;
}

/// One product of odd sizes against sums in double.
bool isRight(int m, int n, int k, bool transA, bool transB)
{
    const auto a = pattern(static_cast<std::size_t>(m) * k, 1);
    const auto b = pattern(static_cast<std::size_t>(k) * n, 2);
    std::vector<float> c(static_cast<std::size_t>(m) * n);
    cblas_sgemm(CblasRowMajor, transA ? CblasTrans : CblasNoTrans,
                transB ? CblasTrans : CblasNoTrans, m, n, k, 1, a.data(), transA ? m : k, b.data(),
                transB ? k : n, 0, c.data(), n);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int l = 0; l < k; ++l)
                sum += double(a[static_cast<std::size_t>(transA ? l * m + i : i * k + l)]) *
                       b[static_cast<std::size_t>(transB ? j * k + l : l * n + j)];
            if (!(std::abs(sum - c[static_cast<std::size_t>(i) * n + j]) < 1e-4))
                return false;
        }
    }
    return true;
}

bool kernelIsRight()
{
    constexpr std::array<std::array<int, 3>, 6> shapes{
        {{1, 1, 1}, {3, 17, 5}, {33, 7, 129}, {16, 48, 64}, {65, 131, 67}, {127, 96, 255}}};
    return std::all_of(shapes.begin(), shapes.end(), [](const auto& shape) {
        for (const bool transA : {false, true})
            for (const bool transB : {false, true})
                if (!isRight(shape[0], shape[1], shape[2], transA, transB))
                    return false;
        return true;
    });
}

bool isSet(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

/// If it fails the program simply goes on with the kernel it has.
void startAnew(char** argv)
{
    execv("/proc/self/exe", argv);
}

} // namespace

std::string betterBlasKernel(const std::string& detected, const char* preset, bool avx512,
                             bool avx2)
{
    if (preset != nullptr && *preset != '\0')
        return {};
    if (std::find(modernKernels.begin(), modernKernels.end(), detected) != modernKernels.end())
        return {};
    if (avx512)
        return "SkylakeX";
    return avx2 ? "Haswell" : "";
}

void chooseBlasKernel(char** argv)
{
    if (isSet(detectedMark)) {
        if (!isSet(rejectedMark) && isSet(coreType) && !kernelIsRight()) {
            unsetenv(coreType);
            setenv(rejectedMark, "1", 1);
            startAnew(argv);
        }
        return;
    }
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const std::string detected = openblas_get_corename();
    const std::string better = betterBlasKernel(detected, std::getenv(coreType), avx512, avx2);
    if (better.empty())
        return;
    setenv(detectedMark, detected.c_str(), 1);
    setenv(coreType, better.c_str(), 1);
    startAnew(argv);
}

std::string detectedBlasKernel()
{
    return isSet(detectedMark) && !isSet(rejectedMark) ? std::getenv(detectedMark) : "";
}

} // namespace triaxis::kernels
