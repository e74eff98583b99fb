#include "engine/timeline/span.h"

namespace triaxis
{

const char* toText(MemoryCategory category)
{
    switch (category) {
    case MemoryCategory::Weights:
        return "weights";
    case MemoryCategory::Gradients:
        return "gradients";
    case MemoryCategory::Optimizer:
        return "optimizer";
    case MemoryCategory::Activations:
        return "activations";
    case MemoryCategory::Communication:
        return "communication";
    case MemoryCategory::Workspace:
        return "workspace";
    }
    return "";
}

} // namespace triaxis
