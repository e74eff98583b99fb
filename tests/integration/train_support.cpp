#include "train_support.h"

#include "engine/formats/safetensors.h"
#include "engine/model/parameters.h"

#include <QFile>
#include <QProcessEnvironment>

#include <cmath>
#include <set>

namespace triaxis::test
{

ModelSpec smallGpt2()
{
    ModelSpec model;
    model.name = "small-gpt2";
    model.architecture = Architecture::Gpt2;
    model.vocabulary = 61;
    model.positions = 16;
    model.hidden = 32;
    model.layers = 4;
    model.heads = model.kvHeads = 4;
    model.headSize = 8;
    model.feedForward = 128;
    model.attentionBias = model.mlpBias = true;
    model.initializerRange = 0.1;
    return model;
}

ModelSpec smallLlama()
{
    ModelSpec model = smallGpt2();
    model.name = "small-llama";
    model.architecture = Architecture::Llama;
    model.kvHeads = 2;
    model.feedForward = 88;
    model.tiedHead = false;
    model.attentionBias = model.mlpBias = false;
    return model;
}

RunPlan smallPlan(const ModelSpec& model)
{
    RunPlan plan;
    plan.model = model;
    plan.training.steps = 6;
    plan.training.batch = {8, 1, 12};
    plan.training.learningRate = 3e-3;
    plan.execution.threadsPerRank = 1;
    plan.execution.saveWeights = true;
    plan.execution.saveGradients = true;
    return plan;
}

Layout layoutOf(const QString& digits)
{
    Layout layout;
    layout.dp = digits[0].digitValue();
    layout.tp = digits[1].digitValue();
    layout.pp = digits[2].digitValue();
    return layout;
}

QProcessEnvironment jobEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    environment.insert("OMPI_MCA_rmaps_base_oversubscribe", "1");
    environment.insert("OPENBLAS_NUM_THREADS", "1");
    return environment;
}

JobResult runJob(int ranks, const QStringList& options, const QString& program,
                 const QStringList& arguments, int seconds)
{
    QProcess process;
    process.setProcessEnvironment(jobEnvironment());
    process.start(TRIAXIS_MPIRUN, QStringList{"--bind-to", "none", "-n", QString::number(ranks)}
                                      << options << program << arguments);
    JobResult result;
    if (!process.waitForFinished(seconds * 1000)) {
        process.terminate();
        if (!process.waitForFinished(10000))
            process.kill();
        process.waitForFinished(10000);
        result.error = QString("no end after %1 s\n").arg(seconds);
    } else if (process.exitStatus() == QProcess::NormalExit) {
        result.exitCode = process.exitCode();
    }
    result.output = QString::fromLocal8Bit(process.readAllStandardOutput());
    result.error += QString::fromLocal8Bit(process.readAllStandardError());
    return result;
}

int RunBatch::add(const RunPlan& plan)
{
    m_runs.push_back(
        RunDirectory::create(std::filesystem::path(m_home.path().toStdString()), plan, {}));
    m_ranks.push_back(plan.layout.ranks());
    return int(m_runs.size()) - 1;
}

QString RunBatch::run(const QStringList& options)
{
    std::map<int, QStringList> jobs;
    for (std::size_t i = m_finished; i < m_runs.size(); ++i)
        jobs[m_ranks[i]] << QString::fromStdString(m_runs[i].path().string());
    m_finished = m_runs.size();
    for (const auto& [ranks, directories] : jobs) {
        // A run takes a second or two; a loaded machine may need many times that.
        const int seconds = 240 + 60 * int(directories.size());
        const JobResult result = runJob(ranks, options, TRIAXIS_TRAIN_RANKS, directories, seconds);
        if (result.exitCode != 0)
            return QString("%1 ranks: %2").arg(ranks).arg(result.error);
    }
    return {};
}

std::vector<StepResult> RunBatch::steps(int index) const
{
    return RecordReader(directory(index).recordFile(Rank(0))).poll(true).steps;
}

std::map<std::string, double> tensorNorms(const ModelSpec& model, const std::filesystem::path& path)
{
    const SafetensorsFile file(path);
    std::map<std::string, double> norms;
    for (const ParameterSpec& parameter : parametersOf(model)) {
        const TensorInfo* info = file.find(parameter.name);
        std::vector<float> values(std::size_t(info->end - info->begin) / sizeof(float));
        file.read(*info, 0, std::int64_t(values.size()), values.data());
        double squares = 0;
        for (float value : values)
            squares += double(value) * value;
        norms[parameter.name] = std::sqrt(squares);
    }
    return norms;
}

QByteArray contentOf(const std::filesystem::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace triaxis::test
