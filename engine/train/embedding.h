#pragma once

#include "engine/train/compute.h"

namespace triaxis::train
{

/// Token embedding, split over the tensor ranks by vocabulary entry, and GPT-2's learned positions.
struct EmbeddingLayer
{
    Parameter table;     ///< [entries, C]
    Parameter positions; ///< [positions, C], whole on every tensor rank; absent in Llama
    std::int64_t firstEntry = 0;
    std::int64_t entries = 0; ///< of this rank
    std::int64_t width = 0;   ///< C
};

/// x [rows, C] of the tokens [rows].
kernels::Buffer embeddingForward(Compute& compute, const EmbeddingLayer& layer,
                                 const MicrobatchShape& shape, const std::int32_t* tokens);
void embeddingBackward(Compute& compute, const EmbeddingLayer& layer, const MicrobatchShape& shape,
                       const float* dX, const std::int32_t* tokens);

} // namespace triaxis::train
