#include "ui/plan/batch_form.h"

#include "ui/commands/set_batch.h"
#include "ui/plan/plan_document.h"

#include <QSpinBox>

#include <algorithm>
#include <memory>

namespace triaxis::ui
{

BatchForm::BatchForm(PlanDocument& document, QWidget* parent)
    : FormSection(tr("Batch"), parent), m_document(document)
{
    constexpr int most = 1'000'000;
    setObjectName(QStringLiteral("batchForm"));
    m_global = addNumber(QStringLiteral("training.globalBatch"), tr("Global batch"), 1, most);
    m_micro = addNumber(QStringLiteral("training.microbatch"), tr("Microbatch"), 1, most);
    m_sequence = addNumber(QStringLiteral("training.sequence"), tr("Sequence"), 1, most);
    m_global->setToolTip(tr("Sequences of one step, over all replicas"));
    m_micro->setToolTip(tr("Sequences that pass through the pipeline together"));
    m_sequence->setToolTip(tr("Tokens of one sequence"));
    const auto change = [this](int BatchShape::*field, const QString& text) {
        return [this, field, text](int value) {
            BatchShape batch = m_document.plan().training.batch;
            batch.*field = value;
            m_document.apply(std::make_unique<SetBatch>(m_document, batch, text));
        };
    };
    connect(m_global, &QSpinBox::valueChanged, this,
            change(&BatchShape::globalBatch, tr("global batch")));
    connect(m_micro, &QSpinBox::valueChanged, this,
            change(&BatchShape::microbatch, tr("microbatch")));
    connect(m_sequence, &QSpinBox::valueChanged, this,
            change(&BatchShape::sequence, tr("sequence length")));
    connect(&m_document, &PlanDocument::changed, this, &BatchForm::refresh);
    refresh();
}

void BatchForm::refresh()
{
    const BatchShape& batch = m_document.plan().training.batch;
    putQuietly(m_global, batch.globalBatch);
    putQuietly(m_micro, batch.microbatch);
    putQuietly(m_sequence, batch.sequence);
    const std::int64_t share = std::int64_t(m_document.plan().layout.dp) * batch.microbatch;
    m_global->setSingleStep(int(std::clamp<std::int64_t>(share, 1, m_global->maximum())));
}

} // namespace triaxis::ui
