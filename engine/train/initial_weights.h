#pragma once

#include "engine/train/parameter_store.h"

#include <cstdint>
#include <filesystem>

namespace triaxis::train
{

/// Fills the store's values with random numbers keyed by seed, tensor name and global element
/// index: every layout starts from the same model, and both copies of a tied embedding are equal.
void randomWeights(Compute& compute, ParameterStore& store, std::uint64_t seed);

/// Fills the store's values from a model.safetensors; reads only what this rank holds. Throws Error
/// for a tensor that is missing or has another shape.
void loadWeights(Compute& compute, ParameterStore& store, const std::filesystem::path& file);

} // namespace triaxis::train
