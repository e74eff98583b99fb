#include "ui/plan/model_form.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/formats/hf_config.h"
#include "engine/formats/model_shape.h"
#include "engine/formats/plan_file.h"
#include "engine/formats/shape_presets.h"
#include "ui/base/background.h"
#include "ui/base/count_text.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/commands/set_model.h"
#include "ui/commands/set_shape.h"
#include "ui/widgets/choice_box.h"

#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QVBoxLayout>

#include <memory>

namespace triaxis::ui
{
namespace
{

QString familyOf(const DrawnPlan& plan)
{
    const ModelShape& model = plan.shape;
    if (!plan.trainable)
        return model.expert.experts > 0 ? Words::tr("%1, %2 a token")
                                              .arg(counted(model.expert.experts,
                                                           QStringLiteral("expert")))
                                              .arg(model.expert.activeExperts)
                                        : Words::tr("predicted only");
    return plan.run.model.architecture == Architecture::Gpt2 ? QStringLiteral("GPT-2")
                                                             : QStringLiteral("Llama");
}

QString summaryOf(const DrawnPlan& plan)
{
    const ModelShape& model = plan.shape;
    QString heads = counted(model.heads, QStringLiteral("head"));
    if (model.kvHeads != model.heads)
        heads += Words::tr(" (%1 key/value)").arg(model.kvHeads);
    return Words::tr("%1 parameters · %2 · %3 · %4 · width %5 · vocabulary %6")
        .arg(countText(parameterCount(model)), familyOf(plan),
             counted(model.layers, QStringLiteral("layer")), heads, wholeNumber(model.hidden),
             wholeNumber(model.vocabulary));
}

} // namespace

ModelForm::ModelForm(PlanDocument& document, Background& background, QWidget* parent)
    : FormSection(tr("Model"), parent), m_document(document), m_background(background)
{
    setObjectName(QStringLiteral("modelForm"));
    m_model = addChoice(QStringLiteral("model"), tr("Model"));
    m_summary = new QLabel;
    m_summary->setProperty("role", "hint");
    m_summary->setWordWrap(true);
    column()->addWidget(m_summary);
    connect(m_model, &ChoiceBox::activated, this, &ModelForm::choose);
    connect(&m_document, &PlanDocument::changed, this, &ModelForm::refresh);
    refresh();
}

void ModelForm::fill(const QString& shown)
{
    m_model->clear();
    for (const std::string& name : modelPresets())
        m_model->addItem(toQString(name), toQString(name));
    m_model->insertSeparator(m_model->count());
    for (const ShapePreset& preset : shapePresets()) {
        m_model->addItem(toQString(preset.name), toQString(preset.name));
        m_model->setItemData(
            m_model->count() - 1,
            tr("%1: predicted, not trained\n%2").arg(spoken(preset.title), spoken(preset.source)),
            Qt::ToolTipRole);
    }
    if (m_model->findText(shown) < 0)
        m_model->addItem(shown, QString());
    m_model->insertSeparator(m_model->count());
    m_model->addItem(tr("Open config.json…"), QStringLiteral("open"));
}

void ModelForm::refresh()
{
    const DrawnPlan& plan = m_document.drawn();
    const QString shown = toQString(plan.trainable ? plan.run.model.name : plan.shape.name);
    // Rebuilt only for a model of one's own: a combo of forty entries costs as much as a frame.
    if (m_model->currentText() != shown || m_model->count() == 0) {
        if (m_model->findText(shown) < 0 || m_model->count() == 0)
            fill(shown);
        m_model->setCurrentIndex(m_model->findText(shown));
    }
    m_summary->setText(summaryOf(plan));
}

void ModelForm::choose(int index)
{
    const QString name = m_model->itemData(index).toString();
    if (name == QLatin1String("open")) {
        open();
        return;
    }
    if (name.isEmpty())
        return;
    for (const ShapePreset& preset : shapePresets())
        if (preset.name == name.toStdString()) {
            m_document.apply(std::make_unique<SetShape>(m_document, preset.shape));
            return;
        }
    m_document.apply(std::make_unique<SetModel>(m_document, modelPreset(name.toStdString())));
}

void ModelForm::open()
{
    refresh(); // back to what the plan has until a file is chosen
    const QString path =
        QFileDialog::getOpenFileName(window(), tr("Open a model configuration"), QDir::homePath(),
                                     tr("Hugging Face configuration (config.json *.json)"));
    if (!path.isEmpty())
        takeFile(path);
}

void ModelForm::takeFile(const QString& path)
{
    m_background.post(this, [this, path]() -> Background::Delivery {
        try {
            const ModelSpec model = readModel(path.toStdString());
            return
                [this, model] { m_document.apply(std::make_unique<SetModel>(m_document, model)); };
        } catch (const Error&) {
            return takeShapeFile(path);
        }
    });
}

/// What cannot be trained here may still be priced.
std::function<void()> ModelForm::takeShapeFile(const QString& path)
{
    try {
        const ModelShape shape = findModelShape(path.toStdString());
        return [this, shape] { m_document.apply(std::make_unique<SetShape>(m_document, shape)); };
    } catch (const Error& error) {
        const QString title = spoken(error.tried());
        const QString detail = spoken(error.object() + ". " + error.remedy());
        return [this, title, detail] { emit failed(title, detail); };
    }
}

} // namespace triaxis::ui
