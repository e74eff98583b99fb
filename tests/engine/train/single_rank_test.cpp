#include "reference_model.h"
#include "single_world.h"

#include "engine/core/error.h"
#include "engine/data/token_source.h"
#include "engine/formats/safetensors.h"
#include "engine/record/run_directory.h"
#include "engine/train/train.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unistd.h>

using namespace triaxis;

namespace
{

/// A run on one rank, in this process, in a directory of its own.
class Run
{
public:
    RunPlan plan;

    explicit Run(const ModelSpec& model)
    {
        plan.model = model;
        plan.training.steps = 4;
        plan.training.batch = {4, 2, 6};
    }

    void train()
    {
        directory.emplace(
            RunDirectory::create(std::filesystem::path(m_home.path().toStdString()), plan, {}));
        RecordWriter records(directory->recordFile(Rank(0)));
        RankStatusWriter status(directory->statusFile(Rank(0)), int(getpid()));
        const auto device = kernels::makeCpuDevice({});
        test::SingleWorld world;
        RankContext context{*device, world, records, status, directory->path()};
        trainRank(plan, context);
    }

    RecordBatch records() const { return RecordReader(directory->recordFile(Rank(0))).poll(true); }

    std::vector<float> tensor(const std::string& file, const std::string& name) const
    {
        const SafetensorsFile tensors(directory->path() / file);
        const TensorInfo* info = tensors.find(name);
        std::vector<float> values(std::size_t(info->end - info->begin) / 4);
        tensors.read(*info, 0, std::int64_t(values.size()), values.data());
        return values;
    }

    std::filesystem::path file(const char* name) const
    {
        return m_home.filePath(name).toStdString();
    }

    std::optional<RunDirectory> directory;

private:
    QTemporaryDir m_home;
};

/// Weights of a model with one element of one tensor replaced.
void writeWeights(const std::filesystem::path& file, const ModelSpec& model,
                  const std::string& spoiled, float value)
{
    test::ReferenceModel reference(model, 3);
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> tensors;
    for (const ParameterSpec& parameter : parametersOf(model))
        tensors.emplace_back(parameter.name, parameter.shape);
    SafetensorsWriter writer(file, tensors);
    for (const auto& [name, values] : reference.parameters()) {
        std::vector<float> floats(values.begin(), values.end());
        if (name == spoiled)
            floats[1] = value;
        writer.write(name, 0, std::int64_t(floats.size()), floats.data());
    }
    writer.finish();
}

} // namespace

class TrainSingleRankTest : public QObject
{
    Q_OBJECT

private slots:
    void learnsTheSyntheticSource();
    void recordsEveryInstructionOfAStep();
    void thinsSpansButKeepsEveryStepResult();
    void startsFromGivenWeights();
    void savesReducedGradientsOfEachStep();
    void sameSeedGivesTheSameBits();
    void nonFiniteWeightIsTracedToItsLayer();
    void divergenceStopsTheRun();
    void refusesWeightsOfAnotherModel();
    void refusesWeightsThatTheModelWouldLeaveOut();
    void refusesAPlanForMoreRanks();
};

void TrainSingleRankTest::learnsTheSyntheticSource()
{
    ModelSpec model = test::tinyGpt2();
    model.hidden = 32;
    model.headSize = 16;
    model.feedForward = 64;
    model.positions = 32;
    Run run(model);
    run.plan.training.steps = 300;
    run.plan.training.batch = {8, 4, 32};
    run.plan.training.learningRate = 1e-2;
    run.train();
    const RecordBatch records = run.records();
    QCOMPARE(records.steps.size(), std::size_t(300));
    const double best = makeTokenSource(run.plan)->bestLoss();
    QVERIFY(best > 0);
    QVERIFY(records.steps.front().loss > best + 0.3);
    double last = 0;
    for (std::size_t i = 280; i < 300; ++i)
        last += records.steps[i].loss / 20;
    QVERIFY2(last < best + 0.1 && last > best - 0.1,
             qPrintable(QString("reached %1, best is %2").arg(last).arg(best)));
}

void TrainSingleRankTest::recordsEveryInstructionOfAStep()
{
    Run run(test::tinyLlama());
    run.train();
    const RecordBatch records = run.records();
    std::map<int, std::map<Kind, int>> kinds;
    for (const Span& span : records.spans) {
        ++kinds[span.step][span.id.kind()];
        QVERIFY(span.ready <= span.begin && span.begin <= span.end);
        QVERIFY(span.id.kind() != Kind::Forward || span.flops > 0);
    }
    QCOMPARE(kinds.size(), std::size_t(4));
    const std::map<Kind, int> expected{{Kind::Forward, 2},
                                       {Kind::Backward, 2},
                                       {Kind::NormReduce, 1},
                                       {Kind::LossReduce, 1},
                                       {Kind::OptimizerStep, 1}};
    for (const auto& [step, found] : kinds)
        QVERIFY2(found == expected, qPrintable(QString("step %1").arg(step)));
    QCOMPARE(records.hellos.size(), std::size_t(1));
    QCOMPARE(records.memory.size(), std::size_t(4));
    QVERIFY(records.memory.back().peak[std::size_t(MemoryCategory::Activations)] > 0);
    QCOMPARE(records.memory.back().live[std::size_t(MemoryCategory::Activations)], 0);
    QVERIFY(records.clocks.size() >= 2);
    QCOMPARE(records.ended.size(), std::size_t(1));
    QCOMPARE(readRankStatus(run.directory->statusFile(Rank(0)))->step, 4);
}

