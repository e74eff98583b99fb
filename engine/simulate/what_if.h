#pragma once

#include "engine/cost/step_estimate.h"

#include <string>
#include <vector>

namespace triaxis
{

/// What a step would take if one thing were different.
struct WhatIf
{
    std::string what;    ///< "bandwidth of NVLink 3", "tensor-parallel size"
    std::string change;  ///< "+10 %", "8 → 16"
    std::string setting; ///< field path: "cluster.levels[0].bandwidth", "layout.tp"
    double seconds = 0;  ///< of the step; NaN where it cannot run
    double effect = 0;   ///< seconds over today's − 1; NaN where it cannot run
    double memory = 0;   ///< bytes of the fullest rank
    std::string refusal; ///< why it cannot run; empty if it can
};

struct WhatIfOptions
{
    double change = 0.1; ///< share by which rates and constants are varied, up and down; in (0, 1)
    bool machine = true; ///< links, memory and compute rates
    bool software = true;
    bool layout = true; ///< sizes doubled and halved, choices changed
};

/// The step time's sensitivity to every link's bandwidth and latency, the device's rates, the
/// software's constants, and the numbers and choices of the layout (the number of devices stays;
/// the data-parallel size takes up what another gives or needs). What does not change the step at
/// all is left out; sorted by effect, largest first, refused ones last. Throws Error for a plan
/// that breaks a rule.
std::vector<WhatIf> whatIf(const TrainingJob& job, const ParallelPlan& plan,
                           const WhatIfOptions& options = {});

} // namespace triaxis
