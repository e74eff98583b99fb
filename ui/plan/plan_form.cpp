#include "ui/plan/plan_form.h"

#include "ui/plan/batch_form.h"
#include "ui/plan/cluster_form.h"
#include "ui/plan/data_form.h"
#include "ui/plan/execution_form.h"
#include "ui/plan/form_row.h"
#include "ui/plan/model_form.h"
#include "ui/plan/pipeline_form.h"
#include "ui/plan/settings_form.h"
#include "ui/plan/training_form.h"

#include <QVBoxLayout>

namespace triaxis::ui
{

PlanForm::PlanForm(PlanDocument& document, Background& background, QWidget* parent)
    : QWidget(parent), m_layout(new QVBoxLayout(this)), m_cluster(new ClusterForm(document, this))
{
    setObjectName(QStringLiteral("planForm"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(8);
    add(new ModelForm(document, background, this));
    add(m_cluster);
    add(new BatchForm(document, this));
    add(new PipelineForm(document, background, this));
    add(new SettingsForm(document, this));
    add(new DataForm(document, this));
    add(new TrainingForm(document, this));
    add(new OptimizerForm(document, this));
    add(new ExecutionForm(document, this));
    m_layout->addStretch(1);
}

void PlanForm::add(FormSection* section)
{
    m_layout->addWidget(section);
    for (auto row = section->rows().constBegin(); row != section->rows().constEnd(); ++row)
        m_rows.insert(row.key(), row.value());
    connect(section, &FormSection::mendRequested, this, &PlanForm::mendRequested);
    connect(section, &FormSection::failed, this, &PlanForm::failed);
}

void PlanForm::addPlaces(FindingPlaces& places)
{
    for (auto row = m_rows.constBegin(); row != m_rows.constEnd(); ++row)
        places.insert(row.key(), {row.value(), [row = row.value()](const PlanFinding* finding) {
                                      row->setFinding(finding);
                                  }});
}

QString PlanForm::problemOf(const QString& where) const
{
    const auto row = m_rows.constFind(where);
    return row == m_rows.constEnd() ? QString() : (*row)->problem();
}

} // namespace triaxis::ui
