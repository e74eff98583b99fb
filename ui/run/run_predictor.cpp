#include "ui/run/run_predictor.h"

#include "engine/core/error.h"

namespace triaxis::ui
{
namespace
{

RunPrediction predictionOf(const RunPlan& plan, const std::string& host,
                           const std::filesystem::path& home)
{
    try {
        return predictRun(plan, host, home);
    } catch (const std::exception& problem) {
        RunPrediction none;
        const auto* error = dynamic_cast<const Error*>(&problem);
        none.problem = error ? error->object() : problem.what();
        none.remedy = error ? error->remedy() : std::string();
        return none;
    }
}

} // namespace

RunPredictor::RunPredictor(QObject* parent) : QObject(parent)
{
    qRegisterMetaType<std::shared_ptr<const RunPrediction>>();
}

void RunPredictor::predict(const RunPlan& plan, const std::string& host,
                           const std::filesystem::path& home)
{
    const int asked = ++m_asked;
    m_busy = true;
    m_background.post(this, [this, asked, plan, host, home]() -> Background::Delivery {
        auto result = std::make_shared<const RunPrediction>(predictionOf(plan, host, home));
        return [this, asked, result] {
            if (asked != m_asked)
                return;
            m_busy = false;
            emit predicted(result);
        };
    });
}

void RunPredictor::cancel()
{
    ++m_asked;
    m_busy = false;
}

} // namespace triaxis::ui
