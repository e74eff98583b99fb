#include "engine/core/error.h"
#include "engine/record/run_plan.h"
#include "engine/schedule/generators.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr std::int64_t bytesAndEnd = 257;

void refuse(std::vector<Diagnostic>& to, std::string what, std::string where, std::string why,
            std::string mend)
{
    to.push_back(
        {Severity::Error, std::move(what), std::move(where), std::move(why), std::move(mend)});
}

std::string number(double value)
{
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (!text.empty() && text.back() == '.')
        text.pop_back();
    return text;
}

std::string listOf(const std::vector<std::string>& names)
{
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
        list += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    return list;
}

/// A generator is asked only for programs of a size that people run; larger ones would keep the
/// window waiting.
void checkSchedule(std::vector<Diagnostic>& to, const RunPlan& plan)
{
    const std::vector<std::string> known = scheduleNames();
    const std::string& name = plan.training.schedule;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
        refuse(to, "there is no schedule \"" + name + "\"", "training.schedule",
               "the schedule says in which order a stage works on microbatches",
               "use " + listOf(known));
        return;
    }
    constexpr std::int64_t largestProgram = 8 << 20;
    const int microbatches = plan.training.batch.microbatches(plan.layout.dp);
    const std::int64_t steps =
        std::int64_t(microbatches) * plan.layout.pp * plan.layout.virtualStages;
    if (microbatches > (1 << 20) || steps > largestProgram) {
        refuse(to,
               std::to_string(microbatches) + " microbatches a step are more than a program holds",
               "training.microbatch",
               "a step's program has an instruction for every microbatch, stage and chunk",
               "use larger microbatches or a smaller global batch");
        return;
    }
    try {
        // An order that somebody wrote is proven here, before ranks start; the named ones are
        // sound.
        if (plan.training.scheduleCsv.empty())
            generate(scheduleRequest(plan));
        else
            programOf(plan);
    } catch (const Error& error) {
        refuse(to, error.object(), "training.schedule", error.tried(), error.remedy());
    }
}

void checkNumber(std::vector<Diagnostic>& to, bool right, double value, const char* what,
                 const char* where, const char* why, const char* mend)
{
    if (!right)
        refuse(to, std::string(what) + " is " + number(value), where, why, mend);
}

void checkTraining(std::vector<Diagnostic>& to, const TrainingPlan& training)
{
    const auto notNegative = [](double value) { return std::isfinite(value) && value >= 0; };
    const auto share = [](double value) { return value >= 0 && value < 1; };
    checkNumber(to, training.steps >= 1 && training.steps <= 2'147'483'647, double(training.steps),
                "the number of steps", "training.steps", "a run has at least one step",
                "use 1 to 2147483647 steps");
    checkNumber(to, notNegative(training.learningRate), training.learningRate, "the learning rate",
                "training.learningRate", "weights move against the gradient",
                "use 0 or more, usually 1e-4 to 3e-3");
    checkNumber(to, share(training.beta1), training.beta1, "beta1", "training.beta1",
                "AdamW's averages decay by a factor below 1", "use 0.9");
    checkNumber(to, share(training.beta2), training.beta2, "beta2", "training.beta2",
                "AdamW's averages decay by a factor below 1", "use 0.95 or 0.999");
    checkNumber(to, std::isfinite(training.epsilon) && training.epsilon > 0, training.epsilon,
                "epsilon", "training.epsilon", "it keeps AdamW from dividing by zero", "use 1e-8");
    checkNumber(to, notNegative(training.weightDecay), training.weightDecay, "the weight decay",
                "training.weightDecay", "decay pulls weights towards zero",
                "use 0 or more, usually 0.1");
    checkNumber(to, notNegative(training.clipNorm), training.clipNorm, "the clipping norm",
                "training.clipNorm", "gradients are scaled down to this norm",
                "use 1, or 0 for no clipping");
    checkNumber(to, training.warmupSteps >= 0, double(training.warmupSteps), "the warm-up",
                "training.warmupSteps", "the learning rate rises over this many steps",
                "use 0 or more");
}

