#include "kernels/cpu/blas.h"

#include "kernels/blas_choice.h"
#include "kernels/error.h"

#include <cblas.h>
#include <cstdlib>
#include <limits>
#include <sstream>

namespace triaxis::kernels::cpu
{

namespace
{

blasint blasSize(std::int64_t size)
{
    return static_cast<blasint>(size);
}

CBLAS_TRANSPOSE blasTranspose(Transpose transpose)
{
    return transpose == Transpose::Yes ? CblasTrans : CblasNoTrans;
}

} // namespace

std::string blasName()
{
    std::istringstream configuration(openblas_get_config());
    std::string library, version;
    configuration >> library >> version;
    std::string name = library + ' ' + version + ", kernel " + openblas_get_corename();
    if (const std::string detected = detectedBlasKernel(); !detected.empty())
        name += " (chosen for this processor; the library detects " + detected + ")";
    else if (std::getenv("OPENBLAS_CORETYPE"))
        name += " (set by OPENBLAS_CORETYPE)";
    return name;
}

void setBlasToCallersThread()
{
    openblas_set_num_threads(1);
}

void checkSizes(const Gemm& g)
{
    for (const std::int64_t size : {g.m, g.n, g.k, g.lda, g.ldb, g.ldc})
        if (size < 0 || size > std::numeric_limits<blasint>::max())
            throw DeviceError("cannot multiply matrices with a size of " + std::to_string(size) +
                              ": the BLAS library counts in 32 bits");
}

void multiply(const Gemm& g)
{
    cblas_sgemm(CblasRowMajor, blasTranspose(g.transA), blasTranspose(g.transB), blasSize(g.m),
                blasSize(g.n), blasSize(g.k), g.alpha, g.a, blasSize(g.lda), g.b, blasSize(g.ldb),
                g.beta, g.c, blasSize(g.ldc));
}

} // namespace triaxis::kernels::cpu
