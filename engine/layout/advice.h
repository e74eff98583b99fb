#pragma once

#include "engine/layout/layout.h"

namespace triaxis
{

/// What a layout without errors could do better: warnings and notes about the bubble, the layer
/// split and the tensor-parallel size. Part of checkLayout.
std::vector<Diagnostic> adviceFor(const Layout& layout, const ModelSpec& model,
                                  const BatchShape& batch);

} // namespace triaxis
