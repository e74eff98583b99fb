#pragma once

#include "engine/schedule/verifier_index.h"

#include <optional>

namespace triaxis
{

/// The verifier's rules, in the order in which they are checked: a later one may rely on all before
/// it. Each returns the first instruction that breaks it, by stage and position, or nothing.

/// Tables of the right size; every virtual stage of every replica held once; layers without gap or
/// overlap.
std::optional<Refusal> checkProgramShape(const Program& program);

/// Each instruction by itself: known kind, chunk and microbatch that exist, unique id, the lane of
/// its kind and peer, a counterpart that is the neighbouring chunk's, a wait for something that
/// stands earlier, a sound fused group.
std::optional<Refusal> checkInstructions(const ProgramIndex& index);

/// Every microbatch runs forward, then backward, once on each chunk of one replica; what a step
/// consumes has been waited for, what a send carries has been computed, and everything that was
/// enqueued is waited for.
std::optional<Refusal> checkOrder(const ProgramIndex& index);

/// Sends and receives of each ordered pair of stages pair one by one, with the same tensor and
/// bytes.
std::optional<Refusal> checkChannels(const ProgramIndex& index);

/// Gradient reductions after the last backward that adds to them, norm after all reductions, one
/// optimizer step after the norm with nothing but the loss behind it; collectives on all stages
/// that they join, in one order.
std::optional<Refusal> checkTail(const ProgramIndex& index);

/// Plays the program under rendezvous sends with in-order lanes; refuses at an instruction of a
/// cycle of stages that wait for each other. Which stage goes first does not matter: lanes and
/// issue orders leave no choice that could change what completes.
std::optional<Refusal> checkProgress(const ProgramIndex& index);

} // namespace triaxis
