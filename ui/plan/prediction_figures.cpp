#include "ui/plan/prediction_figures.h"

#include "engine/core/units.h"
#include "engine/model/parameters.h"
#include "ui/base/text.h"

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

const QString dash(QChar(0x2013));

enum class Better { Lower, Higher };

QString arrow(double change)
{
    return QString(change > 0 ? QChar(0x25B2) : QChar(0x25BC)) + thinSpace;
}

/// What changed about a figure, instead of what it means.
void addChange(Figure& figure, double now, double before, Better better, const QString& since)
{
    const QString text = changeText(now, before);
    if (text.isEmpty())
        return;
    figure.meaning = text + QLatin1Char(' ') + since;
    figure.brief = text;
    figure.tone = (now < before) == (better == Better::Lower) ? Tone::Good : Tone::Bad;
}

/// Shares change by points.
void addPoints(Figure& figure, double now, double before, Better better, const QString& since)
{
    const double points = 100 * (now - before);
    if (!std::isfinite(points) || std::abs(points) < 0.05)
        return;
    figure.brief =
        arrow(points) + QString::number(std::abs(points), 'f', 1) + QStringLiteral(" points");
    figure.meaning = figure.brief + QLatin1Char(' ') + since;
    figure.tone = (now < before) == (better == Better::Lower) ? Tone::Good : Tone::Bad;
}

QString secondsOr(double value)
{
    return std::isfinite(value) ? toQString(units::seconds(value)) : dash;
}

QString percentOr(double value)
{
    return std::isfinite(value) ? toQString(units::percent(value)) : dash;
}

/// Of a figure that is as far off as the step time, relative.
QString errorOf(double share)
{
    return std::isfinite(share) ? QStringLiteral("±") + thinSpace + percentOr(share) : QString();
}

QString basisText(PredictionBasis basis)
{
    switch (basis) {
    case PredictionBasis::Cluster:
        return QStringLiteral("predicted for the cluster");
    case PredictionBasis::Machine:
        return QStringLiteral("predicted for this machine");
    case PredictionBasis::Units:
        return QStringLiteral("measure this machine first");
    }
    return {};
}

/// Both plans, with the figures of one and, where there are any, of the other.
struct Subject
{
    const DrawnPlan& plan;
    const DrawnPrediction& now;
    const DrawnPrediction& before;
    const MachineFacts& machine;
    const QString& since;
};

Figure stepFigure(const Subject& s)
{
    Figure figure{QStringLiteral("Step time"), secondsOr(s.now.seconds), basisText(s.now.basis),
                  QStringLiteral("One optimizer step, from the first forward to the last weight")};
    if (s.now.known && s.now.basis == PredictionBasis::Units)
        figure.explanation +=
            QStringLiteral("\nRun \"triaxis calibrate\" once; then runs here are predicted too");
    figure.error = errorOf(s.now.expectedError);
    figure.brief = s.now.basis == PredictionBasis::Units ? QStringLiteral("not measured")
                                                         : QStringLiteral("predicted");
    addChange(figure, s.now.seconds, s.before.seconds, Better::Lower, s.since);
    return figure;
}

Figure tokensFigure(const Subject& s)
{
    const BatchShape& batch = s.plan.run.training.batch;
    const std::int64_t tokens = std::int64_t(batch.globalBatch) * batch.sequence;
    Figure figure{QStringLiteral("Tokens/s"),
                  std::isfinite(s.now.tokensPerSecond)
                      ? toQString(units::count(s.now.tokensPerSecond))
                      : dash,
                  QStringLiteral("%1 a step").arg(toQString(units::count(double(tokens)))),
                  QStringLiteral("Global batch × sequence length over the step time")};
    figure.error = errorOf(s.now.expectedError);
    addChange(figure, s.now.tokensPerSecond, s.before.tokensPerSecond, Better::Higher, s.since);
    return figure;
}

