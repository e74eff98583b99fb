#pragma once

#include "engine/formats/safetensors.h"
#include "engine/model/model.h"

namespace triaxis
{

/// Compares a weights file with a model before anything is loaded. Throws Error that names the
/// tensors: missing, of another shape or of a type that is no floating-point number, or unknown to
/// the model (its arithmetic would be another one). Mask buffers (attn.bias, attn.masked_bias,
/// rotary_emb.inv_freq) and the redundant lm_head.weight of a tied head are allowed.
void checkWeights(const SafetensorsFile& file, const ModelSpec& model);

} // namespace triaxis
