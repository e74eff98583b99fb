#pragma once

#include "engine/record/run_directory.h"

#include <string>
#include <vector>

namespace triaxis
{

/// One tensor's gradient in two layouts of the same model, data and seed.
struct TensorParity
{
    std::string name;
    double error = 0;      ///< ‖a − b‖ / ‖b‖ (Frobenius), b the reference
    double bound = 0;      ///< what float32 rounding explains
    double shuffled = 0;   ///< the same error against b rolled by one element: shows that the comparison can fail
    bool within() const { return error <= bound; }
};

struct LossParity
{
    int step = 0;
    double loss = 0, referenceLoss = 0;
    double norm = 0, referenceNorm = 0;
    double lossError = 0, normError = 0; ///< relative
    double lossBound = 0, normBound = 0;
    bool within() const { return lossError <= lossBound && normError <= normBound; }
};

struct ParityReport
{
    std::vector<LossParity> losses;
    std::vector<TensorParity> tensors;
    bool within() const;
};

/// Compares the step results of two finished runs, and gradients-1.safetensors of both: after the first update Adam turns
/// rounding noise in near-zero gradients into full-sized steps, so that only the first step's gradients compare sharply.
///
/// Bound of a gradient in layer l of L (1 … L; embedding 0, final norm and head L+1): 4·1.03^(L+1−l)·ε·r with ε = 2⁻²³ and r = √(tokens of the
/// global batch), since so many summands are added in another order (the form of arXiv 2506.09280, theorem 5.3).
/// A tensor whose true gradient is zero (key biases) is measured against 10⁻³ of the mean gradient of as many elements.
/// Losses: 10⁻⁵ relative; norms: 10⁻⁴ relative.
ParityReport compareRuns(const RunDirectory& run, const RunDirectory& reference);

} // namespace triaxis
