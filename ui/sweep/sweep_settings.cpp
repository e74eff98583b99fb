#include "ui/sweep/sweep_settings.h"

#include "engine/cluster/cluster.h"
#include "engine/core/error.h"
#include "engine/formats/hf_config.h"
#include "engine/formats/shape_presets.h"
#include "engine/sweep/sweep_layouts.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int usualSteps = 12;

QString exerciseText()
{
    QStringList sizes;
    for (const Layout& layout : exerciseLayouts())
        sizes << QStringLiteral("%1x%2x%3").arg(layout.dp).arg(layout.tp).arg(layout.pp);
    return sizes.join(QLatin1Char(','));
}

/// Names stay short: a field of the form must not widen it.
QComboBox* choiceBox(const char* name)
{
    auto* box = new QComboBox;
    box->setObjectName(QLatin1String(name));
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
    return box;
}

QLabel* hintLabel(const char* name)
{
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(name));
    label->setProperty("role", "hint");
    label->setWordWrap(true);
    return label;
}

void addField(QVBoxLayout* column, const QString& name, QWidget* field)
{
    auto* label = new QLabel(name);
    label->setProperty("role", "muted");
    label->setBuddy(field);
    field->setAccessibleName(name);
    column->addWidget(label);
    column->addWidget(field);
}

} // namespace

SweepSettings::SweepSettings(const QString& drawn, QWidget* parent)
    : QWidget(parent), m_choice(choiceBox("sweepChoice")), m_layouts(new QLineEdit),
      m_found(hintLabel("sweepFound")), m_form(choiceBox("sweepForm")),
      m_meaning(hintLabel("sweepMeaning")), m_cluster(choiceBox("sweepCluster")),
      m_model(choiceBox("sweepModel")), m_drawn(new QCheckBox(tr("The plan that is drawn"))),
      m_steps(new QSpinBox)
{
    build(drawn);
    connect(m_choice, &QComboBox::activated, this, [this] {
        if (const QString text = m_choice->currentData().toString(); !text.isEmpty())
            m_layouts->setText(text);
    });
    connect(m_layouts, &QLineEdit::textChanged, this, &SweepSettings::readLayouts);
    connect(m_form, &QComboBox::currentIndexChanged, this, &SweepSettings::explain);
    m_layouts->setText(exerciseText());
    explain();
}

void SweepSettings::build(const QString& drawn)
{
    m_choice->addItem(tr("Exercise of the textbooks"), exerciseText());
    m_choice->addItem(tr("Data ranks: 1, 2, 4"), QStringLiteral("1..4x1x1"));
    m_choice->addItem(tr("Tensor ranks: 1, 2, 4"), QStringLiteral("1x1..4x1"));
    m_choice->addItem(tr("Pipeline stages: 1, 2, 4"), QStringLiteral("1x1x1..4"));
    m_choice->addItem(tr("A list or grid of your own"), QString());
    m_layouts->setObjectName(QStringLiteral("sweepLayouts"));
    m_layouts->setToolTip(tr("Data x tensor x pipeline ranks, such as 1x1x1,4x1x1. A range "
                             "doubles: 1..4x1..2x1 is a grid of six."));
    m_form->addItem(tr("Both, one after the other"), QStringLiteral("both"));
    m_form->addItem(tr("On this machine's cores"), QStringLiteral("cores"));
    m_form->addItem(tr("Paced as GPUs"), QStringLiteral("paced"));
    for (const ClusterSpec& cluster : clusterPresets())
        m_cluster->addItem(toQString(cluster.title), toQString(cluster.name));
    m_cluster->setCurrentIndex(m_cluster->findData(QStringLiteral("dgx-a100")));
    for (const std::string& model : modelPresets())
        m_model->addItem(toQString(model), toQString(model));
    for (const ShapePreset& shape : shapePresets())
        m_model->addItem(toQString(shape.name), toQString(shape.name));
    m_model->setCurrentIndex(m_model->findData(QStringLiteral("gpt2-medium")));
    m_drawn->setObjectName(QStringLiteral("sweepDrawn"));
    m_drawn->setEnabled(!drawn.isEmpty());
    m_drawn->setToolTip(drawn.isEmpty()
                            ? tr("The plan that is drawn cannot be run on this machine")
                            : tr("Its model, data, batch and schedule: %1. Otherwise the small "
                                 "model of the exercise.")
                                  .arg(drawn));
    m_steps->setObjectName(QStringLiteral("sweepSteps"));
    m_steps->setRange(2, 100000);
    m_steps->setValue(usualSteps);
    m_steps->setSuffix(tr(" a layout"));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 4, 0);
    column->setSpacing(6);
    addField(column, tr("Layouts"), m_choice);
    m_layouts->setAccessibleName(tr("Sizes of the layouts"));
    column->addWidget(m_layouts);
    column->addWidget(m_found);
    column->addSpacing(8);
    addField(column, tr("Form"), m_form);
    column->addWidget(m_meaning);
    addField(column, tr("GPUs and links"), m_cluster);
    addField(column, tr("Model on the GPUs"), m_model);
    column->addSpacing(8);
    addField(column, tr("Steps"), m_steps);
    column->addWidget(m_drawn);
    column->addStretch(1);
    connect(m_drawn, &QCheckBox::toggled, this, &SweepSettings::changed);
}

