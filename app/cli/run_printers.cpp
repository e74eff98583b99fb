#include "app/cli/run_session.h"

#include "engine/core/units.h"
#include "engine/record/step_figures.h"

#include <chrono>
#include <cstdio>
#include <unistd.h>

namespace triaxis::cli
{
namespace
{

double tokensPerSecond(const StepResult& step)
{
    return step.seconds > 0 ? double(step.tokens) / step.seconds : 0;
}

std::string describe(const RunPlan& plan)
{
    const BatchShape& batch = plan.training.batch;
    std::string text = plan.model.name + " · " + toText(plan.layout) + " · " + plan.training.schedule + " · " +
                       std::to_string(batch.microbatches(plan.layout.dp)) + " microbatches of " +
                       std::to_string(batch.microbatch) + " × " + std::to_string(batch.sequence) + " tokens";
    return text;
}

class TablePrinter : public RunPrinter
{
public:
    void started(const RunDirectory& run, const RunPlan& plan) override
    {
        std::printf("%s\nrun %s in %s\n", describe(plan).c_str(), run.id().c_str(), run.path().c_str());
        if (plan.data.bestLoss >= 0)
            std::printf("best reachable loss %.4f %s\n", plan.data.bestLoss, unitOfLoss(plan));
        m_steps = plan.training.steps;
        std::fflush(stdout);
    }

    void records(const RecordBatch& batch) override
    {
        for (const HelloRecord& hello : batch.hellos)
            printHello(hello);
        for (const LogRecord& log : batch.logs)
            if (log.level != LogLevel::Info)
                std::fprintf(stderr, "rank %d: %s\n", log.rank.value, log.text.c_str());
        for (const StepResult& step : batch.steps)
            printStep(step);
        std::fflush(stdout);
    }

    void ended(const RunDirectory& run, const RunStatus& status) override
    {
        if (m_held)
            printRow(m_last);
        if (status.state == RunState::Failed)
            std::fprintf(stderr, "triaxis: the run failed: %s\n", status.reason.c_str());
        else
            std::printf("%s after %lld steps. See it: triaxis show %s\n", toText(status.state),
                        static_cast<long long>(status.lastStep), run.id().c_str());
        std::fflush(stdout);
    }

private:
    void printHello(const HelloRecord& hello)
    {
        if (hello.rank.value == 0)
            std::printf("rank 0 on %s: %s; %s; %s\n", hello.host.c_str(), hello.device.c_str(), hello.blas.c_str(),
                        hello.mpi.c_str());
    }

    void printStep(const StepResult& step)
    {
        const auto now = std::chrono::steady_clock::now();
        m_last = step;
        m_held = step.step > 3 && step.step != m_steps && now - m_lastPrint < std::chrono::milliseconds(500);
        if (m_held)
            return;
        m_lastPrint = now;
        printRow(step);
    }

    void printRow(const StepResult& step)
    {
        if (!m_header) {
            std::printf("%8s  %10s  %10s  %10s  %12s\n", "step", "loss", "grad norm", "step time", "tokens/s");
            m_header = true;
        }
        std::printf("%8d  %10.5f  %10.5f  %7.1f ms  %12.0f\n", step.step, step.loss, step.gradientNorm,
                    step.seconds * 1e3, tokensPerSecond(step));
    }

    std::int64_t m_steps = 0;
    bool m_header = false;
    bool m_held = false;
    StepResult m_last;
    std::chrono::steady_clock::time_point m_lastPrint{};
};

void printLine(const nlohmann::ordered_json& object)
{
    std::printf("%s\n", object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    std::fflush(stdout);
}

class JsonPrinter : public RunPrinter
{
public:
    void started(const RunDirectory& run, const RunPlan& plan) override
    {
        printLine({{"event", "started"}, {"run", run.id()}, {"directory", run.path().string()},
                   {"ranks", plan.layout.ranks()}});
    }

    void records(const RecordBatch& batch) override
    {
        for (const HelloRecord& hello : batch.hellos)
            if (hello.rank.value == 0)
                printLine({{"event", "device"}, {"host", hello.host}, {"device", hello.device}, {"blas", hello.blas},
                           {"mpi", hello.mpi}});
        for (const StepResult& step : batch.steps)
            printLine({{"step", step.step}, {"loss", step.loss}, {"grad_norm", step.gradientNorm},
                       {"seconds", step.seconds}, {"tokens", step.tokens},
                       {"tokens_per_second", tokensPerSecond(step)}});
    }

    void ended(const RunDirectory& run, const RunStatus& status) override
    {
        nlohmann::ordered_json line{{"event", "ended"}, {"run", run.id()}, {"state", toText(status.state)}};
        if (!status.reason.empty())
            line["reason"] = status.reason;
        if (status.failedRank)
            line["failed_rank"] = status.failedRank->value;
        printLine(line);
        if (status.state == RunState::Failed)
            std::fprintf(stderr, "triaxis: the run failed: %s\n", status.reason.c_str());
    }
};

class QuietPrinter : public RunPrinter
{
public:
    void started(const RunDirectory&, const RunPlan&) override {}
    void records(const RecordBatch&) override {}
    void ended(const RunDirectory&, const RunStatus& status) override
    {
        if (status.state == RunState::Failed)
            std::fprintf(stderr, "triaxis: the run failed: %s\n", status.reason.c_str());
    }
};

} // namespace

std::unique_ptr<RunPrinter> makeTablePrinter() { return std::make_unique<TablePrinter>(); }
std::unique_ptr<RunPrinter> makeJsonPrinter() { return std::make_unique<JsonPrinter>(); }
std::unique_ptr<RunPrinter> makeQuietPrinter() { return std::make_unique<QuietPrinter>(); }

} // namespace triaxis::cli
