#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace triaxis
{

/// The software that runs a job: a handful of constants for each generation of a framework, none
/// for a model, row or paper. The presets are resources/profiles.json, with their sources; what
/// could not be read was fitted on a part of the published tables.
struct SoftwareProfile
{
    std::string name;  ///< "megatron-core-2024"
    std::string title; ///< "Megatron Core r0.8, 2024"
    std::string source;
    std::string fit; ///< how the constants that could not be read were found, and how well they do
                     ///< on rows that were not used; empty: not fitted

    // compute
    double layerFloor = 0;    ///< seconds: least time of one layer's forward for one microbatch
                              ///< (kernel launches, host work)
    double backwardFloor = 0; ///< seconds: the same of its backward
    double floorJitter = 0; ///< growth of both floors with each doubling of the tensor group, whose
                            ///< ranks wait for the slowest
    /// Growth of both floors where the fused softmax kernel cannot be used: it works on four [s, s]
    /// score matrices at a time, so microbatch · heads / tp must be a multiple of 4. 1: no such
    /// kernel.
    double unfusedFloor = 1;
    double gemmEfficiency =
        1; ///< rate of matrix products over what a tuned library reaches on the device
    double attentionEfficiency = 1; ///< rate of the fused attention kernel over the model's
    double fp8Efficiency =
        0.8; ///< rate of FP8 products over what the FP8 peak would give: scaling, transposes
    double fp4Efficiency = 0.8;  ///< the same of FP4
    double expertEfficiency = 1; ///< rate of the products of routed experts over the same products
                                 ///< by themselves: uneven routing, padding, many small groups
    bool fusedAttention = true;  ///< no [s, s] scores in memory
    double scoreBytes =
        12; ///< bytes moved for one attention score in forward where attention is not fused
    bool dropout = false; ///< masks are kept
    double elementwiseFactor =
        1;                 ///< bytes moved by norms, activations, residuals over the fused ideal
    double lossBytes = 20; ///< bytes moved for one logit in the cross-entropy, forward and backward
    double accumulationBytes =
        0; ///< bytes moved for one weight in adding a microbatch's gradient outside the product

    // communication
    double tensorOverlap = 0; ///< share of tensor-parallel communication that products hide
    double dataOverlap = 0;   ///< share of the gradient reduction and of parameter gathers that may
                              ///< hide behind compute
    double pipelineOverlap =
        1; ///< share of a transfer between stages during which the stage computes
    bool scattersTransfers =
        true; ///< each tensor rank sends its part of the activation, gathered behind
    double contextOverlap = 0;  ///< share of the exchange of keys and values that attention hides
    double expertOverlap = 0;   ///< share of the all-to-all of experts that compute hides
    double linkEfficiency = 1;  ///< share of the collective model's rate that the framework reaches
    double bf16BufferBytes = 0; ///< bytes a parameter of a float32 gradient buffer beside the
                                ///< reduced one, kept in bf16 only
    double gradientBytes = 4;   ///< bytes of one gradient in the buffer that is reduced

    // the step
    double stepOverhead = 0; ///< seconds a step: data, logging, optimizer launches
    double optimizerBytes =
        12; ///< bytes of optimizer state a parameter: float32 master, two moments
    double optimizerTraffic = 30; ///< bytes moved a parameter in the update
    bool stepBarrier = true; ///< all stages end a step together; false: the optimizer validates
                             ///< later (Qi et al. 2023)

    // memory
    double allocatorFactor = 1; ///< reserved over allocated memory: fragmentation
    double fixedBytes = 0;      ///< context, libraries, communicator buffers

    double expectedError =
        0.1; ///< mean absolute relative error of a prediction on rows it was not fitted on
};

/// The presets.
const std::vector<SoftwareProfile>& softwareProfiles();
/// Throws Error that lists the names.
const SoftwareProfile& softwareProfile(const std::string& name);
/// Reads {"profiles": [{"name": …, constants …}]}: constants by the names of the fields, those not
/// given as in `base` where it has the same name, else as declared. Throws Error that names profile
/// and field: unknown, not a number, out of range.
std::vector<SoftwareProfile> parseProfiles(std::string_view json,
                                           const std::vector<SoftwareProfile>& base = {});

} // namespace triaxis
