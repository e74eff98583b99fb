#pragma once

#include "engine/cluster/device.h"

namespace triaxis
{

/// Seconds of one matrix product [m, k] · [k, n] → [m, n] on a device: the slower of its arithmetic
/// (tiles and waves over the compute units, depth) and its memory traffic. No launch time. Sizes
/// may be fractions (shares of a rank) and anything from 1 to 1e9. Finite, and never shorter for a
/// larger size or a slower device.
double gemmSeconds(const DeviceSpec& device, double m, double n, double k, NumberFormat format);

/// Seconds of fused attention (FlashAttention-2 and its kin) of `heads` batch · head pairs over
/// `sequence` queries and keys of `headSize`. Causal: half of the scores. Backward: five products
/// instead of two.
double attentionSeconds(const DeviceSpec& device, double heads, double sequence, double headSize,
                        bool causal, bool backward, NumberFormat format);

/// Bytes of one element of a format.
double bytesOf(NumberFormat format);

} // namespace triaxis
