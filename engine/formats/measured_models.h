#pragma once

#include "engine/formats/measured_table.h"

namespace triaxis
{

/// A model by a name as tables print it ("LLAMA3.1_405B", "GPT 5B"): resources/models_measured.json
/// and the presets of resources/models. What the entry notes goes into the assumptions of `run`.
/// Throws RowProblem for a name that is not known, or for a model that cannot be priced.
ModelShape measuredModel(const std::string& name, MeasuredCase& run);

/// A model of a family ("megatron") by its printed size, within 2%.
ModelShape measuredModelOfSize(const std::string& family, double billions, MeasuredCase& run);

} // namespace triaxis
