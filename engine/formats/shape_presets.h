#pragma once

#include "engine/cost/training_job.h"

#include <string>
#include <vector>

namespace triaxis
{

/// A model that can be predicted, not trained.
struct ShapePreset
{
    std::string name;   ///< "mixtral-8x7b": on command lines and in files
    std::string title;  ///< "Mixtral 8x7B"
    std::string source; ///< where its sizes were read
    ModelShape shape;
};

/// Presets of resources/model_shapes.json, in the order of the file.
const std::vector<ShapePreset>& shapePresets();

} // namespace triaxis