Figure mfuFigure(const Subject& s)
{
    if (s.plan.cluster.thisMachine) {
        const BatchShape& batch = s.plan.run.training.batch;
        const double tokens = double(batch.globalBatch) * batch.sequence;
        return {QStringLiteral("Work a step"),
                flopsText(trainingFlopsPerToken(s.plan.run.model, std::max(1, batch.sequence)) *
                          tokens),
                QStringLiteral("forward and backward"),
                QStringLiteral("Model FLOPs of one step: matrix products and causal attention, "
                               "backward counted twice, nothing recomputed")};
    }
    Figure figure{QStringLiteral("MFU"), percentOr(s.now.mfu), QStringLiteral("of the peak"),
                  QStringLiteral("Model FLOPs over what the devices' peak would do in that time; "
                                 "recomputed work does not count")};
    if (std::isfinite(s.now.mfu * s.now.expectedError))
        figure.error = QStringLiteral("±") + thinSpace +
                       QString::number(100 * s.now.mfu * s.now.expectedError, 'f', 1);
    addPoints(figure, s.now.mfu, s.before.mfu, Better::Higher, s.since);
    return figure;
}

Figure bubbleFigure(const Subject& s)
{
    Figure figure{QStringLiteral("Bubble"), percentOr(s.now.bubble),
                  std::isfinite(s.now.closedForm)
                      ? QStringLiteral("closed form %1").arg(percentOr(s.now.closedForm))
                      : QStringLiteral("no closed form"),
                  QStringLiteral("Share of the pipeline's time in which a stage computes nothing, "
                                 "mean over the stages. The closed form is for equal stages and "
                                 "free transfers. No measured runs tell how far off it is")};
    figure.brief = std::isfinite(s.now.closedForm)
                       ? QStringLiteral("formula %1").arg(percentOr(s.now.closedForm))
                       : QString();
    addPoints(figure, s.now.bubble, s.before.bubble, Better::Lower, s.since);
    return figure;
}

Figure exposedFigure(const Subject& s)
{
    const ExposedTime& exposed = s.now.exposed;
    struct Part
    {
        const char* name;
        const char* letters;
        double seconds;
    };
    const Part axes[] = {{"tensor", "TP", exposed.tensor},
                         {"context", "CP", exposed.context},
                         {"expert", "EP", exposed.expert},
                         {"pipeline", "PP", exposed.pipeline},
                         {"data", "DP", exposed.data}};
    Figure figure{QStringLiteral("Exposed comm."),
                  s.now.known ? percentOr(exposed.total() / s.now.seconds) : dash,
                  {},
                  QStringLiteral("Share of the step in which the busiest stage does nothing but "
                                 "communicate")};
    if (s.plan.cluster.thisMachine)
        figure.explanation +=
            QStringLiteral(", waiting for each other inside collectives included");
    if (s.now.known && s.now.basis == PredictionBasis::Units) {
        figure.meaning = figure.brief = QStringLiteral("not measured");
        return figure;
    }
    QStringList parts;
    for (const auto& [name, letters, seconds] : axes) {
        if (!s.now.known || seconds <= 0)
            continue;
        const QString share = toQString(units::percent(seconds / s.now.seconds));
        parts << QStringLiteral("%1 %2").arg(
            QLatin1String(letters), QString::number(100 * seconds / s.now.seconds, 'f', 1));
        figure.explanation +=
            QStringLiteral("\n%1: %2, %3")
                .arg(QLatin1String(name), toQString(units::seconds(seconds)), share);
    }
    figure.meaning = !s.now.known      ? QString()
                     : parts.isEmpty() ? QStringLiteral("nothing")
                                       : parts.join(QStringLiteral(" · ")) + QStringLiteral(" %");
    figure.brief = parts.isEmpty() ? QString() : parts.join(QLatin1Char(' '));
    addPoints(figure, exposed.total() / s.now.seconds, s.before.exposed.total() / s.before.seconds,
              Better::Lower, s.since);
    return figure;
}

