#pragma once

#include "engine/core/diagnostic.h"
#include "engine/core/json_fields.h"
#include "engine/layout/layout.h"
#include "engine/schedule/instruction.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace triaxis
{

/// What a message costs in a paced run: latency + bytes / bandwidth.
struct PacedLink
{
    double latency = 0;   ///< seconds
    double bandwidth = 0; ///< bytes per second; 0: unlimited
    double seconds(double bytes) const { return latency + (bandwidth > 0 ? bytes / bandwidth : 0); }
    bool operator==(const PacedLink&) const = default;
};

/// Slots of a paced run: each compute instruction takes its slot's time whatever the machine needs for the real work inside, and each
/// transfer and collective what the link would take. Real work and real messages happen all the same.
struct PacePlan
{
    /// Seconds of the forward (F), the backward for the input (I) and for the weights (W) of a microbatch: one entry, for a stage's
    /// whole share of the layers (a chunk takes 1/V of it), or one a virtual stage [P·V]. Empty: the run is not paced.
    std::vector<double> forward;
    std::vector<double> input;
    std::vector<double> weight;
    double optimizer = 0; ///< seconds of the optimizer step
    PacedLink pipeline;   ///< between neighbouring stages
    PacedLink tensor;     ///< of a tensor group's ring
    PacedLink data;       ///< of a data group's ring, and of the sums at the end of a step

    bool active() const { return !forward.empty(); }
    bool operator==(const PacePlan&) const = default;
};

/// Slot of a compute instruction on a virtual stage, seconds, without the tensor collectives inside. Other kinds: 0.
double slotSeconds(const PacePlan& pace, const Layout& layout, Kind kind, int virtualStage);

/// Seconds of a ring all-reduce of `bytes` over `members` ranks: 2(n−1) messages of bytes / n each (Thakur, Rabenseifner and Gropp, 2005).
double ringSeconds(const PacedLink& link, double bytes, int members);

/// Longest time for which a rank of a paced run may stand still on purpose: a slot, a transfer or a reduction of `bytes`.
double longestPause(const PacePlan& pace, const Layout& layout, double bytes);

nlohmann::json toJson(const PacePlan& pace);
PacePlan pacePlanFromJson(const JsonFields& fields);

/// Findings about slots that do not fit the layout, negative times and the like.
std::vector<Diagnostic> checkPace(const PacePlan& pace, const Layout& layout);

} // namespace triaxis
