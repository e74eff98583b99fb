#pragma once

#include "engine/record/records.h"
#include "engine/record/run_directory.h"

#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <map>
#include <optional>
#include <vector>

namespace triaxis::test
{

/// Four layers, four heads, a vocabulary that no tensor-parallel size divides.
ModelSpec smallGpt2();
/// Four layers, four query heads on two key/value heads, untied head.
ModelSpec smallLlama();

/// Eight sequences of twelve synthetic tokens a step, in microbatches of one; six steps; saves
/// weights and gradients.
RunPlan smallPlan(const ModelSpec& model);

/// DP, TP, PP as three digits.
Layout layoutOf(const QString& digits);

struct JobResult
{
    int exitCode = -1; ///< −1: ended by a signal, or out of time
    QString output;
    QString error;
};

/// mpirun with as many ranks as cores or more, root and oversubscription allowed, one BLAS thread.
JobResult runJob(int ranks, const QStringList& options, const QString& program,
                 const QStringList& arguments, int seconds = 240);
QProcessEnvironment jobEnvironment();

/// Runs that are prepared first and then run together, all those of one size in one job.
class RunBatch
{
public:
    int add(const RunPlan& plan);
    /// The error text, empty if all went well. `options`: for mpirun.
    QString run(const QStringList& options = {});

    const RunDirectory& directory(int index) const { return m_runs[std::size_t(index)]; }
    std::vector<StepResult> steps(int index) const;

private:
    QTemporaryDir m_home;
    std::vector<RunDirectory> m_runs;
    std::vector<int> m_ranks;
    std::size_t m_finished = 0;
};

/// L2 norms of all tensors of a safetensors file by canonical parameter name.
std::map<std::string, double> tensorNorms(const ModelSpec& model,
                                          const std::filesystem::path& file);
QByteArray contentOf(const std::filesystem::path& file);

} // namespace triaxis::test
