#pragma once

#include "engine/train/parameter_store.h"

#include <cstdint>
#include <filesystem>

namespace triaxis::train
{

/// Fills the store's values with random numbers keyed by seed, tensor name and global element
/// index: every layout starts from the same model, and both copies of a tied embedding are equal.
void randomWeights(Compute& compute, ParameterStore& store, std::uint64_t seed);

/// Fills the store's values from a model.safetensors; reads only what this rank holds. The file
/// must fit the whole model: throws Error for a tensor that is missing, has another shape, or is
/// none of the model's (see checkWeights()).
void loadWeights(Compute& compute, ParameterStore& store, const ModelSpec& model,
                 const std::filesystem::path& file);

} // namespace triaxis::train