void checkExecution(std::vector<Diagnostic>& to, const ExecutionPlan& execution)
{
    const std::vector<std::string>& devices = rankDevices();
    if (std::find(devices.begin(), devices.end(), execution.device) == devices.end())
        refuse(to, "ranks cannot compute on \"" + execution.device + "\"", "execution.device",
               "a rank computes on the processor or on a GPU", "use " + listOf(devices));
    const std::vector<std::string>& precisions = rankPrecisions();
    if (std::find(precisions.begin(), precisions.end(), execution.precision) == precisions.end())
        refuse(to, "ranks cannot multiply in \"" + execution.precision + "\"",
               "execution.precision", "matrix products take their factors in it",
               "use " + listOf(precisions));
    else if (execution.device == "cpu" && execution.precision != "float32")
        refuse(to, "the processor does not multiply in " + execution.precision,
               "execution.precision", "only GPUs have units for it",
               "use float32, or compute on a GPU (cuda)");
    checkNumber(to, execution.threadsPerRank >= 0 && execution.threadsPerRank <= maximumThreads,
                execution.threadsPerRank, "the number of threads a rank",
                "execution.threadsPerRank", "0 shares the cores among the ranks",
                "use 0, or 1 to the number of cores");
    checkNumber(to, std::isfinite(execution.hangSeconds) && execution.hangSeconds > 0,
                execution.hangSeconds, "the hang limit", "execution.hangSeconds",
                "a run in which nothing moves for so long is ended", "use 60 seconds");
    checkNumber(to, execution.wholeSteps >= 0, execution.wholeSteps, "the number of whole steps",
                "execution.wholeSteps", "spans of the first and last steps are kept whole",
                "use 50");
    checkNumber(to, execution.everyStep >= 1, execution.everyStep, "the thinning of spans",
                "execution.everyStep", "every k-th step between is kept", "use 1 or more");
    for (const std::string& option : execution.mcaOptions) {
        const std::size_t equals = option.find('=');
        if (equals == std::string::npos || equals == 0)
            refuse(to, "the Open MPI setting \"" + option + "\" has no name and value",
                   "execution.mcaOptions", "settings are passed to mpirun by name",
                   "write name=value, for example btl=tcp,self");
    }
}

void checkFile(std::vector<Diagnostic>& to, const std::string& path, const std::string& what,
               const char* where, const char* why)
{
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (path.empty())
        refuse(to, what + " has no path", where, why, "choose a file");
    else if (!std::filesystem::exists(status))
        refuse(to, what + " " + path + " does not exist", where, why, "choose another file");
    else if (!std::filesystem::is_regular_file(status))
        refuse(to, what + " " + path + " is no regular file", where, why, "choose a file");
}

void checkData(std::vector<Diagnostic>& to, const RunPlan& plan)
{
    constexpr const char* why = "the tokens of the run come from it";
    switch (plan.data.kind) {
    case DataKind::Text:
        checkFile(to, plan.data.path, "the text file", "data.path", why);
        if (plan.model.vocabulary < bytesAndEnd)
            refuse(to,
                   "the model's vocabulary of " + std::to_string(plan.model.vocabulary) +
                       " is too small for text",
                   "model", "text is read as 256 bytes and an end-of-text token",
                   "choose a model with a vocabulary of 257 or more, or synthetic data");
        break;
    case DataKind::Batches:
        checkFile(to, plan.data.path, "the file of batches", "data.path", why);
        break;
    case DataKind::Synthetic:
        break;
    }
}

} // namespace

std::vector<Diagnostic> checkPlan(const RunPlan& plan)
{
    std::vector<Diagnostic> findings = checkLayout(plan.layout, plan.model, plan.training.batch);
    if (!hasErrors(findings))
        checkSchedule(findings, plan);
    checkTraining(findings, plan.training);
    checkData(findings, plan);
    if (!plan.weights.empty())
        checkFile(findings, plan.weights, "the weights file", "weights",
                  "the run starts from these weights");
    if (!plan.execution.hostfile.empty())
        checkFile(findings, plan.execution.hostfile, "the hostfile", "execution.hostfile",
                  "it names the machines of the run");
    checkExecution(findings, plan.execution);
    if (!hasErrors(findings)) {
        const std::vector<Diagnostic> pace = checkPace(plan.execution.pace, plan.layout);
        findings.insert(findings.end(), pace.begin(), pace.end());
    }
    return findings;
}

} // namespace triaxis