void SweepSettings::setLayouts(const QString& text)
{
    m_layouts->setText(text);
}

void SweepSettings::readLayouts()
{
    const QString text = m_layouts->text().trimmed();
    const int known = m_choice->findData(text);
    m_choice->setCurrentIndex(known >= 0 ? known : m_choice->count() - 1);
    try {
        const std::vector<Layout> layouts = parseSweepLayouts(text.toStdString());
        int ranks = 1;
        QStringList names;
        for (const Layout& layout : layouts) {
            ranks = std::max(ranks, layout.ranks());
            names << toQString(sizesText(layout));
        }
        constexpr qsizetype mostNames = 8;
        if (names.size() > mostNames)
            names = names.mid(0, mostNames) << QStringLiteral("…");
        m_found->setText(tr("%1 of up to %2, data × tensor × pipeline: %3")
                             .arg(counted(std::int64_t(layouts.size()), QStringLiteral("layout")),
                                  counted(ranks, QStringLiteral("rank")),
                                  names.join(QStringLiteral(", "))));
        m_found->setProperty("role", "hint");
        m_valid = true;
    } catch (const Error& error) {
        m_found->setText(spoken(error.object() + ". " + error.remedy()));
        m_found->setProperty("role", "problem");
        m_valid = false;
    }
    m_layouts->setProperty("problem", !m_valid);
    for (QWidget* widget : {static_cast<QWidget*>(m_layouts), static_cast<QWidget*>(m_found)}) {
        widget->style()->unpolish(widget); // the properties are read again
        widget->style()->polish(widget);
    }
    emit changed();
}

void SweepSettings::explain()
{
    const QString form = m_form->currentData().toString();
    const QString cores = tr("What it is: as fast as this machine goes. All ranks share its cores, "
                             "so four ranks cannot be four times as fast.");
    const QString paced =
        tr("What it would be: the small model really trains, in slots as long as the chosen model "
           "takes on the chosen GPUs and links. Times and memory are the simulator's.");
    QStringList text;
    if (form != QLatin1String("paced"))
        text << cores;
    if (form != QLatin1String("cores"))
        text << paced;
    m_meaning->setText(text.join(QLatin1Char('\n')));
    m_cluster->setEnabled(form != QLatin1String("cores"));
    m_model->setEnabled(m_cluster->isEnabled());
    emit changed();
}

bool SweepSettings::wantsDrawnPlan() const
{
    return m_drawn->isEnabled() && m_drawn->isChecked();
}

int SweepSettings::forms() const
{
    return m_form->currentData().toString() == QLatin1String("both") ? 2 : 1;
}

QStringList SweepSettings::arguments(const QString& planFile) const
{
    QStringList words{QStringLiteral("--layouts"),  m_layouts->text().trimmed(),
                      QStringLiteral("--form"),     m_form->currentData().toString(),
                      QStringLiteral("--as"),       m_cluster->currentData().toString(),
                      QStringLiteral("--as-model"), m_model->currentData().toString(),
                      QStringLiteral("--steps"),    QString::number(m_steps->value())};
    if (wantsDrawnPlan())
        words << QStringLiteral("--plan") << planFile;
    return words;
}

} // namespace triaxis::ui
