#include "engine/record/demo_plan.h"

#include "engine/formats/hf_config.h"

#include <filesystem>

namespace triaxis
{

RunPlan demoPlan()
{
    RunPlan plan;
    plan.label = "demonstration";
    plan.model = modelPreset("gpt2-1m");
    plan.layout.dp = plan.layout.tp = plan.layout.pp = 2;
    plan.training.steps = 300;
    plan.training.batch = {8, 1, 128};
    plan.training.learningRate = 3e-3;
    plan.training.warmupSteps = 20;
    const char* text = "/usr/share/common-licenses/GPL-3";
    std::error_code ignored;
    if (std::filesystem::exists(text, ignored)) {
        plan.data.kind = DataKind::Text;
        plan.data.path = text;
    }
    return plan;
}

} // namespace triaxis
