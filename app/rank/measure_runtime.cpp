#include "app/rank/measurement.h"
#include "engine/core/error.h"
#include "engine/data/token_source.h"
#include "engine/formats/hf_config.h"
#include "engine/record/records.h"
#include "engine/train/step_recorder.h"

#include <fstream>
#include <unistd.h>

namespace triaxis::rank
{
namespace
{

namespace fs = std::filesystem;

/// A folder that goes with the object.
class Scratch
{
public:
    Scratch()
    {
        std::string pattern = (fs::temp_directory_path() / "triaxis-calibrate-XXXXXX").string();
        if (!mkdtemp(pattern.data()))
            throw Error("cannot measure the recorder", pattern, "make room in the folder TMPDIR");
        m_path = pattern;
    }
    ~Scratch()
    {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

void measureTokens(Measurement& measurement, const fs::path& folder)
{
    constexpr std::int64_t tokens = 256;
    RunPlan plan;
    plan.model = modelPreset("gpt2-1m");
    plan.training.batch = {1, 1, int(tokens)};
    std::vector<std::int32_t> sample(std::size_t(tokens) + 1);
    for (const DataKind kind : {DataKind::Synthetic, DataKind::Text}) {
        plan.data = {};
        plan.data.kind = kind;
        if (kind == DataKind::Text) {
            const fs::path file = folder / "text";
            std::ofstream(file) << std::string(1 << 20, 'x');
            plan.data.path = file.string();
        }
        const auto source = makeTokenSource(plan);
        std::int64_t index = 0;
        const double seconds =
            measurement.secondsOf([&] { source->sample(index++ % 1000, sample.data()); });
        measurement.result().operations.push_back({measurement.under(),
                                                   kind == DataKind::Text
                                                       ? MachineOperation::TextTokens
                                                       : MachineOperation::SyntheticTokens,
                                                   tokens, seconds});
    }
}

void measureInstruction(Measurement& measurement, const fs::path& folder)
{
    constexpr std::int64_t instructions = 64;
    const Rank rank(measurement.world().rank());
    RecordWriter records(folder / "records");
    RankStatusWriter status(folder / "status", int(getpid()));
    train::StepRecorder recorder(records, status, rank, false);
    recorder.beginStep(1);
    Instruction instruction;
    instruction.id = InstructionId(Kind::Forward, Chunk(0), Microbatch(0));
    const double seconds = measurement.secondsOf([&] {
        for (int i = 0; i < instructions; ++i) {
            recorder.enter(instruction.id);
            const double begin = measurement.world().now();
            recorder.computed(instruction, begin, measurement.world().now(), {});
            measurement.world().progress();
        }
        records.endStep(false);
    });
    measurement.result().operations.push_back(
        {measurement.under(), MachineOperation::Instruction, instructions, seconds});
}

} // namespace

void measureRuntime(Measurement& measurement)
{
    measurement.tell("the runtime itself", 0.97);
    const Scratch scratch;
    measureTokens(measurement, scratch.path());
    measureInstruction(measurement, scratch.path());
}

} // namespace triaxis::rank
