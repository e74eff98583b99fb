#pragma once

#include "engine/cluster/device.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace triaxis
{

/// What the constants of a profile were fitted on and are known to hold for.
struct ProfileDomain
{
    std::string years;                ///< of the measurements: "2021", "2024 to 2025"
    std::vector<std::string> tables;  ///< published tables, by name
    std::vector<std::string> devices; ///< names of device presets
    std::vector<NumberFormat> formats;
    bool experts = false;        ///< mixtures of experts among them
    bool shardedWeights = false; ///< ZeRO 3 (FSDP full shard) among them
    int mostDevices = 0;         ///< of the largest job among them; 0: not told
    bool none() const { return tables.empty(); }
};

/// The software that runs a job: a handful of constants for each generation of a framework, none
/// for a model, row or paper. The presets are resources/profiles.json, with their sources; what
/// could not be read was fitted on a part of the published tables.
struct SoftwareProfile
{
    std::string name;  ///< "megatron-core-2024"
    std::string title; ///< "Megatron Core r0.8, 2024"
    std::string source;
    ProfileDomain domain;
    std::string fit; ///< how the constants that could not be read were found, and how well they do
                     ///< on rows that were not used; empty: not fitted

    // compute
    double layerFloor = 0;    ///< seconds: least time of one layer's forward for one microbatch
                              ///< (kernel launches, host work)
    double backwardFloor = 0; ///< seconds: the same of its backward
    double expertFloor = 0; ///< seconds: what the many small kernels of routing and experts add to
                            ///< the forward's floor, and twice to the backward's
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
        1;                    ///< bytes moved by norms, activations, residuals over the fused ideal
    double permuteFactor = 1; ///< bytes moved to sort tokens by expert and back over one read and
                              ///< one write each; on top of elementwiseFactor
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
    double contextOverlap = 0;   ///< share of the exchange of keys and values that attention hides
    double expertOverlap = 0;    ///< share of the all-to-all of experts that compute hides
    bool dispatchesOnce = false; ///< a token goes once to each node that has experts of it, and on
                                 ///< from there (DeepEP); else once to each expert
    /// Share of hidden transfers' time that the compute beside them loses: the units that move the
    /// data (20 of 132, DeepSeek-V3 report, section 3.2.2). Where a schedule overlaps a forward
    /// with a backward.
    double overlapCost = 0.15;
    double linkEfficiency = 1; ///< share of the collective model's rate that the framework reaches
    /// The same once more of gradient reductions over nodes that hold several members of a group:
    /// their rings enter and leave a node by different ports, and other groups' rings want the
    /// same.
    double dividedNodeRate = 1;
    double gatherRate =
        1; ///< the same once more of what ZeRO 3 gathers and scatters, layer by layer
    double ownerSeconds = 0;    ///< seconds that handing out the weights of one owner of optimizer
                                ///< state takes besides, owner after owner; 0: one gather for all
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
        0.1; ///< mean absolute relative error on rows of its domain that it was not fitted on
};

/// Of published tables that no constant was fitted on, the mean errors are 6 to 47%, 18% on
/// average: what a prediction outside of its profile's domain is expected to be wrong by, at least.
inline constexpr double errorOutsideDomain = 0.25;

/// The domain in one line for people: "fitted on A100 80 GB in fp16, 2021: megatron_sc21_table1".
std::string domainText(const SoftwareProfile& profile);

/// Every number of a profile by the name of its field; flags are 0 or 1.
std::vector<std::pair<std::string, double>> constantsOf(const SoftwareProfile& profile);

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
