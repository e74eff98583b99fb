#include "tests/gpu/gpu_check.h"

#include "engine/core/error.h"
#include "engine/data/token_source.h"
#include "engine/formats/hf_config.h"
#include "engine/record/run_directory.h"
#include "engine/train/train.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace triaxis::gpu_check
{

namespace
{

namespace fs = std::filesystem;

RunPlan referencePlan(const fs::path& folder, const Request& request)
{
    RunPlan plan;
    plan.model = readModel(folder);
    plan.weights = (folder / "model.safetensors").string();
    applyBatchFile(folder / "run.json", plan);
    plan.data.kind = DataKind::Batches;
    plan.data.path = (folder / "run.json").string();
    plan.layout.dp = request.layout[0] - '0';
    plan.layout.tp = request.layout[1] - '0';
    plan.layout.pp = request.layout[2] - '0';
    plan.training.batch.microbatch = 1;
    plan.training.steps = std::min(plan.training.steps, std::int64_t(request.steps));
    return plan;
}

/// 1.2 billion parameters: the shape of Llama 3.2 1B.
ModelSpec llama1b()
{
    ModelSpec model = modelPreset("llama3-8b");
    model.name = "llama-1b";
    model.hidden = 2048;
    model.layers = 16;
    model.heads = 32;
    model.kvHeads = 8;
    model.headSize = 64;
    model.feedForward = 8192;
    model.tiedHead = true;
    return model;
}

/// A run of its own in a folder that is gone afterwards, of which rank 0 tells the others.
class TrialRun
{
public:
    TrialRun(const RunPlan& plan, kernels::World& world) : m_world(world)
    {
        char path[512] = {};
        if (world.rank() == 0) {
            std::snprintf(path, sizeof path, "%s/gpu-check-XXXXXX",
                          fs::temp_directory_path().c_str());
            if (!mkdtemp(path))
                throw Error("cannot make a folder", path);
            m_home = path;
            std::snprintf(path, sizeof path, "%s",
                          RunDirectory::create(m_home, plan, {}).path().c_str());
        }
        world.broadcast(path, sizeof path, 0);
        m_run = path;
    }
    ~TrialRun()
    {
        std::error_code error;
        if (!m_home.empty())
            fs::remove_all(m_home, error);
    }

    /// Results of the steps, on rank 0.
    std::vector<StepResult> train(const Request& request)
    {
        const RunDirectory run = RunDirectory::open(m_run);
        const Rank rank(m_world.rank());
        RankStatusWriter status(run.statusFile(rank), int(getpid()));
        RecordWriter records(run.recordFile(rank));
        kernels::GpuOptions options;
        options.kind = request.kind;
        options.precision = request.precision;
        options.transport = kernels::GpuTransport::Host;
        const kernels::GpuRank gpu = kernels::makeGpuRank(options, m_world);
        RankContext context{*gpu.device, *gpu.world, records, status, run.path()};
        trainRank(run.plan(), context);
        m_world.barrier();
        return m_world.rank() == 0 ? RecordReader(run.recordFile(rank)).poll(true).steps
                                   : std::vector<StepResult>();
    }

private:
    kernels::World& m_world;
    fs::path m_home; ///< rank 0
    fs::path m_run;
};

} // namespace

int golden(const Request& request, kernels::World& world)
{
    const fs::path folder = fs::absolute(request.what);
    const auto steps = TrialRun(referencePlan(folder, request), world).train(request);
    if (world.rank() != 0)
        return 0;
    std::ifstream in(folder / "run.json");
    const auto expected = nlohmann::json::parse(in).at("expected");
    double loss = 0, norm = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto off = [&](double value, const char* name) {
            const double reference = expected.at(i).at(name);
            return std::abs(value - reference) / reference;
        };
        loss = std::max(loss, off(steps[i].loss, "loss"));
        norm = std::max(norm, off(steps[i].gradientNorm, "grad_norm"));
    }
    const bool good = !steps.empty() && loss < 1e-5 && norm < 1e-4;
    std::printf("%s %s: %zu steps, loss off by %.1e, gradient norm by %.1e%s\n",
                folder.filename().c_str(), request.layout.c_str(), steps.size(), loss, norm,
                good ? "" : ", which is too much");
    return good ? 0 : 1;
}

int stepFigures(const Request& request, kernels::World& world)
{
    RunPlan plan;
    plan.model = request.what == "llama-1b" ? llama1b() : modelPreset(request.what);
    const int sequence = int(std::min<std::int64_t>(1024, plan.model.positions));
    const int sequences = request.what == "gpt2" ? 8 : 4;
    plan.training.batch = {sequences, sequences, sequence};
    plan.training.steps = request.steps;
    const auto steps = TrialRun(plan, world).train(request);
    double best = 1e30; // the first step also allocates
    for (std::size_t i = steps.size() > 1 ? 1 : 0; i < steps.size(); ++i)
        best = std::min(best, steps[i].seconds);
    const std::int64_t tokens = std::int64_t(sequences) * sequence;
    const double flops = trainingFlopsPerToken(plan.model, sequence) * double(tokens);
    const nlohmann::ordered_json line{{"what", "step " + request.what},
                                      {"seconds", best},
                                      {"rate", flops / best * 1e-12},
                                      {"unit", "TFLOP/s"}};
    std::printf("%s\n", line.dump().c_str());
    return 0;
}

} // namespace triaxis::gpu_check
