#pragma once

// Included once by each level's source, after TRIAXIS_SIMD and TRIAXIS_SIMD_WIDTH are defined.

#include "kernels/cpu/simd/activations.h"
#include "kernels/cpu/simd/block_product.h"
#include "kernels/cpu/simd/elementwise.h"
#include "kernels/cpu/simd/kernel_table.h"
#include "kernels/cpu/simd/normalization.h"
#include "kernels/cpu/simd/optimizer.h"
#include "kernels/cpu/simd/softmax.h"

namespace triaxis::kernels::cpu::TRIAXIS_SIMD
{

inline constexpr KernelTable makeTable(const char* name)
{
    KernelTable table{};
    table.name = name;
    table.lanes = lanes;
    table.fill = fill;
    table.add = add;
    table.scale = scale;
    table.addBias = addBias;
    table.sumRows = sumRows;
    table.addResidual = addResidual;
    table.layerNormForward = layerNormForward;
    table.layerNormBackward = layerNormBackward;
    table.rmsNormForward = rmsNormForward;
    table.rmsNormBackward = rmsNormBackward;
    table.geluForward = geluForward;
    table.geluBackward = geluBackward;
    table.swigluForward = swigluForward;
    table.swigluBackward = swigluBackward;
    table.rotate = rotate;
    table.multiply = multiply;
    table.transpose = transpose;
    table.pack = pack;
    table.unpack = unpack;
    table.softmaxBlock = softmaxBlock;
    table.softmaxBackwardBlock = softmaxBackwardBlock;
    table.scaleRows = scaleRows;
    table.dot = dot;
    table.maximum = maximumOfRow;
    table.exponentials = exponentials;
    table.sumOfSquares = sumOfSquares;
    table.allFinite = allFinite;
    table.adamW = adamW;
    return table;
}

} // namespace triaxis::kernels::cpu::TRIAXIS_SIMD
