#include "ui/plan/prediction_figures.h"

#include "engine/core/units.h"
#include "engine/model/parameters.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/base/count_text.h"
#include "ui/base/language.h"

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
    figure.brief = arrow(points) + decimalText(std::abs(points), 1) + Words::tr(" points");
    figure.meaning = figure.brief + QLatin1Char(' ') + since;
    figure.tone = (now < before) == (better == Better::Lower) ? Tone::Good : Tone::Bad;
}

QString secondsOr(double value)
{
    return std::isfinite(value) ? spoken(units::seconds(value)) : dash;
}

QString percentOr(double value)
{
    return std::isfinite(value) ? spoken(units::percent(value)) : dash;
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
        return Words::tr("predicted for the cluster");
    case PredictionBasis::Machine:
        return Words::tr("predicted for this machine");
    case PredictionBasis::Units:
        return Words::tr("measure this machine first");
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
    Figure figure{Words::tr("Step time"), secondsOr(s.now.seconds), basisText(s.now.basis),
                  Words::tr("One optimizer step, from the first forward to the last weight")};
    if (s.now.known && s.now.basis == PredictionBasis::Units)
        figure.explanation +=
            Words::tr("\nRun \"triaxis calibrate\" once; then runs here are predicted too");
    figure.error = errorOf(s.now.expectedError);
    figure.brief =
        s.now.basis == PredictionBasis::Units ? Words::tr("not measured") : Words::tr("predicted");
    addChange(figure, s.now.seconds, s.before.seconds, Better::Lower, s.since);
    return figure;
}

Figure tokensFigure(const Subject& s)
{
    const BatchShape& batch = s.plan.run.training.batch;
    const std::int64_t tokens = std::int64_t(batch.globalBatch) * batch.sequence;
    Figure figure{Words::tr("Tokens/s"),
                  std::isfinite(s.now.tokensPerSecond)
                      ? countText(s.now.tokensPerSecond)
                      : dash,
                  Words::tr("%1 a step").arg(countText(double(tokens))),
                  Words::tr("Global batch × sequence length over the step time")};
    figure.error = errorOf(s.now.expectedError);
    addChange(figure, s.now.tokensPerSecond, s.before.tokensPerSecond, Better::Higher, s.since);
    return figure;
}

Figure mfuFigure(const Subject& s)
{
    if (s.plan.cluster.thisMachine) {
        const BatchShape& batch = s.plan.run.training.batch;
        const double tokens = double(batch.globalBatch) * batch.sequence;
        return {Words::tr("Work a step"),
                flopsText(trainingFlopsPerToken(s.plan.run.model, std::max(1, batch.sequence)) *
                          tokens),
                Words::tr("forward and backward"),
                Words::tr("Model FLOPs of one step: matrix products and causal attention, "
                          "backward counted twice, nothing recomputed")};
    }
    Figure figure{Words::tr("MFU"), percentOr(s.now.mfu), Words::tr("of the peak"),
                  Words::tr("Model FLOPs over what the devices' peak would do in that time; "
                            "recomputed work does not count")};
    if (std::isfinite(s.now.mfu * s.now.expectedError))
        figure.error = QStringLiteral("±") + thinSpace +
                       decimalText(100 * s.now.mfu * s.now.expectedError, 1);
    addPoints(figure, s.now.mfu, s.before.mfu, Better::Higher, s.since);
    return figure;
}

