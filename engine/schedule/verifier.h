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
    int position = 0;      ///< index into the stage's instructions; their number where one is missing
    InstructionId id;
    std::string reason;    ///< "waits for a gradient that stage 2 never sends"
};

struct Verdict
{
    std::optional<Refusal> refusal;      ///< empty: the program is sound
    std::vector<int> peakLive;           ///< [P] most microbatch-chunks whose activations live at once
    bool accepted() const { return !refusal.has_value(); }
};

/// Proves of a program, or refuses it at the first instruction that breaks a rule. Rules are checked in this order, each over all
/// stages and positions before the next; 10,000 instructions take about 2 ms:
/// - every virtual stage of every replica is held once, layers have no gap and no overlap;
/// - ids are unique on a stage; peers, lanes, counterparts and waits name things that exist and come earlier; transfers with one
///   `fuse` number stand together and have one peer; those with one `pair` number are a forward and a full backward side by side;
/// - every chunk runs every microbatch of its replica forward once and backward once (full, or input then weight), in that order
///   (a microbatch belongs to one replica); what a compute instruction consumes has been waited for, what a send carries has
///   been computed, and every transfer and collective is waited for before the step ends;
/// - on each channel (ordered pair of stages) sends and receives pair in order, with the same tensor and bytes;
/// - gradients are reduced after the last backward that adds to them and before the norm, the optimizer runs once, after the norm, with
///   only the loss and waits behind it; collectives are on all stages they join, in the same order;
///   twins of the weights sum their gradients;
/// - the whole does not deadlock under rendezvous sends (lanes in order, issue semantics of StageProgram).
Verdict verify(const Program& program);

} // namespace triaxis
