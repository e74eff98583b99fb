// Training speed of the GPT-2 124M shape, 4 × 256 tokens a step, float32, on this machine: one rank
// with all threads beside the SGEMM rate of the same library, and two ranks of half the threads
// along the data and the tensor axis beside that one rank. bench_train [--layouts 111,211,121]
// [--steps N] [--rounds N] [--threads N]. Run it on a quiet machine. A preset
// OPENBLAS_CORETYPE is put aside.

#include "kernels/blas_choice.h"
#include "kernels/device.h"
#include "tests/bench/bench_timer.h"
#include "tests/integration/train_support.h"

#include "engine/formats/hf_config.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <unistd.h>

using namespace triaxis;

namespace
{

struct Settings
{
    QStringList layouts{"111", "211", "121"};
    int steps = 6;
    int rounds = 3;
    int threads = std::max(1, int(std::thread::hardware_concurrency()));
};

struct Shape
{
    std::int64_t m, n, k;
};

/// FLOP/s of the best of 2048³ and the large shapes of the step.
double sgemmRate(int threads)
{
    kernels::CpuDeviceOptions options;
    options.threads = threads;
    const auto device = kernels::makeCpuDevice(options);
    const auto stream = device->makeStream();
    double best = 0;
    for (const Shape& shape : {Shape{2048, 2048, 2048}, Shape{1024, 3072, 768},
                               Shape{1024, 768, 3072}, Shape{1024, 50257, 768}}) {
        const auto a = device->allocateFloats(shape.m * shape.k, kernels::MemoryUse::Workspace);
        const auto b = device->allocateFloats(shape.k * shape.n, kernels::MemoryUse::Workspace);
        const auto c = device->allocateFloats(shape.m * shape.n, kernels::MemoryUse::Workspace);
        device->fill(*stream, a.floats(), 1.0F, shape.m * shape.k);
        device->fill(*stream, b.floats(), 1.0F, shape.k * shape.n);
        kernels::Gemm gemm;
        gemm.m = shape.m;
        gemm.n = gemm.ldb = gemm.ldc = shape.n;
        gemm.k = gemm.lda = shape.k;
        gemm.a = a.floats();
        gemm.b = b.floats();
        gemm.c = c.floats();
        const double seconds = bench::fastest(0.5, [&] { device->gemm(*stream, gemm); });
        best = std::max(best, 2.0 * double(shape.m) * double(shape.n) * double(shape.k) / seconds);
    }
    std::printf("%s, %s: SGEMM %.1f GFLOP/s\n", device->name().c_str(), device->blasName().c_str(),
                best / 1e9);
    return best;
}

RunPlan planOf(const QString& layout, const Settings& settings)
{
    RunPlan plan;
    plan.model = modelPreset("gpt2");
    plan.layout = test::layoutOf(layout);
    plan.training.steps = settings.steps;
    plan.training.batch = {4, 4 / plan.layout.dp, 256};
    plan.execution.threadsPerRank = std::max(1, settings.threads / plan.layout.ranks());
    return plan;
}

/// Seconds of each step but the first, which touches its memory for the first time.
std::vector<double> run(const QString& layout, const Settings& settings)
{
    const QTemporaryDir home;
    const RunPlan plan = planOf(layout, settings);
    const auto directory =
        RunDirectory::create(std::filesystem::path(home.path().toStdString()), plan, {});
    const QString program = QCoreApplication::applicationDirPath() + "/triaxis-rank";
    const test::JobResult job =
        test::runJob(plan.layout.ranks(), {}, program,
                     {"--run", QString::fromStdString(directory.path().string())}, 1200);
    if (job.exitCode != 0)
        qFatal("%s: %s", qPrintable(layout), qPrintable(job.error));
    std::vector<double> seconds;
    for (const StepResult& step : RecordReader(directory.recordFile(Rank(0))).poll(true).steps)
        if (step.step > 1)
            seconds.push_back(step.seconds);
    return seconds;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

constexpr const char* help =
    "bench_train: training speed of the GPT-2 124M shape, 4 x 256 tokens a step, on this machine\n"
    "  --layouts 111,211,121  data, tensor and pipeline size of each layout to run\n"
    "  --steps 6              steps of each run; the first is not counted\n"
    "  --rounds 3             runs of each layout\n"
    "  --threads N            of all ranks together (default: all cores)\n"
    "One JSON object a layout: median and best seconds of a step, tokens a second, share of the\n"
    "SGEMM rate, and throughput beside that of layout 111.\n";

Settings parse(const QStringList& arguments)
{
    Settings settings;
    for (int i = 1; i < arguments.size(); i += 2) {
        if (i + 1 == arguments.size())
            qFatal("%s needs a value; see --help", qPrintable(arguments[i]));
        const QString& value = arguments[i + 1];
        if (arguments[i] == "--layouts")
            settings.layouts = value.split(',');
        else if (arguments[i] == "--steps")
            settings.steps = std::max(2, value.toInt());
        else if (arguments[i] == "--rounds")
            settings.rounds = std::max(1, value.toInt());
        else if (arguments[i] == "--threads")
            settings.threads = std::max(1, value.toInt());
        else
            qFatal("unknown option %s; see --help", qPrintable(arguments[i]));
    }
    return settings;
}

} // namespace

int main(int argc, char** argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ); // each line as it comes, also into a file
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "--help") == 0 || std::strcmp(argv[i], "-h") == 0) {
            std::fputs(help, stdout);
            return 0;
        }
    if (std::getenv("OPENBLAS_CORETYPE") && kernels::detectedBlasKernel().empty()) {
        unsetenv("OPENBLAS_CORETYPE");
        unsetenv("OPENBLAS_L2_SIZE");
        execv("/proc/self/exe", argv);
    }
    kernels::chooseBlasKernel(argv);
    const QCoreApplication application(argc, argv);
    const Settings settings = parse(QCoreApplication::arguments());
    const double rate = sgemmRate(settings.threads);
    const double flops = double(trainingFlops(modelPreset("gpt2"), 4 * 256, 256));
    std::map<QString, std::vector<double>> seconds;
    for (int round = 0; round < settings.rounds; ++round)
        for (const QString& layout : settings.layouts) {
            const std::vector<double> steps = run(layout, settings);
            seconds[layout].insert(seconds[layout].end(), steps.begin(), steps.end());
        }
    const auto single = seconds.find("111");
    for (const auto& [layout, steps] : seconds) {
        const double middle = median(steps);
        const double best = *std::min_element(steps.begin(), steps.end());
        const double share = single == seconds.end() ? 0.0 : median(single->second) / middle;
        std::printf("{\"layout\": \"%s\", \"median_seconds\": %.4f, \"best_seconds\": %.4f, "
                    "\"tokens_per_second\": %.1f, \"of_sgemm\": %.3f, \"of_one_rank\": %.3f}\n",
                    qPrintable(layout), middle, best, 1024 / middle, flops / middle / rate, share);
    }
    return 0;
}
