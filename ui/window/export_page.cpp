#include "ui/window/export_page.h"

#include "engine/formats/plan_file.h"
#include "engine/timeline/layout_picture.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/compare/comparison_view.h"
#include "ui/pages/plan_page.h"
#include "ui/plan/floor_view.h"
#include "ui/plan/plan_document.h"
#include "ui/report/export_dialog.h"
#include "ui/report/report_file.h"
#include "ui/run/run_view.h"
#include "ui/widgets/lane_view.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QTemporaryDir>

#include <memory>

namespace triaxis::ui
{
namespace
{

/// A picture that the window shows, as it is now.
ExportChoice shownPicture(const QString& name, const QString& stem, DisplayList picture)
{
    ExportChoice choice{Words::tr("View"),
                        name,
                        stem,
                        {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")}};
    choice.write = [name, picture = std::move(picture)](const QString& file) {
        const QString ending = QFileInfo(file).suffix().toLower();
        savePicture(file, picture,
                    ending == QLatin1String("svg")   ? PictureFormat::Svg
                    : ending == QLatin1String("pdf") ? PictureFormat::Pdf
                                                     : PictureFormat::Png,
                    name);
    };
    return choice;
}

void show(QWidget* parent, const QString& subject, std::vector<ExportChoice> choices)
{
    auto* dialog = new ExportDialog(subject, std::move(choices), parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setModal(true);
    dialog->show();
}

/// `triaxis` that tells what a plan is predicted to take, as a report.
QStringList planReport(const DrawnPlan& plan, const QString& planFile, const QString& file)
{
    const QStringList what = plan.cluster.thisMachine
                                 ? QStringList{QStringLiteral("run"), QStringLiteral("--predict")}
                                 : QStringList{QStringLiteral("simulate")};
    return what + QStringList{QStringLiteral("--plan"),     planFile,
                              QStringLiteral("--report"),   file,
                              QStringLiteral("--language"), windowLanguage()};
}

} // namespace

void exportStoredRun(QWidget* parent, const QString& id)
{
    if (id.isEmpty())
        QMessageBox::information(parent, Words::tr("Export"),
                                 Words::tr("Open or select a run first."));
    else
        show(parent, Words::tr("run %1").arg(id), runExports(id));
}

void exportRun(QWidget* parent, const RunView& view)
{
    if (!view.run()) {
        exportStoredRun(parent, {});
        return;
    }
    const QString id = QFileInfo(view.directory()).fileName();
    std::vector<ExportChoice> choices = runExports(id);
    const DisplayList picture = view.timeline()->picture();
    if (!picture.items.empty())
        choices.insert(choices.begin() + 1,
                       shownPicture(Words::tr("Timeline as shown"),
                                    id + QStringLiteral(".timeline-shown"), picture));
    show(parent, Words::tr("run %1").arg(id), std::move(choices));
}

void exportComparison(QWidget* parent, const ComparisonView& view)
{
    QStringList runs;
    for (const ComparedRun& run : view.runs())
        runs << toQString(run.id);
    if (!runs.isEmpty())
        show(parent, Words::tr("the comparison"), comparisonExports(runs));
}

void exportPlan(QWidget* parent, const PlanPage& page, const PlanDocument& document)
{
    const DrawnPlan plan = document.drawn();
    const auto folder = std::make_shared<QTemporaryDir>();
    const QString planFile = folder->filePath(QStringLiteral("plan.triaxis"));
    ExportChoice report{Words::tr("Report"),
                        Words::tr("Report of the prediction"),
                        QStringLiteral("plan"),
                        {QStringLiteral("pdf"), QStringLiteral("html")}};
    report.arguments = [folder, plan, planFile](const QString& file, const QString&) {
        PlanFile drawn;
        drawn.plan = plan;
        writePlanFile(planFile.toStdString(), drawn);
        return planReport(plan, planFile, file);
    };
    std::vector<ExportChoice> choices{std::move(report)};
    if (const auto* floor = page.findChild<FloorView*>())
        choices.push_back(shownPicture(Words::tr("Floor as shown"), QStringLiteral("floor"),
                                       floor->picture()));
    choices.push_back(shownPicture(Words::tr("Layout"), QStringLiteral("layout"),
                                   drawLayout(plan.run.layout, {}, reportWholeWidth)));
    if (const auto* lanes = page.findChild<LaneView*>(); lanes && lanes->lanes())
        choices.push_back(shownPicture(Words::tr("Predicted step"),
                                       QStringLiteral("predicted-step"), lanes->picture()));
    show(parent, Words::tr("the plan"), std::move(choices));
}

} // namespace triaxis::ui
