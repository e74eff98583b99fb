#pragma once

#include "engine/train/rank_state.h"

#include <filesystem>

namespace triaxis::train
{

/// Collective over all ranks: writes one tensor for every parameter of the model, with its Hugging
/// Face name, as safetensors: the ranks of the first replica send their shards to rank 0, tensor by
/// tensor. `data`: the rank's buffer in the order of its store (values or gradients). Throws Error
/// on a full disk.
void exportTensors(RankState& state, const float* data, const std::filesystem::path& file);

} // namespace triaxis::train
