#include "ui/report/export_choice.h"

#include "ui/base/language.h"

#include <QCoreApplication>

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
    {"timeline", QT_TRANSLATE_NOOP("Export", "Timeline of the step that stands for the run")},
    {"layout", QT_TRANSLATE_NOOP("Export", "Layout")},
    {"loss", QT_TRANSLATE_NOOP("Export", "Loss by step")},
    {"step-time", QT_TRANSLATE_NOOP("Export", "Step time by step")},
    {"bubble", QT_TRANSLATE_NOOP("Export", "Bubble by stage")},
    {"memory-floor", QT_TRANSLATE_NOOP("Export", "Peak memory of every rank")},
    {"memory", QT_TRANSLATE_NOOP("Export", "Peak memory by rank and category")},
    {"communication", QT_TRANSLATE_NOOP("Export", "Communication, rank to rank")},
    {"prediction-timelines", QT_TRANSLATE_NOOP("Export", "Measured and predicted step")},
};

constexpr Part tables[] = {
    {"steps", QT_TRANSLATE_NOOP("Export", "Steps: loss, gradient norm, time, tokens")},
    {"ranks", QT_TRANSLATE_NOOP("Export", "Ranks: coordinates and places")},
    {"bubble", QT_TRANSLATE_NOOP("Export", "Bubble by stage")},
    {"bubble-split", QT_TRANSLATE_NOOP("Export", "Where the step goes, by stage")},
    {"memory", QT_TRANSLATE_NOOP("Export", "Peak memory by rank and category")},
    {"communication", QT_TRANSLATE_NOOP("Export", "Communication by pair of ranks")},
    {"prediction", QT_TRANSLATE_NOOP("Export", "Prediction of the run and its error")},
    {"prediction-by-kind", QT_TRANSLATE_NOOP("Export", "Prediction errors by kind")},
    {"prediction-by-rank", QT_TRANSLATE_NOOP("Export", "Prediction errors by rank")},
};

QString said(const char* text)
{
    return QCoreApplication::translate("Export", text);
}

} // namespace

std::vector<ExportChoice> runExports(const QString& runId)
{
    std::vector<ExportChoice> choices;
    const auto begin = [runId](const QString& file) {
        return QStringList{QStringLiteral("export"),     runId,
                           QStringLiteral("--output"),   file,
                           QStringLiteral("--language"), windowLanguage()};
    };
    ExportChoice report{said("Report"),
                        said("Report with all figures and definitions"),
                        runId,
                        {QStringLiteral("pdf"), QStringLiteral("html")},
                        true};
    report.arguments = [begin](const QString& file, const QString& paper) {
        return begin(file) + QStringList{QStringLiteral("--paper"), paper};
    };
    choices.push_back(std::move(report));
    for (const Part& view : views) {
        const QString id = QLatin1String(view.id);
        ExportChoice choice{said("View"),
                            said(view.name),
                            runId + QLatin1Char('.') + id,
                            {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")}};
        choice.arguments = [begin, id](const QString& file, const QString&) {
            return begin(file) + QStringList{QStringLiteral("--view"), id};
        };
        choices.push_back(std::move(choice));
    }
    for (const Part& table : tables) {
        const QString id = QLatin1String(table.id);
        ExportChoice choice{said("Table"),
                            said(table.name),
                            runId + QLatin1Char('.') + id,
                            {QStringLiteral("csv")}};
        choice.arguments = [begin, id](const QString& file, const QString&) {
            return begin(file) + QStringList{QStringLiteral("--table"), id};
        };
        choices.push_back(std::move(choice));
    }
    ExportChoice spans{
        said("Spans"), said("All spans, a row each"), runId + ".spans", {QStringLiteral("csv")}};
    spans.arguments = [begin](const QString& file, const QString&) { return begin(file); };
    choices.push_back(std::move(spans));
    ExportChoice trace{said("Spans"),
                       said("Chrome trace, opens in ui.perfetto.dev"),
                       runId + ".trace",
                       {QStringLiteral("json")}};
    trace.arguments = [begin](const QString& file, const QString&) { return begin(file); };
    choices.push_back(std::move(trace));
    return choices;
}

std::vector<ExportChoice> comparisonExports(const QStringList& runs)
{
    const QStringList begin = QStringList{QStringLiteral("compare")} + runs;
    ExportChoice report{said("Report"),
                        said("Comparison with curves, timelines and settings"),
                        QStringLiteral("comparison"),
                        {QStringLiteral("pdf"), QStringLiteral("html")}};
    report.arguments = [begin](const QString& file, const QString&) {
        return begin + QStringList{QStringLiteral("--report"), file, QStringLiteral("--language"),
                                   windowLanguage()};
    };
    ExportChoice figures{said("Table"),
                         said("Figures of all runs"),
                         QStringLiteral("comparison"),
                         {QStringLiteral("csv")}};
    figures.arguments = [begin](const QString& file, const QString&) {
        return begin + QStringList{QStringLiteral("--csv"), file};
    };
    return {std::move(report), std::move(figures)};
}

} // namespace triaxis::ui
