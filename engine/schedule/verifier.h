#pragma once

#include "engine/schedule/program.h"

#include <optional>
#include <string>
#include <vector>

namespace triaxis
{

/// Why a program is refused.
struct Refusal
{
    Stage stage;
    int position = 0;      ///< index into the stage's instructions
    InstructionId id;
    std::string reason;    ///< "waits for a gradient that stage 2 never sends"
};

struct Verdict
{
    std::optional<Refusal> refusal;      ///< empty: the program is sound
    std::vector<int> peakLive;           ///< [P] most microbatch-chunks whose activations live at once
    bool accepted() const { return !refusal.has_value(); }
};

/// Proves of a program, or refuses it at the first instruction that breaks a rule:
/// - every chunk runs every microbatch of its replica forward once and backward once (full, or input then weight), in that order;
/// - ids are unique on a stage; peers, lanes, counterparts and waits name things that exist and come earlier;
/// - what a compute instruction consumes has been waited for, what a send carries has been computed;
/// - on each channel (ordered pair of stages) sends and receives pair in order, with the same tensor and bytes;
/// - every transfer and collective is waited for before the step ends, gradients are reduced after the last backward that
///   adds to them, the optimizer runs last and once, collectives come in the same order on all stages they join;
/// - the whole does not deadlock under rendezvous sends (lanes in order, issue semantics of StageProgram).
Verdict verify(const Program& program);

} // namespace triaxis