Figure memoryFigure(const Subject& s)
{
    Figure figure{QStringLiteral("Peak memory"),
                  dash,
                  {},
                  QStringLiteral("Most bytes that any rank holds within a step, against the memory "
                                 "of its device")};
    if (!s.now.known)
        return figure;
    const double bytes = s.now.bytesOf(s.plan, s.now.fullestRank);
    const double capacity = capacityOf(s.plan, s.now.fullestRank, s.machine);
    figure.value = toQString(units::bytes(std::int64_t(bytes)));
    figure.explanation += QStringLiteral("\nrank %1").arg(s.now.fullestRank.value);
    if (capacity <= 0)
        return figure;
    figure.meaning =
        QStringLiteral("%1 of %2")
            .arg(percentOr(bytes / capacity), toQString(units::bytes(std::int64_t(capacity))));
    if (bytes > capacity) {
        figure.tone = Tone::Bad;
        figure.meaning = QStringLiteral("%1 too much")
                             .arg(toQString(units::bytes(std::int64_t(bytes - capacity))));
        return figure;
    }
    addPoints(figure, s.now.fullest, s.before.fullest, Better::Lower, s.since);
    return figure;
}

Figure errorFigure(const Subject& s)
{
    Figure figure{QStringLiteral("Expected error"),
                  std::isfinite(s.now.expectedError)
                      ? QStringLiteral("±") + thinSpace + percentOr(s.now.expectedError)
                      : dash,
                  {},
                  {}};
    switch (s.now.errorBasis) {
    case ErrorBasis::Profile:
        figure.meaning = toQString(s.plan.software);
        figure.explanation = QStringLiteral("Mean error of such predictions on measured runs that "
                                            "they were not fitted to");
        break;
    case ErrorBasis::FinishedRuns:
        figure.meaning = figure.brief =
            counted(s.now.errorRuns, QStringLiteral("run")) + QStringLiteral(" here");
        figure.explanation = QStringLiteral("How far off the predictions of the latest finished "
                                            "runs in the history were that ran on this machine, "
                                            "mean of |predicted ÷ measured − 1|");
        break;
    case ErrorBasis::Calibration:
        figure.meaning = QStringLiteral("spread of its pace");
        figure.brief = QStringLiteral("calibration");
        figure.explanation = QStringLiteral(
            "From the calibration: within which eight of ten steps are expected, as the cores keep "
            "no even pace. Once a run has ended here, the error of its prediction stands instead");
        break;
    case ErrorBasis::None:
        figure.meaning = s.plan.cluster.thisMachine ? QStringLiteral("run it and compare")
                                                    : toQString(s.plan.software);
        figure.explanation = QStringLiteral("Not known before a run has ended here");
        break;
    }
    return figure;
}

} // namespace

QString changeText(double now, double before)
{
    if (!std::isfinite(now) || !std::isfinite(before) || before == 0)
        return {};
    const double change = now / before - 1;
    if (std::abs(change) < 5e-4)
        return {};
    return arrow(change) + toQString(units::percent(std::abs(change)));
}

std::vector<Figure> predictionFigures(const DrawnPlan& plan, const DrawnPrediction* now,
                                      const DrawnPrediction* before, const MachineFacts& machine,
                                      const QString& since)
{
    static const DrawnPrediction none;
    DrawnPrediction unknown;
    unknown.basis = plan.cluster.thisMachine ? PredictionBasis::Units : PredictionBasis::Cluster;
    const DrawnPrediction& shown = now != nullptr && now->known ? *now : unknown;
    // Figures of a cluster and of this machine are no change of each other.
    const bool comparable = before != nullptr && before->known && before->basis == shown.basis;
    const Subject subject{plan, shown, comparable ? *before : none, machine, since};
    std::vector<Figure> figures{
        stepFigure(subject),    tokensFigure(subject), mfuFigure(subject),  bubbleFigure(subject),
        exposedFigure(subject), memoryFigure(subject), errorFigure(subject)};
    constexpr double wide = 1.4; // four axes at once
    constexpr double narrow = 0.85;
    figures[4].weight = wide;
    figures[2].weight = narrow;
    figures[6].weight = narrow;
    if (now != nullptr && !now->known) {
        figures.front().meaning = QStringLiteral("this plan cannot be predicted");
        figures.front().brief = QStringLiteral("not predicted");
    }
    return figures;
}

} // namespace triaxis::ui
