#pragma once

#include "engine/schedule/generators.h"

#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// Seconds that one stage's whole share of the layers takes for one microbatch.
struct ShareTimes
{
    double forward = 1;                                ///< F
    double input = 1;                                  ///< I, backward for the input
    double weight = 1;                                 ///< W, backward for the weights
    double backward() const { return input + weight; } ///< B, the full backward
};

/// What a schedule idles and keeps alive, known without playing it: all stages alike, transfers
/// free, an overlapped forward and backward as long as both one after the other. Tables are empty
/// where no closed form is known for the request.
struct ClosedForm
{
    std::vector<double> idle; ///< [P] seconds in a step that begins and ends on all stages together
    std::vector<double>
        idleOwn; ///< [P] seconds within the stage's own window, first begin to last end
    std::vector<double> peakLive; ///< [P] activations alive at most, in units of one stage's whole
                                  ///< share of one microbatch
    double work = 0;              ///< seconds that each stage computes: M · (F + B)
    std::string idleText; ///< "(P − 1)(F + B)"; where there is none, why: "no closed form: …"

    /// Mean over the stages of the idle seconds over the time that an ideal pipeline takes; empty
    /// without a closed form.
    std::optional<double> idleOverIdeal() const;
    /// The same over the makespan: the share of the step in which a stage idles.
    std::optional<double> idleOverMakespan() const;
    std::optional<double> ownIdleOverIdeal() const;
    std::optional<double> ownIdleOverMakespan() const; ///< over the own window
};

/// Closed forms by schedule, in F, I, W, B = I + W of one stage's share, for stage r of P, M microbatches, V virtual stages a stage, groups
/// of N: idle in the whole step; where it holds; idle in the own window, where it is known; alive at most.
/// - gpipe: (P−1)(F+B); always; own (P−1−r)(F+B); alive M.
/// - 1f1b: (P−1)(F+B); always; own (P−1−r)(F+B); alive min(P−r, M).
/// - interleaved: (P−1)(F+B)/V; M mod N = 0 or ≥ P; own (P−1−r)(F+B)/V; alive (2(P−1−r)+(V−1)N+1)/V, at most M.
/// - looped-bfs: (P−1)(F+B)/V; M ≥ P; own (P−1−r)(F+B)/V; alive M.
/// - zb-h1: (P−1)(F+I−W); M ≥ P and W ≤ I; alive P.
/// - zb-h2: (P−1)F; M ≥ 2P−1 and F = I = W; own 0; alive 2P−1.
/// - zb-v: (P−1) max(I/2, I−W); M ≥ 2P−1 and I ≥ F ≥ W; own 0 if F = I = W; alive P.
/// - chimera: (P−2)F for B = F, (P−2)(1+M/P)F for B = 2F; P even and M mod P = 0.
/// - dualpipe: (P/2−1)(F+2B−3W); P and M even, M ≥ 2P and F = I = W; alive P+1.
/// - dualpipe-v: (P−1)(F+2B−3W)/2; M ≥ 2P and F = I = W; alive P+1/2.
///
/// Never throws for a schedule or a shape that has none; throws Error for an unknown schedule only.
ClosedForm closedForm(const ScheduleRequest& request, const ShareTimes& times = {});

} // namespace triaxis