void TrainSingleRankTest::thinsSpansButKeepsEveryStepResult()
{
    Run run(test::tinyGpt2());
    run.plan.training.steps = 20;
    run.plan.execution.wholeSteps = 3;
    run.plan.execution.everyStep = 5;
    run.train();
    const RecordBatch records = run.records();
    std::set<int> steps;
    for (const Span& span : records.spans)
        steps.insert(span.step);
    QVERIFY((steps == std::set<int>{1, 2, 3, 5, 10, 15, 18, 19, 20}));
    QCOMPARE(records.steps.size(), std::size_t(20));
    QVERIFY(records.droppedSpans > 0);
}

void TrainSingleRankTest::startsFromGivenWeights()
{
    Run first(test::tinyGpt2());
    first.plan.execution.saveWeights = true;
    first.train();
    // No update: what is read must come out again.
    Run second(test::tinyGpt2());
    second.plan.weights = (first.directory->path() / "model.safetensors").string();
    second.plan.training.learningRate = 0;
    second.plan.execution.saveWeights = true;
    second.train();
    for (const ParameterSpec& parameter : parametersOf(test::tinyGpt2()))
        QVERIFY(first.tensor("model.safetensors", parameter.name) ==
                second.tensor("model.safetensors", parameter.name));
}

void TrainSingleRankTest::savesReducedGradientsOfEachStep()
{
    Run run(test::tinyLlama());
    run.plan.training.steps = 2;
    run.plan.training.clipNorm = 1e-3;
    run.plan.execution.saveGradients = true;
    run.train();
    for (const StepResult& step : run.records().steps) {
        double squares = 0;
        const std::string file = "gradients-" + std::to_string(step.step) + ".safetensors";
        for (const ParameterSpec& parameter : parametersOf(test::tinyLlama()))
            for (float g : run.tensor(file, parameter.name))
                squares += double(g) * g;
        QVERIFY(std::abs(std::sqrt(squares) - step.gradientNorm) < 1e-6 * step.gradientNorm);
    }
}

void TrainSingleRankTest::sameSeedGivesTheSameBits()
{
    std::vector<double> losses[2];
    for (auto& list : losses) {
        Run run(test::tinyGpt2());
        run.train();
        for (const StepResult& step : run.records().steps)
            list.push_back(step.loss);
    }
    QVERIFY(losses[0] == losses[1]);
    Run other(test::tinyGpt2());
    other.plan.training.seed = 2;
    other.train();
    QVERIFY(other.records().steps.front().loss != losses[0].front());
}

void TrainSingleRankTest::nonFiniteWeightIsTracedToItsLayer()
{
    Run run(test::tinyGpt2());
    writeWeights(run.file("weights"), run.plan.model, "h.1.mlp.c_proj.bias",
                 std::numeric_limits<float>::infinity());
    run.plan.weights = run.file("weights").string();
    try {
        run.train();
        QFAIL("the run went on");
    } catch (const Error& error) {
        const QString text = error.what();
        QVERIFY2(text.contains("rank 0") && text.contains("step 1") && text.contains("layer 1"),
                 error.what());
    }
    const RecordBatch records = run.records();
    QCOMPARE(records.faults.size(), std::size_t(1));
    QCOMPARE(records.faults[0].step, 1);
    QVERIFY(records.faults[0].id.kind() == Kind::Wait);
}

void TrainSingleRankTest::divergenceStopsTheRun()
{
    Run run(test::tinyLlama());
    run.plan.training.steps = 50;
    run.plan.training.learningRate = 1e30;
    QVERIFY_EXCEPTION_THROWN(run.train(), Error);
    QVERIFY(run.records().steps.size() < 50);
}

void TrainSingleRankTest::refusesWeightsOfAnotherModel()
{
    Run run(test::tinyGpt2());
    ModelSpec wider = test::tinyGpt2();
    wider.feedForward = 24;
    writeWeights(run.file("wider"), wider, "", 0);
    run.plan.weights = run.file("wider").string();
    try {
        run.train();
        QFAIL("the weights were taken");
    } catch (const Error& error) {
        QVERIFY2(QString(error.what()).contains("[8, 24], and the model needs [8, 20]"),
                 error.what());
    }
    writeWeights(run.file("llama"), test::tinyLlama(), "", 0);
    run.plan.weights = run.file("llama").string();
    QVERIFY_EXCEPTION_THROWN(run.train(), Error);
    run.plan.weights = run.file("missing").string();
    QVERIFY_EXCEPTION_THROWN(run.train(), Error);
}

void TrainSingleRankTest::refusesWeightsThatTheModelWouldLeaveOut()
{
    Run run(test::tinyLlama());
    ModelSpec biased = run.plan.model;
    biased.attentionBias = true;
    writeWeights(run.file("biased"), biased, "", 0);
    run.plan.weights = run.file("biased").string();
    try {
        run.train();
        QFAIL("the biases were left out");
    } catch (const Error& error) {
        const QString text = error.what();
        QVERIFY2(text.contains("does not know") && text.contains("_proj.bias"), error.what());
    }
    run.plan.model.attentionBias = true;
    run.train();
    QCOMPARE(run.records().steps.size(), std::size_t(4));
}

void TrainSingleRankTest::refusesAPlanForMoreRanks()
{
    Run run(test::tinyGpt2());
    run.plan.layout.tp = 2;
    try {
        run.train();
        QFAIL("the plan was run");
    } catch (const Error& error) {
        QVERIFY2(QString(error.what()).contains("needs 2 ranks"), error.what());
    }
}

QTEST_APPLESS_MAIN(TrainSingleRankTest)
#include "single_rank_test.moc"
