#pragma once

#include "engine/schedule/program.h"

#include <string>
#include <vector>

namespace triaxis
{

/// All forwards, then all backwards (Huang et al., GPipe, 2019). Any P ≥ 1, M ≥ 1. Peak live: M everywhere.
ComputeProgram gpipe(int stages, int microbatches);

/// Warm-up of min(P−1−r, M) forwards, then one forward and one backward in turn, then the remaining backwards
/// (PipeDream-flush; Narayanan et al., 2021). Any P, M. Peak live on stage r: min(P−r, M).
ComputeProgram oneForwardOneBackward(int stages, int microbatches);

/// Names that `generate` takes, in the order in which people should see them.
std::vector<std::string> scheduleNames();

/// The schedule by name. Throws Error for an unknown name or a shape the schedule does not allow.
ComputeProgram generate(const std::string& name, int stages, int microbatches, int chunks = 1);

/// Idle share of a stage's compute lane over the step, closed form with free transfers (F and B of one stage's
/// layers, seconds): (P−1)(F+B) / ((M+P−1)(F+B)) for GPipe and 1F1B. "Idle over makespan". Throws Error for a
/// schedule without a closed form.
double bubbleClosedForm(const std::string& schedule, int stages, int microbatches);

} // namespace triaxis
