#include "ui/report/export_choice.h"

#include "ui/base/language.h"
#include "ui/base/words.h"

namespace triaxis::ui
{
namespace
{

struct Part
{
    const char* id;
    const char* name;
};

constexpr Part views[] = {
    {"timeline", QT_TRANSLATE_NOOP("Words", "Timeline of the step that stands for the run")},
    {"layout", QT_TRANSLATE_NOOP("Words", "Layout")},
    {"loss", QT_TRANSLATE_NOOP("Words", "Loss by step")},
    {"step-time", QT_TRANSLATE_NOOP("Words", "Step time by step")},
    {"bubble", QT_TRANSLATE_NOOP("Words", "Bubble by stage")},
    {"memory-floor", QT_TRANSLATE_NOOP("Words", "Peak memory of every rank")},
    {"memory", QT_TRANSLATE_NOOP("Words", "Peak memory by rank and category")},
    {"communication", QT_TRANSLATE_NOOP("Words", "Communication, rank to rank")},
    {"prediction-timelines", QT_TRANSLATE_NOOP("Words", "Measured and predicted step")},
};

constexpr Part tables[] = {
    {"steps", QT_TRANSLATE_NOOP("Words", "Steps: loss, gradient norm, time, tokens")},
    {"ranks", QT_TRANSLATE_NOOP("Words", "Ranks: coordinates and places")},
    {"bubble", QT_TRANSLATE_NOOP("Words", "Bubble by stage")},
    {"bubble-split", QT_TRANSLATE_NOOP("Words", "Where the step goes, by stage")},
    {"memory", QT_TRANSLATE_NOOP("Words", "Peak memory by rank and category")},
    {"communication", QT_TRANSLATE_NOOP("Words", "Communication by pair of ranks")},
    {"prediction", QT_TRANSLATE_NOOP("Words", "Prediction of the run and its error")},
    {"prediction-by-kind", QT_TRANSLATE_NOOP("Words", "Prediction errors by kind")},
    {"prediction-by-rank", QT_TRANSLATE_NOOP("Words", "Prediction errors by rank")},
};

} // namespace

std::vector<ExportChoice> runExports(const QString& runId)
{
    std::vector<ExportChoice> choices;
    const auto begin = [runId](const QString& file) {
        return QStringList{QStringLiteral("export"),     runId,
                           QStringLiteral("--output"),   file,
                           QStringLiteral("--language"), windowLanguage()};
    };
    ExportChoice report{Words::tr("Report"),
                        Words::tr("Report with all figures and definitions"),
                        runId,
                        {QStringLiteral("pdf"), QStringLiteral("html")},
                        true};
    report.arguments = [begin](const QString& file, const QString& paper) {
        return begin(file) + QStringList{QStringLiteral("--paper"), paper};
    };
    choices.push_back(std::move(report));
    for (const Part& view : views) {
        const QString id = QLatin1String(view.id);
        ExportChoice choice{Words::tr("View"),
                            Words::tr(view.name),
                            runId + QLatin1Char('.') + id,
                            {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")}};
        choice.arguments = [begin, id](const QString& file, const QString&) {
            return begin(file) + QStringList{QStringLiteral("--view"), id};
        };
        choices.push_back(std::move(choice));
    }
    for (const Part& table : tables) {
        const QString id = QLatin1String(table.id);
        ExportChoice choice{Words::tr("Table"),
                            Words::tr(table.name),
                            runId + QLatin1Char('.') + id,
                            {QStringLiteral("csv")}};
        choice.arguments = [begin, id](const QString& file, const QString&) {
            return begin(file) + QStringList{QStringLiteral("--table"), id};
        };
        choices.push_back(std::move(choice));
    }
    ExportChoice spans{Words::tr("Spans"),
                       Words::tr("All spans, a row each"),
                       runId + ".spans",
                       {QStringLiteral("csv")}};
    spans.arguments = [begin](const QString& file, const QString&) { return begin(file); };
    choices.push_back(std::move(spans));
    ExportChoice trace{Words::tr("Spans"),
                       Words::tr("Chrome trace, opens in ui.perfetto.dev"),
                       runId + ".trace",
                       {QStringLiteral("json")}};
    trace.arguments = [begin](const QString& file, const QString&) { return begin(file); };
    choices.push_back(std::move(trace));
    return choices;
}

std::vector<ExportChoice> comparisonExports(const QStringList& runs)
{
    const QStringList begin = QStringList{QStringLiteral("compare")} + runs;
    ExportChoice report{Words::tr("Report"),
                        Words::tr("Comparison with curves, timelines and settings"),
                        QStringLiteral("comparison"),
                        {QStringLiteral("pdf"), QStringLiteral("html")}};
    report.arguments = [begin](const QString& file, const QString&) {
        return begin + QStringList{QStringLiteral("--report"), file, QStringLiteral("--language"),
                                   windowLanguage()};
    };
    ExportChoice figures{Words::tr("Table"),
                         Words::tr("Figures of all runs"),
                         QStringLiteral("comparison"),
                         {QStringLiteral("csv")}};
    figures.arguments = [begin](const QString& file, const QString&) {
        return begin + QStringList{QStringLiteral("--csv"), file};
    };
    return {std::move(report), std::move(figures)};
}

} // namespace triaxis::ui
