#include "ui/plan/plan_header.h"

#include "ui/base/text.h"
#include "ui/plan/plan_actions.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_text.h"
#include "ui/plan/plan_files.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/follow_action.h"
#include "ui/widgets/icon_button.h"

#include <QAction>
#include <QPushButton>

namespace triaxis::ui
{

PlanHeader::PlanHeader(PlanDocument& document, PlanFiles& files, PlanActions& actions,
                       QWidget* parent)
    : PageHeader(parent), m_document(document), m_files(files)
{
    const auto addButton = [this](QAbstractButton* button, const char* name, QAction* action) {
        button->setObjectName(QLatin1String(name));
        followAction(button, action);
        addAction(button);
    };
    addButton(new IconButton(QStringLiteral("undo"), {}), "undo", actions.undo());
    addButton(new IconButton(QStringLiteral("redo"), {}), "redo", actions.redo());
    addButton(new QPushButton, "examples", files.action(PlanFiles::Command::Examples));
    addButton(new QPushButton, "whatIf", actions.whatIf());
    addButton(new QPushButton, "findLayout", actions.find());
    auto* run = new QPushButton;
    run->setProperty("look", "primary");
    addButton(run, "run", actions.run());
    followTextSize(this, [run] { run->setMinimumWidth(scaled(84)); });
    connect(&m_document, &PlanDocument::changed, this, &PlanHeader::refresh);
    connect(&m_files, &PlanFiles::changed, this, &PlanHeader::refresh);
    refresh();
}

void PlanHeader::refresh()
{
    const DrawnPlan& plan = m_document.drawn();
    const QString model = toQString(plan.trainable ? plan.run.model.name : plan.shape.name);
    const QString unsaved =
        m_files.isUnsaved() ? QString(QChar(0x2022)) + QLatin1Char(' ') : QString();
    setTitle(tr("%1 · %2").arg(model, layoutText(plan.run.layout)),
             unsaved + m_files.name());
}

} // namespace triaxis::ui
