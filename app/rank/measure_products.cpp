#include "app/rank/measurement.h"

namespace triaxis::rank
{
namespace
{

/// Products that take longer run at the rate of their largest measured part.
constexpr std::int64_t largestProduct = std::int64_t(3) << 27; ///< m·n·k

std::vector<std::int64_t> extentsOf(const MeasurementPace& pace)
{
    if (pace.coarse)
        return {32, 128, 512, 2048};
    return {16, 32, 64, 128, 256, 512, 1024, 2048};
}

/// Operands as the layers hand them over: a forward or a backward for the input finds its left side
/// in the caches and its weights outside; a weight's gradient adds up in memory.
double secondsOfProduct(Measurement& measurement, ProductForm form, std::int64_t m, std::int64_t n,
                        std::int64_t k)
{
    using kernels::Transpose;
    kernels::Gemm gemm;
    gemm.m = m;
    gemm.n = n;
    gemm.k = k;
    const bool left = form == ProductForm::LeftTransposed;
    const bool right = form == ProductForm::RightTransposed;
    gemm.transA = left ? Transpose::Yes : Transpose::No;
    gemm.transB = right ? Transpose::Yes : Transpose::No;
    gemm.lda = left ? m : k;
    gemm.ldb = right ? k : n;
    gemm.ldc = n;
    gemm.beta = left ? 1.0F : 0.0F;
    return measurement.secondsOf([&] {
        gemm.a = left ? measurement.cold(0, m * k) : measurement.warm(0, m * k);
        gemm.b = left ? measurement.warm(1, k * n) : measurement.cold(1, k * n);
        gemm.c = left ? measurement.cold(2, m * n) : measurement.warm(2, m * n);
        measurement.device().gemm(measurement.stream(), gemm);
    });
}

} // namespace

void measureProducts(Measurement& measurement)
{
    const std::vector<std::int64_t> extents = extentsOf(measurement.pace());
    const double all = 3.0 * double(extents.size()) * double(extents.size());
    double done = 0;
    for (const ProductForm form :
         {ProductForm::Plain, ProductForm::RightTransposed, ProductForm::LeftTransposed})
        for (const std::int64_t m : extents)
            for (const std::int64_t n : extents) {
                measurement.tell("matrix products", 0.7 * done++ / all);
                for (const std::int64_t k : extents) {
                    if (m * n * k > largestProduct)
                        continue;
                    const double seconds = secondsOfProduct(measurement, form, m, n, k);
                    measurement.result().products.push_back(
                        {measurement.under(), form, m, n, k, seconds});
                }
            }
}

} // namespace triaxis::rank
