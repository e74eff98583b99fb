#include "ui/plan/pipeline_form.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/schedule_csv.h"
#include "engine/search/auto_plan.h"
#include "ui/base/background.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/commands/set_schedule.h"
#include "ui/plan/plan_document.h"
#include "ui/widgets/choice_box.h"

#include <QDir>
#include <QFileDialog>
#include <QSpinBox>

#include <algorithm>
#include <memory>

namespace triaxis::ui
{
namespace
{

constexpr int mostChunks = 64;

} // namespace

PipelineForm::PipelineForm(PlanDocument& document, Background& background, QWidget* parent)
    : FormSection(tr("Pipeline"), parent), m_document(document), m_background(background)
{
    setObjectName(QStringLiteral("pipelineForm"));
    m_schedule = addChoice(QStringLiteral("training.schedule"), tr("Schedule"));
    m_chunks = addNumber(QStringLiteral("layout.virtualStages"), tr("Chunks"), 1, mostChunks);
    m_chunks->setToolTip(tr("Pieces of the model that every stage holds (virtual stages)"));
    fill();
    connect(m_schedule, &ChoiceBox::activated, this, &PipelineForm::choose);
    connect(m_chunks, &QSpinBox::valueChanged, this, [this](int value) {
        m_document.apply(std::make_unique<SetVirtualStages>(m_document, value));
    });
    connect(&m_document, &PlanDocument::changed, this, &PipelineForm::refresh);
    refresh();
}

void PipelineForm::fill()
{
    for (const ScheduleInfo& info : schedules()) {
        const bool fromFile = info.name == "custom";
        m_schedule->addItem(fromFile ? tr("Open a CSV…") : spoken(info.title),
                            toQString(info.name));
        m_schedule->setItemData(
            m_schedule->count() - 1,
            QStringLiteral("%1\n%2").arg(spoken(info.summary), spoken(info.source)),
            Qt::ToolTipRole);
    }
}

void PipelineForm::refresh()
{
    m_schedule->setCurrentIndex(
        m_schedule->findData(toQString(m_document.plan().training.schedule)));
    m_schedule->setToolTip(m_schedule->currentData(Qt::ToolTipRole).toString());
    refreshChunks();
}

void PipelineForm::refreshChunks()
{
    const RunPlan& plan = m_document.plan();
    int least = 1;
    int most = 1;
    for (const ScheduleInfo& info : schedules())
        if (info.name == plan.training.schedule) {
            least = info.minimumVirtual;
            most = info.maximumVirtual;
        }
    const int now = plan.layout.virtualStages;
    const QSignalBlocker quiet(m_chunks);
    m_chunks->setRange(std::min(least, now), std::max(std::min(most, mostChunks), now));
    m_chunks->setValue(now);
    showRow(QStringLiteral("layout.virtualStages"), most > 1 || now > 1);
    m_chunks->setEnabled(least < most || now != least);
}

void PipelineForm::choose(int index)
{
    const std::string name = m_schedule->itemData(index).toString().toStdString();
    if (name == "auto") {
        searchOrder();
        return;
    }
    if (name != "custom") {
        m_document.apply(std::make_unique<SetSchedule>(m_document, name));
        return;
    }
    refresh(); // back to what the plan has until a file is chosen
    const QString path =
        QFileDialog::getOpenFileName(window(), tr("Open a schedule"), QDir::homePath(),
                                     tr("Schedules, one row a stage (*.csv)"));
    if (!path.isEmpty())
        takeFile(path);
}

void PipelineForm::searchOrder()
{
    refresh(); // back to what the plan has until an order is found
    if (!m_document.canRun()) {
        emit failed(tr("An order is searched for plans that can run here"),
                    tr("Choose this machine as the cluster, and mend what is wrong."));
        return;
    }
    m_background.post(this, [this, before = m_document.plan()]() -> Background::Delivery {
        try {
            RunPlan plan = before;
            triaxis::chooseSchedule(plan);
            return [this, plan, before] {
                if (!samePlan(m_document.plan(), before))
                    return; // edited meanwhile: the order would not fit
                m_document.apply(std::make_unique<SetSchedule>(
                    m_document, "auto", plan.training.scheduleCsv, plan.layout.virtualStages));
            };
        } catch (const Error& error) {
            const QString title = spoken(error.tried());
            const QString detail = spoken(error.object() + ". " + error.remedy());
            return [this, title, detail] { emit failed(title, detail); };
        }
    });
}

void PipelineForm::takeFile(const QString& path)
{
    m_background.post(this, [this, path]() -> Background::Delivery {
        try {
            const std::string csv =
                readFile(path.toStdString(), 16 << 20, "cannot read the schedule");
            const ComputeProgram program = programFromCsv(csv);
            const int chunks = program.chunks / program.replicas;
            return [this, csv, chunks] {
                m_document.apply(std::make_unique<SetSchedule>(m_document, "custom", csv, chunks));
            };
        } catch (const Error& error) {
            const QString title = spoken(error.tried());
            const QString detail = spoken(error.object() + ". " + error.remedy());
            return [this, title, detail] { emit failed(title, detail); };
        }
    });
}

} // namespace triaxis::ui