Figure bubbleFigure(const Subject& s)
{
    Figure figure{Words::tr("Bubble"), percentOr(s.now.bubble),
                  std::isfinite(s.now.closedForm)
                      ? Words::tr("closed form %1").arg(percentOr(s.now.closedForm))
                      : Words::tr("no closed form"),
                  Words::tr("Share of the pipeline's time in which a stage computes nothing, "
                            "mean over the stages. The closed form is for equal stages and "
                            "free transfers. No measured runs tell how far off it is")};
    figure.brief = std::isfinite(s.now.closedForm)
                       ? Words::tr("formula %1").arg(percentOr(s.now.closedForm))
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
    const Part axes[] = {{QT_TRANSLATE_NOOP("Words", "tensor"), "TP", exposed.tensor},
                         {QT_TRANSLATE_NOOP("Words", "context"), "CP", exposed.context},
                         {QT_TRANSLATE_NOOP("Words", "expert"), "EP", exposed.expert},
                         {QT_TRANSLATE_NOOP("Words", "pipeline"), "PP", exposed.pipeline},
                         {QT_TRANSLATE_NOOP("Words", "data"), "DP", exposed.data}};
    Figure figure{Words::tr("Exposed comm."),
                  s.now.known ? percentOr(exposed.total() / s.now.seconds) : dash,
                  {},
                  Words::tr("Share of the step in which the busiest stage does nothing but "
                            "communicate")};
    if (s.plan.cluster.thisMachine)
        figure.explanation += Words::tr(", waiting for each other inside collectives included");
    if (s.now.known && s.now.basis == PredictionBasis::Units) {
        figure.meaning = figure.brief = Words::tr("not measured");
        return figure;
    }
    QStringList parts;
    for (const auto& [name, letters, seconds] : axes) {
        if (!s.now.known || seconds <= 0)
            continue;
        const QString share = spoken(units::percent(seconds / s.now.seconds));
        parts << QStringLiteral("%1 %2").arg(
            QLatin1String(letters), decimalText(100 * seconds / s.now.seconds, 1));
        figure.explanation +=
            Words::tr("\n%1: %2, %3")
                .arg(Words::tr(name), spoken(units::seconds(seconds)), share);
    }
    figure.meaning = !s.now.known      ? QString()
                     : parts.isEmpty() ? Words::tr("nothing")
                                       : parts.join(QStringLiteral(" · ")) + QStringLiteral(" %");
    figure.brief = parts.isEmpty() ? QString() : parts.join(QLatin1Char(' '));
    addPoints(figure, exposed.total() / s.now.seconds, s.before.exposed.total() / s.before.seconds,
              Better::Lower, s.since);
    return figure;
}

Figure memoryFigure(const Subject& s)
{
    Figure figure{Words::tr("Peak memory"),
                  dash,
                  {},
                  Words::tr("Most bytes that any rank holds within a step, against the memory "
                            "of its device")};
    if (!s.now.known)
        return figure;
    const double bytes = s.now.bytesOf(s.plan, s.now.fullestRank);
    const double capacity = capacityOf(s.plan, s.now.fullestRank, s.machine);
    figure.value = spoken(units::bytes(std::int64_t(bytes)));
    figure.explanation += Words::tr("\nrank %1").arg(s.now.fullestRank.value);
    if (capacity <= 0)
        return figure;
    figure.meaning =
        Words::tr("%1 of %2")
            .arg(percentOr(bytes / capacity), spoken(units::bytes(std::int64_t(capacity))));
    if (bytes > capacity) {
        figure.tone = Tone::Bad;
        figure.meaning =
            Words::tr("%1 too much").arg(spoken(units::bytes(std::int64_t(bytes - capacity))));
        return figure;
    }
    addPoints(figure, s.now.fullest, s.before.fullest, Better::Lower, s.since);
    return figure;
}

Figure errorFigure(const Subject& s)
{
    Figure figure{Words::tr("Expected error"),
                  std::isfinite(s.now.expectedError)
                      ? QStringLiteral("±") + thinSpace + percentOr(s.now.expectedError)
                      : dash,
                  {},
                  {}};
    switch (s.now.errorBasis) {
    case ErrorBasis::Profile:
        figure.meaning = toQString(s.plan.software);
        figure.explanation = Words::tr("Mean error of such predictions on measured runs that "
                                       "they were not fitted to");
        break;
    case ErrorBasis::FinishedRuns:
        figure.meaning = figure.brief =
            counted(s.now.errorRuns, QStringLiteral("run")) + Words::tr(" here");
        figure.explanation = Words::tr("How far off the predictions of the latest finished "
                                       "runs in the history were that ran on this machine, "
                                       "mean of |predicted ÷ measured − 1|");
        break;
    case ErrorBasis::Calibration:
        figure.meaning = Words::tr("spread of its pace");
        figure.brief = Words::tr("calibration");
        figure.explanation = Words::tr(
            "From the calibration: within which eight of ten steps are expected, as the cores keep "
            "no even pace. Once a run has ended here, the error of its prediction stands instead");
        break;
    case ErrorBasis::None:
        figure.meaning = s.plan.cluster.thisMachine ? Words::tr("run it and compare")
                                                    : toQString(s.plan.software);
        figure.explanation = Words::tr("Not known before a run has ended here");
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
    return arrow(change) + spoken(units::percent(std::abs(change)));
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
        figures.front().meaning = Words::tr("this plan cannot be predicted");
        figures.front().brief = Words::tr("not predicted");
    }
    return figures;
}

} // namespace triaxis::ui
